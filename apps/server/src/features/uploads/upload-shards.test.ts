import type { TestResult } from '@caseward/contract/results'
import { expectCorrectCounters } from '@caseward/test-support/counters'
import { getRunResults } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeTest, makeTestsScenario } from '@caseward/test-support/tests-scenario'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

const SHARDS = 20
const CASES = 30
const ROUNDS = 5
const STATUSES = ['passed', 'failed', 'skipped', 'blocked', 'interrupted'] as const

/** Numbers from 0 to 1 that are the same in each run of this test. */
function createRandom(seed: number) {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** The tests of each shard: every test case has tests in several shards, in several browsers, and some with retries. */
function makeShards(random: () => number) {
  const pick = () => STATUSES[Math.floor(random() * STATUSES.length)] ?? 'passed'
  return Array.from({ length: SHARDS }, (_, shard) =>
    Array.from({ length: 6 }, (_test, index) => {
      const number = Math.floor(random() * CASES) + 1
      const statuses = random() < 0.3 ? [pick(), pick()] : [pick()]
      return makeTest(`WEB-${number} in shard ${shard}, test ${index}`, statuses, { variant: `browser ${shard % 3}` })
    }),
  )
}

const shuffle = <T>(items: readonly T[], random: () => number): T[] =>
  items
    .map((item) => ({ item, order: random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item)

describe('20 shards that upload at the same time, in any order', () => {
  it('leave the same results every time, those of a single upload of everything', async () => {
    const { project, token, makeRunByKey, uploadTests } = await makeTestsScenario(server, CASES)
    const random = createRandom(7)
    const shards = makeShards(random)
    const readResults = async (runId: string) =>
      [...(await getRunResults(server, runId, token)).values()]
        .map(({ test_case_id, status, note, elapsed }: TestResult) => ({ test_case_id, status, note, elapsed }))
        .toSorted((a, b) => String(a.test_case_id).localeCompare(String(b.test_case_id)))
    const single = await makeRunByKey('single')
    await uploadTests(shards.flat(), { run_id: single.id, finished_at: '2026-11-21T10:00:00Z' })
    const expected = await readResults(single.id)
    expect(expected.length).toBeGreaterThan(CASES / 2)
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await makeRunByKey(`round ${round}`)
      const responses = await Promise.all(
        shuffle([...shards.keys()], random).map((shard) =>
          uploadTests(shards[shard] ?? [], {
            run_id: id,
            shard: `${shard}`,
            // The shards finish at different times, and are not uploaded in that order.
            finished_at: `2026-11-21T10:00:${String(shard).padStart(2, '0')}Z`,
          }),
        ),
      )
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
      expect(await readResults(id)).toEqual(expected)
    }
    await expectCorrectCounters(server, project.id)
  })

  it('do not undo a newer attempt of a shard that ran again', async () => {
    const { getRun, uploadTests } = await makeTestsScenario(server, 1)
    const upload = (status: (typeof STATUSES)[number], finished_at: string) =>
      uploadTests([makeTest('WEB-1 pays', [status])], { finished_at })
    await upload('passed', '2026-11-21T10:05:00Z')
    const { body } = await upload('failed', '2026-11-21T10:00:00Z')
    expect(body).toMatchObject({ uploaded_count: 0, errors: [{ test_case_id: 'WEB-1', code: 'newer_result' }] })
    expect((await getRun()).stats.passed).toBe(1)
  })

  it('do not overwrite a result that was set by hand later', async () => {
    const { run, token, getRun, uploadTests } = await makeTestsScenario(server, 2)
    const tests = [makeTest('WEB-1 pays'), makeTest('WEB-1 pays twice')]
    await uploadTests(tests.slice(0, 1), { finished_at: '2026-11-21T10:00:00Z' })
    const path = `/v1/runs/${run.id}/results/WEB-1`
    await server.request('PUT', path, { token, body: { status: 'blocked' } })
    const { body } = await uploadTests(tests.slice(1), { finished_at: '2026-11-21T10:01:00Z' })
    expect(body).toMatchObject({ errors: [{ code: 'newer_result' }] })
    expect((await getRun()).stats.blocked).toBe(1)
    await uploadTests(tests.slice(1))
    expect((await getRun()).stats.passed).toBe(1)
  })
})
