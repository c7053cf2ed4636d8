import { setTimeout as sleep } from 'node:timers/promises'

import type { Connection } from '@caseward/embedded-postgres'
import { readFailure } from '@caseward/failures/read-failure'
import type pg from 'pg'

import { boundFigure, type Figure, rateFigure, timeFigure } from './figures.ts'
import { compareThroughput, measureInterleaved, median } from './measure.ts'
import { withoutJobs } from './postponed-jobs.ts'
import { vacuumAnalyze } from './seed.ts'
import { type Server, startCasewardWithout, TOKEN } from './servers.ts'
import { createCiToken, upload } from './uploads.ts'

const TESTS = 10_000
const BASE_RUNS = 10
const ROUNDS = 5
const SIGNATURES = 5000
const DETAILS_LENGTH = 4096
const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }

interface InsightBench {
  connection: Connection
  client: pg.Client
  caseward: Server
}

/** What failures mean: how soon it is known after an upload, and what reading it costs. */
export async function measureInsight({ connection, client, caseward }: InsightBench): Promise<Figure[]> {
  const project = await createBuilds(client, caseward, 'INS')
  for (let build = 0; build < BASE_RUNS; build += 1) await project.build('main', 100, build)
  const few: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) few.push(await project.timeEvaluation(100, round))
  const all = await project.timeEvaluation(TESTS, ROUNDS)
  const stale: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) stale.push(await project.timeStaleRead(100, round))
  const runId = await project.build('main', 100, BASE_RUNS)
  const read = await project.read(runId)
  const rates = await compareThroughput(
    { url: `${caseward.url}/v1/runs/${read}/evaluation`, headers },
    { url: `${caseward.url}/v1/runs/${read}`, headers },
  )
  const uploads = await compareUploadsWithout(connection, client, caseward)
  return [
    timeFigure(
      '14. Upload of 10,000 known tests, 100 failed; reference: the same service, which evaluates nothing',
      uploads.evaluated,
      uploads.plain,
      1.05,
    ),
    timeFigure(
      '14. The same as second build attempt; reference: the same service, which evaluates nothing',
      uploads.evaluatedAgain,
      uploads.plainAgain,
      1.1,
    ),
    boundFigure('14. From an upload of 10,000 tests, 100 failed, to its evaluation', median(few), 3000, 'ms'),
    boundFigure('14. The same, all 10,000 failed', all, 8000, 'ms'),
    boundFigure('14. Processor time of the signatures of 5,000 failures of 4 KB', timeSignatures(), 1500, 'ms'),
    rateFigure('14. GET /v1/runs/:rid/evaluation; reference: GET /v1/runs/:rid', rates.measured, rates.reference, 0.8),
    boundFigure(
      '14. The same before it is evaluated, 100 of 10,000 tests failed, 10 base runs',
      median(stale),
      300,
      'ms',
    ),
  ]
}

/** Uploads take hundreds of milliseconds, of which few are compared: the median of few rounds is not as exact. */
const UPLOAD_ROUNDS = 15

/** Compares uploads, whose evaluations follow later, with those to the same service without evaluations. */
async function compareUploadsWithout(connection: Connection, client: pg.Client, caseward: Server) {
  const without = await startCasewardWithout('evaluation', connection)
  try {
    const prepare = async (server: Server, prefix: string) => {
      const project = await createBuilds(client, server, prefix)
      await project.build('main', 100, 0, { waits: false })
      const bodies: { first: string; second: string }[] = []
      for (let round = 0; round <= UPLOAD_ROUNDS; round += 1) {
        const runId = await project.createRun('main')
        const toBody = (attempt: number) =>
          toReport(runId, 100, round + attempt, { job: 'e2e', build_attempt: attempt })
        bodies.push({ first: toBody(1), second: toBody(2) })
      }
      const send = (bodiesInTurn: string[]) => () => upload(server, project.token, bodiesInTurn.shift() ?? '')
      return { first: send(bodies.map(({ first }) => first)), second: send(bodies.map(({ second }) => second)) }
    }
    return await withoutJobs(client, async () => {
      const [evaluated, plain] = [await prepare(caseward, 'EVA'), await prepare(without, 'PLAIN')]
      await vacuumAnalyze(client)
      // A build attempt is a longer upload, whose pages PostgreSQL still writes during the next one: each follows one of its own kind.
      const first = await measureInterleaved(UPLOAD_ROUNDS, { evaluated: evaluated.first, plain: plain.first })
      const second = await measureInterleaved(UPLOAD_ROUNDS, { evaluated: evaluated.second, plain: plain.second })
      return { ...first, evaluatedAgain: second.evaluated, plainAgain: second.plain }
    })
  } finally {
    await without.close()
  }
}

/** Builds of a project with 10,000 tests. */
async function createBuilds(client: pg.Client, caseward: Server, prefix: string) {
  const request = async <T>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<T> => {
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(`${caseward.url}${path}`, init)
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
  const { data: project } = await request<{ data: { id: string } }>('POST', '/v1/projects', {
    name: 'Insight',
    prefix,
  })
  const token = await createCiToken(caseward, { projectId: project.id })
  let count = 0

  async function createRun(branch: string): Promise<string> {
    count += 1
    const key = `build ${count}`
    const metadata = { branch, base_branch: 'main', default_branch: 'main', commit: String(count).padStart(8, 'a') }
    const { data: run } = await request<{ data: { id: string } }>('POST', `/v1/projects/${project.id}/runs`, {
      name: key,
      run_key: key,
      metadata,
    })
    return run.id
  }
  /** Reports a build of which so many tests fail. */
  async function report(branch: string, failedCount: number, round: number): Promise<string> {
    const runId = await createRun(branch)
    await upload(caseward, token, toReport(runId, failedCount, round))
    return runId
  }
  async function isEvaluated(runId: string): Promise<boolean> {
    const { rows } = await client.query<{ is_evaluated: boolean }>(
      'select evaluated_upload_count >= upload_count as is_evaluated from runs where id = $1',
      [runId],
    )
    return rows[0]?.is_evaluated === true
  }
  async function waitUntilEvaluated(runId: string): Promise<void> {
    while (!(await isEvaluated(runId))) await sleep(20)
  }
  return {
    token,
    createRun,
    /** @param waits whether for the evaluation */
    async build(branch: string, failedCount: number, round: number, { waits = true } = {}): Promise<string> {
      const runId = await report(branch, failedCount, round)
      await request('PATCH', `/v1/runs/${runId}`, { status: 'completed' })
      if (waits) await waitUntilEvaluated(runId)
      return runId
    },
    /** The time from the response of an upload until a job has evaluated it. */
    async timeEvaluation(failedCount: number, round: number): Promise<number> {
      const runId = await report('change', failedCount, round)
      const start = performance.now()
      await waitUntilEvaluated(runId)
      return performance.now() - start
    },
    /** The time of the request that finds a run that is not evaluated, and evaluates it. */
    async timeStaleRead(failedCount: number, round: number): Promise<number> {
      const runId = await report('change', failedCount, round)
      const start = performance.now()
      await request('GET', `/v1/runs/${runId}/evaluation`)
      return performance.now() - start
    },
    async read(runId: string): Promise<string> {
      await request('GET', `/v1/runs/${runId}/evaluation`)
      return runId
    },
  }
}

const toReport = (runId: string, failedCount: number, round: number, source: object = {}): string =>
  JSON.stringify({
    run_id: runId,
    format: 'tests',
    ...source,
    tests: Array.from({ length: TESTS }, (_, index) => {
      const name = `Shop ${index % 50} > pays for item ${index}`
      const isFailed = (index + round) % (TESTS / failedCount) === 0
      const failure = { message: `TypeError: item ${index % 40} of the basket has no price`, details: toStack(index) }
      const suite = `src/shop-${index % 200}.test.ts`
      return {
        suite,
        file: suite,
        name,
        attempts: [{ status: isFailed ? 'failed' : 'passed', elapsed_ms: 12, ...(isFailed && failure) }],
      }
    }),
  })

const toStack = (index: number): string =>
  Array.from({ length: 8 }, (_, line) => `    at step${line} (src/area-${index % 300}/basket.ts:${line + 1}:7)`).join(
    '\n',
  )

/** The processor time in milliseconds of finding what identifies failures that all differ. */
function timeSignatures(): number {
  const failures = Array.from({ length: SIGNATURES }, (_, index) => {
    const details = `${toStack(index)}\n${'    at node:internal/process/task_queues:95:5\n'.repeat(90)}`
    return {
      message: `TypeError: item ${'x'.repeat(index % 300)} of basket ${index} has no price`,
      details: details.slice(0, DETAILS_LENGTH),
    }
  })
  const before = process.cpuUsage()
  for (const [index, failure] of failures.entries()) {
    readFailure(failure, { name: `pays for item ${index}`, suite: 'src/shop.test.ts', file: 'src/shop.test.ts' })
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
