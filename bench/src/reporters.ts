import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { median } from './measure.ts'
import type { SeededProject } from './seed.ts'
import type { Server } from './servers.ts'
import { createCiToken } from './uploads.ts'

/** Time that a reporter adds to a suite, in milliseconds. */
export interface ReporterCosts {
  /** Loading the reporter. */
  startMs: number
  /** Loading the reporter after the module, of the processor. */
  startCpuMs: number
  /** Recording one test. */
  perTestMs: number
  /** Recording all tests, of the processor. */
  recordingCpuMs: number
  /** From the end of the last test until the whole suite is stored. */
  storedMs: number
  /** Loading a module of Node.js that suites often load, of the processor: the reference. */
  moduleCpuMs: number
}

type StartCosts = Pick<ReporterCosts, 'moduleCpuMs' | 'startCpuMs'>
type SuiteCosts = Omit<ReporterCosts, keyof StartCosts> & {
  /** All after loading the reporter, of the processor. */
  ownCpuMs: number
  failsSuite: boolean
}

const suite = fileURLToPath(new URL('suite.js', import.meta.url))
const start = fileURLToPath(new URL('reporter-start.js', import.meta.url))

/** Medians of several suites of this many tests, each in its own process. */
export async function observeReporters(
  server: Server,
  seeded: SeededProject,
  tests: number,
  rounds: number,
): Promise<ReporterCosts> {
  const env = await createEnvironment(server, seeded)
  const costs: ReporterCosts[] = []
  for (let round = 0; round < rounds; round += 1) {
    const cost = await runSuite(env, [tests])
    const { stdout: loading } = await promisify(execFile)(process.execPath, [start], { env })
    costs.push({ ...cost, ...(JSON.parse(loading) as StartCosts) })
  }
  const getMedian = (name: keyof ReporterCosts) => median(costs.map((cost) => cost[name]))
  return {
    startMs: getMedian('startMs'),
    startCpuMs: getMedian('startCpuMs'),
    perTestMs: getMedian('perTestMs'),
    recordingCpuMs: getMedian('recordingCpuMs'),
    storedMs: getMedian('storedMs'),
    moduleCpuMs: getMedian('moduleCpuMs'),
  }
}

const createEnvironment = async (server: Server, seeded: SeededProject) => ({
  ...process.env,
  SERVICE_URL: server.url,
  SERVICE_TOKEN: await createCiToken(server, seeded),
  SERVICE_RUN_ID: seeded.runId,
  SERVICE_STRICT: '1',
})

async function runSuite(env: NodeJS.ProcessEnv, args: readonly number[]): Promise<SuiteCosts> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [suite, ...args.map(String)], { env })
  const costs = JSON.parse(stdout) as SuiteCosts
  if (costs.failsSuite) throw new Error(stderr)
  return costs
}

const FILES = { tests: 1000, failedEach: 10, filesPerFailure: 3 } as const

/**
 * What 300 files of a suite of 1,000 tests with 100 failures cost the reporter until they are sent, in milliseconds: medians of
 * suites with and without them, by turns. No file is sent, because there is no time for it.
 */
export async function compareReportersWithFiles(server: Server, seeded: SeededProject, rounds: number) {
  const env = { ...(await createEnvironment(server, seeded)), SERVICE_ATTACHMENTS_TIMEOUT: '0' }
  const costs = { without: [] as SuiteCosts[], withFiles: [] as SuiteCosts[] }
  const { tests, failedEach, filesPerFailure } = FILES
  for (let round = 0; round < rounds; round += 1) {
    costs.without.push(await runSuite(env, [tests, failedEach]))
    costs.withFiles.push(await runSuite(env, [tests, failedEach, filesPerFailure]))
  }
  const getMs = ({ perTestMs, storedMs }: SuiteCosts) => perTestMs * tests + storedMs
  return {
    addedMs: median(costs.withFiles.map(getMs)) - median(costs.without.map(getMs)),
    addedCpuMs:
      median(costs.withFiles.map(({ ownCpuMs }) => ownCpuMs)) - median(costs.without.map(({ ownCpuMs }) => ownCpuMs)),
  }
}
