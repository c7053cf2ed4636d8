import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { CommandError } from '../../context.ts'

/** What is known of the project from its folder. */
export interface Project {
  readonly folder: string
  readonly files: readonly string[]
  readonly dependencies: readonly string[]
  /** Those of package.json, by name. */
  readonly scripts: Readonly<Record<string, string>>
  /** The fields of package.json. */
  readonly manifestFields: readonly string[]
  readonly installCommand: string
  readonly ciSystems: readonly CiSystem[]
}

export type CiSystem = 'github' | 'gitlab'

/** @throws {CommandError} where there is no package.json, or none that can be read */
export async function readProject(folder: string): Promise<Project> {
  const manifest = await readManifest(folder)
  const files = await readdir(folder)
  const getKeys = (field: string) => Object.keys(toRecord(manifest[field]))
  return {
    folder,
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

async function readManifest(folder: string): Promise<Readonly<Record<string, unknown>>> {
  let text: string
  try {
    text = await readFile(join(folder, 'package.json'), 'utf8')
  } catch {
    throw new CommandError([`There is no package.json in ${folder}. Run this in the folder of your project.`], {
      code: 'no_project',
    })
  }
  try {
    return toRecord(JSON.parse(text.replace(/^\uFEFF/, '')))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new CommandError([`package.json cannot be read: ${why}`], { code: 'no_project' })
  }
}

const toRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

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
