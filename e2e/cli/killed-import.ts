import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { makeProject } from '@caseward/test-support/factories'
import { startFakeTestrail, TESTRAIL_KEY, TESTRAIL_USER } from '@caseward/test-support/fake-tools/testrail'
import type { TestServer } from '@caseward/test-support/test-server'
import { onTestFinished } from 'vitest'

import { runInProcess } from './run-in-process.ts'
import type { ToolCase } from './tool-cases.ts'

const caseward = fileURLToPath(new URL('../../packages/cli/bin/caseward.js', import.meta.url))

/** Decides at each request whether the command is killed there. */
export type Moment = (request: string, total: number) => boolean

export interface KilledImport {
  /** How each command ended. */
  readonly signals: readonly (NodeJS.Signals | null)[]
  /** The requests of all commands. */
  readonly requests: readonly string[]
  /** The requests of a command that was not killed. */
  readonly wholeRequests: readonly string[]
  /** The bundle of the last command. */
  readonly bundle: Buffer
  /** The bundle of the command that was not killed. */
  readonly wholeBundle: Buffer
}

/** A tool that is read. */
export type KilledTool = Pick<ToolCase, 'system' | 'start' | 'project' | 'options' | 'secrets'>

export const TESTRAIL: KilledTool = {
  system: 'testrail',
  start: startFakeTestrail,
  project: '3',
  options: ['--user', TESTRAIL_USER],
  secrets: { TESTRAIL_API_KEY: TESTRAIL_KEY },
}

/** A session of its own is not part of what is read. */
const isReading = (request: string): boolean => !request.includes('/authenticate ')

/**
 * Reads a tool with a command that is killed at these moments, one after another, and started again each time.
 * @param getMoments gets how many requests reading all of it takes
 */
export async function importWithKills(
  server: TestServer,
  { system, start, project: toolProject = 'SHOP', options = [], secrets }: KilledTool,
  getMoments: (count: number) => readonly Moment[],
): Promise<KilledImport> {
  const cwd = await mkdtemp(join(tmpdir(), 'caseward-killed-'))
  onTestFinished(() => rm(cwd, { recursive: true }))
  const tool = await start()
  onTestFinished(() => tool.close())
  const project = await makeProject(server)
  const env = {
    SERVICE_URL: server.url,
    SERVICE_TOKEN: project.admin.token,
    SERVICE_PROJECT_ID: project.id,
    ...secrets,
  }
  const getArgs = (out: string) => {
    const source = ['--url', tool.url, '--project', toolProject, ...options]
    return ['import', system, ...source, '--out', out, '--dry-run']
  }
  const getRequest = (index: number) => `${tool.requests.at(index)} ${tool.bodies.at(index)}`
  const finish = async (out: string) => {
    const { exitCode, stderr } = await runInProcess(getArgs(out), { cwd, env })
    if (exitCode !== 0) throw new Error(stderr)
    const requests = tool.requests.map((_, index) => getRequest(index)).filter(isReading)
    return { bundle: await readFile(join(cwd, out, `${system}-${toolProject}.caseward.zip`)), requests }
  }
  const whole = await finish('whole')
  tool.requests.length = 0
  tool.bodies.length = 0
  const signals: (NodeJS.Signals | null)[] = []
  for (const isMoment of getMoments(whole.requests.length)) {
    const child = spawn(process.execPath, [caseward, ...getArgs('killed')], {
      cwd,
      env: { PATH: process.env['PATH'], ...env },
      stdio: 'ignore',
    })
    tool.onRequest = (total) => {
      if (isMoment(getRequest(-1), total)) child.kill('SIGKILL')
    }
    signals.push(await new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal))))
    tool.onRequest = null
  }
  const { bundle, requests } = await finish('killed')
  return { signals, requests, wholeRequests: whole.requests, bundle, wholeBundle: whole.bundle }
}

/** Lists the requests that were sent more than once. */
export const listRepeated = (requests: readonly string[]): string[] =>
  requests.filter((request, index) => requests.indexOf(request) !== index)
