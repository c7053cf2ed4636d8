import type { ResultsEvent, RunEvent } from '@caseward/contract/events'
import { expectCorrectCounters } from '@caseward/test-support/counters'
import { type EventStreamClient, openEventStream } from '@caseward/test-support/event-stream'
import { permute } from '@caseward/test-support/permute'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeTest, makeTestsScenario } from '@caseward/test-support/tests-scenario'
import { waitUntil } from '@caseward/test-support/wait-until'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

/** How many sets of uploads are sent, each in every order and in parallel. */
const ROUNDS = Number(process.env['UPLOAD_ORDERS'] ?? 6)

const server = useSharedServer()

/** A leg of a matrix, which gets another runner in each build attempt. */
const leg = (label: string, buildAttempt = 1) => ({
  job: 'test',
  instance: `runner of ${label} ${buildAttempt}`,
  label,
  build_attempt: buildAttempt,
})

/** Where an upload ran. Without a job, and with the same one as another upload, it is the same source again. */
const source = fc.oneof(
  fc.constant({}),
  fc.record({ job: fc.constantFrom('unit', 'browser'), shard: fc.constantFrom('1', '2') }, { requiredKeys: ['job'] }),
  fc
    .record({ label: fc.constantFrom('linux', 'windows'), build_attempt: fc.constantFrom(1, 2) })
    .map(({ label, build_attempt }) => leg(label, build_attempt)),
)
const status = fc.constantFrom('passed', 'failed', 'passed', 'skipped', 'blocked', 'interrupted')
const attempts = fc.array(status, { minLength: 1, maxLength: 2 })

const upload = fc.record({
  source,
  statusesByName: fc.dictionary(fc.constantFrom('WEB-1 pays', 'WEB-1 pays later', 'WEB-2 ships', 'refunds'), attempts, {
    maxKeys: 3,
  }),
  errors: fc.subarray(['src/cart.test.ts', 'global setup', 'src/setup.ts'], { maxLength: 1 }),
})
type Upload = typeof upload extends fc.Arbitrary<infer T> ? T : never

/** What a page shows that was open during the uploads: the last rows and counters of its events. */
function readEvents({ events }: EventStreamClient) {
  let stats: unknown
  let isComplete = true
  const statuses = new Map<string, string>()
  for (const { name, data } of events) {
    if (name === 'run') stats = (data as unknown as RunEvent).stats
    if (name !== 'results') continue
    const { more, results } = data as unknown as ResultsEvent
    // The page reads its rows again then.
    if (more) {
      statuses.clear()
      isComplete = false
    }
    for (const { test_case_id: id, status: outcome } of results) statuses.set(String(id), outcome)
  }
  return { stats, statuses, isComplete }
}

it('uploads of several sources leave the same tests, results, errors, counters and events in every order, in parallel and sent again', async () => {
  const { makeRunByKey, uploadTests, listRunTests, getRunTest, getRun, project, token } = await makeTestsScenario(
    server,
    2,
  )
  let runCount = 0
  const streams = new Map<string, EventStreamClient>()
  const startRun = async () => {
    const { id } = await makeRunByKey(`round ${(runCount += 1)}`)
    streams.set(id, await openEventStream(server.url, `/v1/runs/${id}/events`, { token: project.admin.token }))
    return id
  }
  const send = async (runId: string, uploads: readonly Upload[], index: number) => {
    const { source: fields = {}, statusesByName = {}, errors = [] } = uploads[index] ?? {}
    const tests = Object.entries(statusesByName).map(([name, statuses]) => makeTest(name, statuses))
    const { status: code } = await uploadTests(tests, {
      run_id: runId,
      finished_at: `2026-11-21T10:0${index}:00Z`,
      suite_errors: errors.map((where) => ({ where, message: 'does not load' })),
      ...fields,
    })
    expect(code).toBeLessThan(300)
  }
  const list = async (path: string) =>
    (await server.request<{ data: Record<string, unknown>[] }>('GET', path, { token })).body.data
  const read = async (runId: string) => {
    const { data } = await listRunTests('', runId)
    const details = await Promise.all(data.map(({ id }) => getRunTest(id, runId)))
    // Sources are numbered in the order of the uploads.
    const tests = details.map(({ parts, ...test }) => ({
      ...test,
      parts: parts.map(({ source: _number, ...part }) => part),
    }))
    const results = await list(`/v1/runs/${runId}/results`)
    const errors = await list(`/v1/runs/${runId}/suite-errors`)
    const { stats, test_stats: testStats, suite_error_count: errorCount } = await getRun(runId)
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
    return {
      tests: tests.toSorted(byName),
      // Test cases join the run in the order of the uploads.
      results: results
        .map(({ test_case_id: id, status: outcome, note, elapsed, tested_at: testedAt }) =>
          JSON.stringify([id, outcome, note, elapsed, testedAt]),
        )
        .toSorted(),
      errors: errors.map(({ where, message, shard }) => JSON.stringify([where, message, shard])).toSorted(),
      counts: { stats, testStats, errorCount },
    }
  }
  const hasCurrentEvents = async (runId: string, stream: EventStreamClient) => {
    const { stats } = await getRun(runId)
    const shown = readEvents(stream)
    const tested = (await list(`/v1/runs/${runId}/results`)).filter((row) => row['status'] !== 'not_tested')
    // A run without a change sends nothing.
    const isCurrent = tested.length === 0 || JSON.stringify(shown.stats) === JSON.stringify(stats)
    const statusOf = (id: unknown) => shown.statuses.get(String(id))
    return (
      isCurrent &&
      tested.every(
        (row) => (statusOf(row['test_case_id']) ?? (shown.isComplete ? '' : row['status'])) === row['status'],
      )
    )
  }
  const property = fc.asyncProperty(fc.array(upload, { minLength: 2, maxLength: 3 }), async (uploads) => {
    const indexes = [...uploads.keys()]
    const parallel = await startRun()
    await Promise.all(indexes.map((index) => send(parallel, uploads, index)))
    const expected = await read(parallel)
    for (const order of permute(indexes)) {
      const runId = await startRun()
      for (const index of order) await send(runId, uploads, index)
      expect({ order, ...(await read(runId)) }).toEqual({ order, ...expected })
    }
    // A replay of the spool sends again what was stored.
    for (const index of indexes.toReversed()) await send(parallel, uploads, index)
    expect(await read(parallel)).toEqual(expected)
    for (const [runId, stream] of streams) {
      await waitUntil(() => hasCurrentEvents(runId, stream), 'the events end with the results and counters of the run')
      stream.close()
    }
    streams.clear()
  })
  await fc.assert(property, { numRuns: ROUNDS })
  await expectCorrectCounters(server, project.id)
})

describe('the attempts of a test', () => {
  it('go on with a later build attempt of its shard, and never with one of another shard', async () => {
    const { uploadTests, listRunTests, getRunTest } = await makeTestsScenario(server)
    const send = (outcome: 'passed' | 'failed', fields: object) => uploadTests([makeTest('pays', [outcome])], fields)
    const read = async () => {
      const [test] = (await listRunTests()).data
      const detail = await getRunTest(test?.id ?? '')
      return [detail.is_flaky, detail.outcome, ...detail.attempts.map((attempt) => attempt.status)]
    }
    const [first, second] = [
      { ...leg('linux'), shard: '1/2' },
      { ...leg('linux', 2), shard: '1/2' },
    ]
    // Another shard, also on the runner that the shard had before.
    const others = [second, { ...second, instance: first.instance }].map((place) => ({ ...place, shard: '2/2' }))
    await send('failed', first)
    for (const other of others) await send('passed', other)
    expect(await read()).toEqual([false, 'failed', 'failed'])
    await send('passed', second)
    expect(await read()).toEqual([true, 'passed', 'failed', 'passed'])
  })
})

describe('errors outside of tests', () => {
  const error = (where: string) => ({ suite_errors: [{ where, message: 'does not load' }] })
  const none = { suite_errors: [] }
  const inFile = (file: string, name: string) => makeTest(name, ['passed'], { file })
  const suite = [inFile('a.test.ts', 'adds'), inFile('b.test.ts', 'bills')]

  it.each([
    ['the same suite is started again without them', 'global setup', suite, suite, leg('linux'), 0],
    ['their file is run again', 'c.test.ts', suite, [inFile('c.test.ts', 'counts')], leg('linux'), 0],
    ['their block is run again', 'a.test.ts > cart', suite, suite.slice(0, 1), leg('linux'), 0],
    ['another suite of the same job has none', 'c.test.ts', suite, [inFile('z.test.ts', 'zips')], leg('linux'), 1],
    ['a part of the suite is started again', 'global setup', suite, suite.slice(1), leg('linux'), 1],
    ['only other files are started again', 'a.test.ts', suite, suite.slice(1), leg('linux'), 1],
    ['nothing had run, and any suite of the job has none', 'global setup', [], suite, leg('linux'), 1],
    ['nothing is run later', 'global setup', suite, [], leg('linux'), 1],
    ['the same place runs again in a later build attempt', 'a.test.ts', [], [], leg('linux', 2), 0],
    ['all tests run again in a later build attempt', 'global setup', suite, suite, leg('linux', 2), 0],
    ['their file runs again in a later build attempt', 'a.test.ts', suite, suite.slice(0, 1), leg('linux', 2), 0],
    ['a later build attempt runs only a part again', 'global setup', suite, suite.slice(1), leg('linux', 2), 1],
    ['another leg of the matrix has none', 'a.test.ts', suite, suite, leg('windows'), 1],
    ['another leg runs again in a later build attempt', 'a.test.ts', suite, suite, leg('windows', 2), 1],
    ['another job has none', 'a.test.ts', suite, suite, { job: 'lint' }, 1],
    ['an unknown source has none', 'a.test.ts', suite, suite, {}, 1],
  ])('are counted when %s', async (_what, where, firstTests, laterTests, later, count) => {
    const { uploadTests, makeRunByKey, getRun } = await makeTestsScenario(server)
    const first = { ...leg('linux'), ...error(where), finished_at: '2026-11-21T10:00:00Z' }
    const second = { ...later, ...none, finished_at: '2026-11-21T10:01:00Z' }
    const legs = { ...leg('windows'), ...none, finished_at: '2026-11-21T09:00:00Z' }
    const uploads = { legs: [[], legs], first: [firstTests, first], second: [laterTests, second] } as const
    const orders = [
      ['legs', 'first', 'second'],
      ['second', 'legs', 'first'],
    ] as const
    for (const [round, order] of orders.entries()) {
      const run = await makeRunByKey(`round ${round}`)
      for (const name of order) {
        const [tests, fields] = uploads[name]
        await uploadTests([...tests], { run_id: run.id, ...fields })
      }
      expect([order, (await getRun(run.id)).suite_error_count]).toEqual([order, count])
    }
  })

  it.each([
    ['the tests that came with it passed again, and others of the job had run before', leg('linux'), suite, 0],
    ['another suite of the job passed, and others of the job had run before', leg('linux'), suite.slice(1), 1],
    ['an unknown source had failed before its tests, and others of it had run before', {}, [], 0],
  ])('are counted the same in every order of uploads when %s', async (_what, from, tests, count) => {
    const { uploadTests, makeRunByKey, getRun } = await makeTestsScenario(server)
    const later = tests.length === 1 ? [inFile('c.test.ts', 'counts')] : suite
    const uploads = [
      [[inFile('z.test.ts', 'zips')], none],
      [tests, error('global setup')],
      [later, none],
    ] as const
    for (const order of permute([0, 1, 2])) {
      const { id } = await makeRunByKey(`round ${order.join(' ')}`)
      for (const index of order) {
        const [ofUpload, errors] = uploads[index] ?? [[], none]
        const fields = { ...from, ...errors, run_id: id, finished_at: `2026-11-21T10:0${index}:00Z` }
        await uploadTests([...ofUpload], fields)
      }
      expect([order, (await getRun(id)).suite_error_count]).toEqual([order, count])
    }
  })

  it('are as new as the newest report of them', async () => {
    const { uploadTests, getRun } = await makeTestsScenario(server)
    for (const minute of ['00', '01', '02']) {
      const fields = { ...leg('linux'), ...error('a.test.ts'), finished_at: `2026-11-21T10:${minute}:00Z` }
      await uploadTests(suite, fields)
      expect((await getRun()).suite_error_count).toBe(1)
    }
  })

  it('of an unknown source that had failed before its tests are replaced by its next suite', async () => {
    const { uploadTests, getRun } = await makeTestsScenario(server)
    await uploadTests([], error('global setup'))
    await uploadTests(suite, none)
    expect((await getRun()).suite_error_count).toBe(0)
  })
})
