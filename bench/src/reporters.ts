import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { median } from './measure.ts'
import type { SeededProject } from './seed.ts'
import type { Server } from './servers.ts'
import { ciToken } from './uploads.ts'

/** What a reporter costs a suite. */
export interface ReporterCosts {
  /** Loading it. */
  startMs: number
  /** Telling it of one test. */
  perTestMs: number
  /** From the end of the last test until all of the suite is stored. */
  storedMs: number
}

const suite = fileURLToPath(new URL('suite.js', import.meta.url))

/** Medians over suites of as many tests, each a process of its own. */
export async function observeReporters(
  server: Server,
  seeded: SeededProject,
  tests: number,
  rounds: number,
): Promise<ReporterCosts> {
  const env = {
    ...process.env,
    SERVICE_URL: server.url,
    SERVICE_TOKEN: await ciToken(server, seeded),
    SERVICE_RUN_ID: seeded.runId,
    SERVICE_STRICT: '1',
  }
  const costs: ReporterCosts[] = []
  for (let round = 0; round < rounds; round += 1) {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [suite, String(tests)], { env })
    const cost = JSON.parse(stdout) as ReporterCosts & { failsSuite: boolean }
    if (cost.failsSuite) throw new Error(stderr)
    costs.push(cost)
  }
  const of = (name: keyof ReporterCosts) => median(costs.map((cost) => cost[name]))
  return { startMs: of('startMs'), perTestMs: of('perTestMs'), storedMs: of('storedMs') }
}
