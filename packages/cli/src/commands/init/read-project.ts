import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { CommandError } from '../../command-error.ts'
import { toRecord } from '../../records.ts'
import { getErrorMessage } from '../../text.ts'

/** A project, as its directory describes it. */
export interface Project {
  readonly directory: string
  readonly files: readonly string[]
  readonly dependencies: readonly string[]
  /** The scripts of package.json. */
  readonly scripts: Readonly<Record<string, string>>
  /** The names of the fields of package.json. */
  readonly manifestFields: readonly string[]
  readonly installCommand: string
  readonly ciSystems: readonly CiSystem[]
}

export type CiSystem = 'github' | 'gitlab'

/** @throws {CommandError} when package.json is missing or unreadable */
export async function readProject(directory: string): Promise<Project> {
  const manifest = await readManifest(directory)
  const files = await readdir(directory)
  const getKeys = (field: string) => Object.keys(toRecord(manifest[field]))
  return {
    directory,
    files,
    dependencies: [...getKeys('dependencies'), ...getKeys('devDependencies')],
    scripts: toStrings(manifest['scripts']),
    manifestFields: Object.keys(manifest),
    installCommand: getInstallCommand(files),
    ciSystems: [
      ...(files.includes('.github') ? (['github'] as const) : []),
      ...(files.includes('.gitlab-ci.yml') ? (['gitlab'] as const) : []),
    ],
  }
}

async function readManifest(directory: string): Promise<Readonly<Record<string, unknown>>> {
  let text: string
  try {
    text = await readFile(join(directory, 'package.json'), 'utf8')
  } catch {
    throw new CommandError([`No package.json in ${directory}. Run this command in the directory of your project.`], {
      code: 'no_project',
    })
  }
  try {
    return toRecord(JSON.parse(text.replace(/^\uFEFF/, '')))
  } catch (error) {
    throw new CommandError([`package.json is not valid JSON: ${getErrorMessage(error)}`], { code: 'no_project' })
  }
}

const toStrings = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(toRecord(value)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )

function getInstallCommand(files: readonly string[]): string {
  if (files.includes('pnpm-lock.yaml')) return 'pnpm add --save-dev'
  if (files.includes('yarn.lock')) return 'yarn add --dev'
  if (files.includes('bun.lock') || files.includes('bun.lockb')) return 'bun add --dev'
  return 'npm install --save-dev'
}
