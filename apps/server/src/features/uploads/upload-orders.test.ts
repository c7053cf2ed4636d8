import { expectCorrectCounters } from '@caseward/test-support/counters'
import { permute } from '@caseward/test-support/permute'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeTest, makeTestsScenario } from '@caseward/test-support/tests-scenario'
import fc from 'fast-check'
import { expect, it } from 'vitest'

/** How many sets of uploads are sent, each in every order and in parallel. */
const ROUNDS = Number(process.env['UPLOAD_ORDERS'] ?? 6)

const server = useTestServer()

/** Where an upload ran. Without a job, and with the same one as another upload, it is the same source again. */
const source = fc.oneof(
  fc.constant({}),
  fc.record({ job: fc.constantFrom('unit', 'browser'), shard: fc.constantFrom('1', '2') }, { requiredKeys: ['job'] }),
  fc
    .record({ label: fc.constantFrom('linux', 'windows'), build_attempt: fc.constantFrom(1, 2) })
    .map(({ label, build_attempt }) => ({ job: 'test', instance: `${label} ${build_attempt}`, label, build_attempt })),
)
const status = fc.constantFrom('passed', 'failed', 'passed', 'skipped', 'blocked', 'interrupted')
const attempts = fc.array(status, { minLength: 1, maxLength: 2 })

const upload = fc
  .record({
    source,
    statusesByName: fc.dictionary(fc.constantFrom('WEB-1 pays', 'refunds', 'WEB-2 ships'), attempts, { maxKeys: 3 }),
    errors: fc.subarray(['src/cart.test.ts', 'global setup', 'src/setup.ts'], { maxLength: 1 }),
  })
  // Of an unknown source, a newer report replaces errors, whatever else it has sent until then.
  .map((fields) => ('job' in fields.source ? fields : { ...fields, errors: [] }))
type Upload = typeof upload extends fc.Arbitrary<infer T> ? T : never

it('uploads of several sources leave the same tests, results, errors and counters in every order and in parallel', async () => {
  const { makeRunByKey, uploadTests, listRunTests, getRunTest, getRun, project, token } = await makeTestsScenario(
    server,
    2,
  )
  let runCount = 0
  const startRun = async () => (await makeRunByKey(`round ${(runCount += 1)}`)).id
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
    const tests = await Promise.all(data.map(({ id }) => getRunTest(id, runId)))
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
  })
  await fc.assert(property, { numRuns: ROUNDS })
  await expectCorrectCounters(server, project.id)
})
