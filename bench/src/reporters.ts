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
type SuiteCosts = Omit<ReporterCosts, keyof StartCosts>

const suite = fileURLToPath(new URL('suite.js', import.meta.url))
const start = fileURLToPath(new URL('reporter-start.js', import.meta.url))

/** Medians of several suites of this many tests, each in its own process. */
export async function observeReporters(
  server: Server,
  seeded: SeededProject,
  tests: number,
  rounds: number,
): Promise<ReporterCosts> {
  const env = {
    ...process.env,
    SERVICE_URL: server.url,
    SERVICE_TOKEN: await createCiToken(server, seeded),
    SERVICE_RUN_ID: seeded.runId,
    SERVICE_STRICT: '1',
  }
  const costs: ReporterCosts[] = []
  for (let round = 0; round < rounds; round += 1) {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [suite, String(tests)], { env })
    const { failsSuite, ...cost } = JSON.parse(stdout) as SuiteCosts & { failsSuite: boolean }
    if (failsSuite) throw new Error(stderr)
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
