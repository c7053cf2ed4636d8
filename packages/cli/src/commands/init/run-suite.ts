import { spawn } from 'node:child_process'
import { access } from 'node:fs/promises'
import { join } from 'node:path'

import { pluralize } from '@caseward/ci-run/wording'
import { createRun, getRun, type Run } from '@caseward/client/endpoints'

import { CommandError } from '../../command-error.ts'
import { expectSuccess } from '../../connect.ts'
import type { Context } from '../../context.ts'
import type { ProjectConnection } from './connect-project.ts'
import type { Framework } from './frameworks.ts'
import type { Project } from './read-project.ts'

/** The first run: its address, and what was uploaded to it. */
export interface FirstRun {
  readonly run: Run
  readonly url: string
  /** The exit code of the suite; null if a signal ended it. */
  readonly suiteExitCode: number | null
}

interface SuiteOptions {
  readonly server: ProjectConnection
  readonly frameworks: readonly Framework[]
  readonly project: Project
  readonly install: string
  readonly createCases: boolean
}

/**
 * Installs the reporters that are missing, and runs the suite once; its results go to a new run.
 * @throws {CommandError} when the reporter cannot be installed, or the run cannot be created
 */
export async function runSuite(
  { server, frameworks, project, install, createCases }: SuiteOptions,
  context: Context,
): Promise<FirstRun> {
  const { connection, projectId } = server
  const start = (command: readonly string[], env = {}) => runCommand(command, project.directory, env, context)
  const isInstalled = await Promise.all(frameworks.map((framework) => hasPackage(framework.package, project)))
  if (isInstalled.includes(false) && (await start(install.split(' '))) !== 0) {
    throw new CommandError([`“${install}” failed. Install the reporter, then run caseward init --run.`], {
      code: 'install',
    })
  }
  const now = new Date().toISOString()
  const body = { name: `First run, ${now.slice(0, 16).replace('T', ' ')} UTC`, run_key: `init-${now}` }
  const reply = await connection.client.call(createRun, { params: { project_id: projectId }, body })
  const { id } = expectSuccess(reply, connection, {}).data.data
  const env = {
    SERVICE_URL: connection.settings.url.value,
    SERVICE_TOKEN: connection.settings.token.value,
    SERVICE_RUN_ID: id,
    ...(createCases ? { SERVICE_CREATE_CASES: '1' } : {}),
  }
  let suiteExitCode: number | null = 0
  for (const framework of frameworks) suiteExitCode = (await start(framework.getCommand(project), env)) || suiteExitCode
  const stored = await connection.client.call(getRun, { params: { run_id: id } })
  const run = expectSuccess(stored, connection, {}).data.data
  return { run, url: `${connection.settings.url.value}/runs/${id}`, suiteExitCode }
}

/** Formats the counts of the run and, as the last line, its address. */
export function formatFirstRun({ run, url }: FirstRun): string[] {
  const { stats, result_count: resultCount, test_stats: tests } = run
  const counts = `${pluralize(resultCount, 'test case')}, ${stats.passed} passed, ${stats.failed} failed`
  const unmatched = tests.unmatched > 0 ? [`${pluralize(tests.unmatched, 'test')} matched no test case.`] : []
  return ['', `The first run contains ${counts}.`, ...unmatched, url]
}

async function hasPackage(name: string, { directory }: Project): Promise<boolean> {
  return await access(join(directory, 'node_modules', name)).then(
    () => true,
    () => false,
  )
}

/** Runs a command with its output on standard error, so that standard output contains only the report. */
async function runCommand(
  [command = '', ...args]: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  { runtime, terminal }: Context,
): Promise<number | null> {
  terminal.warn(['', `$ ${[command, ...args].join(' ')}`])
  // On Windows, npm and npx are scripts, which only a shell can start.
  const child = spawn(command, args, {
    cwd,
    env: { ...runtime.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => runtime.stderr.write(text))
  }
  return await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
}
