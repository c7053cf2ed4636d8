import { type ChildProcess, spawn } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { inject } from 'vitest'

/** What came of a command. */
export interface Ended {
  /** Null when a signal ended it. */
  exitCode: number | null
  stdout: string
  stderr: string
}

export interface Running {
  child: ChildProcess
  /** Resolves when the output holds this text; rejects when it ends without. */
  prints(text: string): Promise<void>
  ended: Promise<Ended>
}

type Environment = Record<string, string | undefined>

/** A project such as a user has: a framework, a suite, and our packages installed from their tarballs. */
export interface FreshProject {
  folder: string
  /** Starts a command of the project, such as `jest`. It inherits nothing of a CI system that may run these tests. */
  start(command: string, args?: readonly string[], env?: Environment): Running
  /** The same, to its end. */
  run(command: string, args?: readonly string[], env?: Environment): Promise<Ended>
  remove(): Promise<void>
}

const fixtures = fileURLToPath(new URL('fixtures/', import.meta.url))

/**
 * @param manifest the folder of `fixtures/` with the package.json and package-lock.json of a framework's version
 * @param suite the folder of `fixtures/` with the tests and their configuration
 * @param packages ours, such as `@casebook/jest`; those which they need come with them
 */
export async function freshProject(
  manifest: string,
  suite: string,
  packages: readonly string[],
): Promise<FreshProject> {
  const folder = await mkdtemp(join(tmpdir(), `casebook-${manifest}-`))
  await cp(join(fixtures, suite), folder, { recursive: true })
  await cp(join(fixtures, manifest), folder, { recursive: true })
  const project: FreshProject = {
    folder,
    start: (command, args = [], env = {}) => start(folder, command, args, env),
    run: (command, args = [], env = {}) => start(folder, command, args, env).ended,
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  }
  const install = async (...args: string[]) => {
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
    const { exitCode, stdout, stderr } = await project.run('npm', [...args, ...quiet])
    if (exitCode !== 0) throw new Error(`npm ${args[0]} failed:\n${stdout}${stderr}`)
  }
  const tarballs = inject('tarballs')
  const wanted = ['@casebook/client', '@casebook/matching', '@casebook/reporter-core', ...packages]
  await install('ci')
  await install('install', '--no-save', ...wanted.map((name) => tarballs[name] ?? name))
  return project
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
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject).once('close', (exitCode) => resolve({ exitCode, ...output }))
  })
  const prints = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (!`${output.stdout}${output.stderr}`.includes(text)) return
        watchers.delete(look)
        resolve()
      }
      watchers.add(look)
      look()
      const giveUp = () => reject(new Error(`It ended without “${text}”:\n${output.stdout}${output.stderr}`))
      ended.then(giveUp, reject)
    })
  return { child, prints, ended }
}
