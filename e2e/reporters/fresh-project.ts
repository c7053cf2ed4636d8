import { type ChildProcess, spawn } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { measureStep } from '@caseward/test-support/measured-steps'

import { copyInstallation, copyPackages, quietly } from './installations.ts'
import { getPackedPackages } from './packed-packages.ts'

/** The result of a command. */
export interface CommandResult {
  /** Null if a signal ended the command. */
  exitCode: number | null
  stdout: string
  stderr: string
}

export interface Running {
  child: ChildProcess
  /** Resolves when the output contains a text; rejects when the command ends without it. */
  prints(text: string): Promise<void>
  ended: Promise<CommandResult>
}

type Environment = Record<string, string | undefined>

/** A project like that of a user: a framework, a suite, and the packages of Caseward installed from their tarballs. */
export interface FreshProject {
  readonly folder: string
  /** Starts a command of the project, such as `jest`, without the environment of a CI system that runs these tests. */
  start(command: string, args?: readonly string[], env?: Environment): Running
  /** Runs a command to its end. */
  run(command: string, args?: readonly string[], env?: Environment): Promise<CommandResult>
  /** Returns the text of all journals in the spool, including refused ones. */
  spooled(): Promise<string>
  /** Renames the directory. */
  move(): Promise<void>
  remove(): Promise<void>
}

/** Packages of Caseward that every reporter depends on. */
export const COMMON_PACKAGES = ['@caseward/client', '@caseward/ci-run', '@caseward/matching', '@caseward/reporter-core']

const fixtures = fileURLToPath(new URL('fixtures/', import.meta.url))

/**
 * @param manifest the directory of `fixtures/` with the package.json and package-lock.json of a framework's version
 * @param suite the directory of `fixtures/` with the tests and their configuration
 * @param packages packages of Caseward, such as `@caseward/jest`; their dependencies are installed with them
 * @param options.withNpm installs the packages as a user does; otherwise copies of what their tarballs contain, which is faster.
 * The command needs npm: it depends on packages of others, and without a link to it, the one of this repository would run
 */
export async function createFixtureProject(
  manifest: string,
  suite: string,
  packages: readonly string[],
  { withNpm = false } = {},
): Promise<FreshProject> {
  if (packages.includes('@caseward/cli') && !withNpm) throw new Error('@caseward/cli is only complete with npm.')
  let folder = await mkdtemp(join(tmpdir(), `caseward-${manifest}-`))
  await cp(join(fixtures, suite), folder, { recursive: true })
  await cp(join(fixtures, manifest), folder, { recursive: true })
  const project: FreshProject = {
    get folder() {
      return folder
    },
    start: (command, args = [], env = {}) => start(folder, command, args, env),
    run: (command, args = [], env = {}) => measureStep('framework', () => start(folder, command, args, env).ended),
    spooled: () => readSpool(join(folder, '.caseward/spool')),
    async move() {
      const target = `${folder}-moved`
      await rename(folder, target)
      folder = target
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  }
  const runOrThrow = async (command: string, ...args: string[]) => {
    const { exitCode, stdout, stderr } = await project.run(command, args)
    if (exitCode !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`)
  }
  const ofCommand = packages.includes('@caseward/cli') ? ['@caseward/case-files', '@caseward/junit'] : []
  const names = [...COMMON_PACKAGES, ...ofCommand, ...packages]
  await measureStep('install', () => copyInstallation(manifest, join(fixtures, manifest), folder))
  if (withNpm) {
    const { tarballs } = await getPackedPackages()
    await measureStep('install', () =>
      runOrThrow('npm', 'install', '--no-save', ...names.map((name) => tarballs[name] ?? name), ...quietly),
    )
    return project
  }
  await measureStep('install', () => copyPackages(names, folder))
  return project
}

async function readSpool(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const journals = entries.filter((entry) => entry.isFile())
  return (await Promise.all(journals.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')))).join('')
}

function start(cwd: string, command: string, args: readonly string[], env: Environment): Running {
  const path = [join(cwd, 'node_modules/.bin'), process.env['PATH']].join(':')
  const { HOME, npm_config_cache } = process.env
  const child = spawn(command, args, { cwd, env: { HOME, npm_config_cache, ...env, PATH: path }, stdio: 'pipe' })
  const output = { stdout: '', stderr: '' }
  const watchers = new Set<() => void>()
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text
      for (const watcher of watchers) watcher()
    })
  }
  const ended = new Promise<CommandResult>((resolve, reject) => {
    child.once('error', reject).once('close', (exitCode) => resolve({ exitCode, ...output }))
  })
  const prints = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const checkOutput = () => {
        if (!`${output.stdout}${output.stderr}`.includes(text)) return
        watchers.delete(checkOutput)
        resolve()
      }
      watchers.add(checkOutput)
      checkOutput()
      const onEnd = () => reject(new Error(`The command ended without “${text}”:\n${output.stdout}${output.stderr}`))
      ended.then(onEnd, reject)
    })
  return { child, prints, ended }
}
