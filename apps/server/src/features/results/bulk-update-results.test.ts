import type { Run } from '@caseward/contract/run-schemas'
import { describe, expect, it } from 'vitest'

import { expectCorrectCounters } from '@caseward/test-support/counters'
import { getRunResults, makeCiToken, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember, makeUser } from '@caseward/test-support/users'

const server = useSharedServer()

async function makeScenario(cases = 3) {
  const project = await makeProject(server)
  await makeTestCases(server, project, cases)
  const run = await makeRun(server, project)
  const { token } = project.admin
  const path = `/v1/runs/${run.id}/results/bulk`
  return {
    project,
    run,
    token,
    path,
    bulk: (results: unknown[]) => server.request('POST', path, { token, body: { results } }),
    results: () => getRunResults(server, run.id, token),
  }
}
const notInRun = (id: string) => ({ test_case_id: id, error: expect.stringContaining(id), code: 'not_in_run' })

describe('POST /v1/runs/:run_id/results/bulk', () => {
  it(
    'stores every result, and returns 200 with the stored results',
    {
      tags: [
        'spec:conventions/success-codes-not-stated-decided-201-for-what',
        'spec:results/tested_by-the-authenticated-user-on-update',
        'spec:results/bulk-note-and-elapsed-are-optional',
        'spec:results/bulk-answers-updated-and-test_case_id-and',
        'spec:results/bulk-items-are-matched-by-test_case_id-in-the',
      ],
    },
    async () => {
      const { project, bulk, results } = await makeScenario()
      const { status, body } = await bulk([
        { test_case_id: 'WEB-2', status: 'failed', note: 'n', elapsed: 3 },
        { test_case_id: 'WEB-1', status: 'passed' },
      ])
      expect([status, body]).toEqual([
        200,
        {
          data: {
            updated: 2,
            results: [
              { test_case_id: 'WEB-2', status: 'failed' },
              { test_case_id: 'WEB-1', status: 'passed' },
            ],
          },
        },
      ])
      const stored = await results()
      const tested = { tested_by: project.admin.id, tested_at: expect.any(String) }
      expect(stored.get('WEB-2')).toMatchObject({ status: 'failed', note: 'n', elapsed: 3, ...tested })
      expect(stored.get('WEB-1')).toMatchObject({ status: 'passed', note: null, elapsed: null, ...tested })
      expect(stored.get('WEB-3')).toMatchObject({ status: 'not_tested', tested_at: null })
      await expectCorrectCounters(server, project.id)
    },
  )

  it.each(['passed', 'failed', 'blocked', 'retest', 'not_tested'])(
    'accepts the status %s',
    { tags: ['spec:results/any-of-the-five-is-taken-by-a-bulk-update'] },
    async (status) => {
      const { bulk, results } = await makeScenario(1)
      const { body } = await bulk([{ test_case_id: 'WEB-1', status }])
      expect(body).toEqual({ data: { updated: 1, results: [{ test_case_id: 'WEB-1', status }] } })
      expect((await results()).get('WEB-1')).toMatchObject({ status, tested_at: expect.any(String) })
    },
  )

  it(
    'does not change note and elapsed of an item without them, and clears those sent as null',
    {
      tags: ['spec:conventions/updates-change-only-the-fields-sent', 'spec:results/bulk-note-and-elapsed-are-optional'],
    },
    async () => {
      const { bulk, results } = await makeScenario()
      const full = { status: 'failed', note: 'n', elapsed: 3 }
      await bulk(['WEB-1', 'WEB-2', 'WEB-3'].map((test_case_id) => ({ test_case_id, ...full })))
      await bulk([
        { test_case_id: 'WEB-1', status: 'passed' },
        { test_case_id: 'WEB-2', status: 'passed', note: null },
        { test_case_id: 'WEB-3', status: 'passed', elapsed: null, note: 'new' },
      ])
      const stored = [...(await results()).values()].map(({ note, elapsed }) => [note, elapsed])
      expect(stored).toEqual([
        ['n', 3],
        [null, 3],
        ['new', null],
      ])
    },
  )

  it('stores the last of several items for one test case', async () => {
    const { project, bulk, results } = await makeScenario()
    const { status, body } = await bulk([
      { test_case_id: 'WEB-1', status: 'failed', note: 'first', elapsed: 1 },
      { test_case_id: 'WEB-2', status: 'passed' },
      { test_case_id: 'WEB-1', status: 'passed', elapsed: 2 },
    ])
    expect([status, body['data']]).toMatchObject([200, { updated: 2 }])
    expect((await results()).get('WEB-1')).toMatchObject({ status: 'passed', note: null, elapsed: 2 })
    await expectCorrectCounters(server, project.id)
  })

  it(
    'returns 207 with an error for each unknown test case, and stores the other results',
    { tags: ['spec:results/bulk-with-a-case-that-is-not-in-the-run-decided'] },
    async () => {
      const { bulk, results } = await makeScenario()
      const unknown = ['WEB-99', 'APP-1', 'web-1', 'WEB-01', 'WEB-99999999999', ' WEB-1']
      const { status, body } = await bulk([
        ...unknown.map((test_case_id) => ({ test_case_id, status: 'passed' })),
        { test_case_id: 'WEB-1', status: 'passed' },
        { test_case_id: 'WEB-99', status: 'failed' },
      ])
      expect([status, body]).toEqual([
        207,
        {
          data: {
            updated: 1,
            results: [{ test_case_id: 'WEB-1', status: 'passed' }],
            errors: unknown.map(notInRun),
          },
        },
      ])
      expect((await results()).get('WEB-1')?.status).toBe('passed')
    },
  )

  it('returns 207 when nothing was stored', async () => {
    const { bulk } = await makeScenario(0)
    const { status, body } = await bulk([{ test_case_id: 'WEB-1', status: 'passed' }])
    expect([status, body]).toEqual([207, { data: { updated: 0, results: [], errors: [notInRun('WEB-1')] } }])
  })

  it('returns 200 for an empty list', async () => {
    const { bulk } = await makeScenario()
    expect(await bulk([])).toMatchObject({ status: 200, body: { data: { updated: 0, results: [] } } })
  })

  it(
    'returns an error for a test case of the project that is not in the run',
    { tags: ['spec:results/bulk-items-are-matched-by-test_case_id-in-the'] },
    async () => {
      const { project, bulk } = await makeScenario(1)
      await makeTestCases(server, project, 1)
      expect((await bulk([{ test_case_id: 'WEB-2', status: 'passed' }])).status).toBe(207)
    },
  )

  it('accepts 10,000 items, and returns 400 for 10,001', async () => {
    const { project, run, token, path, bulk } = await makeScenario(200)
    const items = Array.from({ length: 10_000 }, (_, index) => ({
      test_case_id: `WEB-${(index % 200) + 1}`,
      status: index < 9_800 ? 'failed' : 'passed',
    }))
    expect(await bulk(items)).toMatchObject({ status: 200, body: { data: { updated: 200 } } })
    const body = { results: [...items, { test_case_id: 'WEB-1', status: 'failed' }] }
    const problem = await server.expectProblem(400, 'POST', path, { token, body })
    expect(problem.errors?.map((error) => error.path)).toEqual(['/results'])
    const read = await server.request<{ data: Run }>('GET', `/v1/runs/${run.id}`, { token })
    expect(read.body.data.stats).toMatchObject({ passed: 200, failed: 0 })
    await expectCorrectCounters(server, project.id)
  })

  it.each([
    [{}, '/results'],
    [{ results: null }, '/results'],
    [{ results: { test_case_id: 'WEB-1', status: 'passed' } }, '/results'],
    [{ results: [{ status: 'passed' }] }, '/results/0/test_case_id'],
    [{ results: [{ test_case_id: 'WEB-1' }] }, '/results/0/status'],
  ])(
    'returns 400 for the body %j',
    {
      tags: [
        'spec:results/bulk-results-is-a-required-array',
        'spec:results/bulk-test_case_id-is-required',
        'spec:results/bulk-status-is-required-one-of-five',
      ],
    },
    async (body, field) => {
      const { token, path } = await makeScenario(1)
      const problem = await server.expectProblem(400, 'POST', path, { token, body })
      expect(problem.errors?.map((error) => error.path)).toEqual([field])
    },
  )

  it(
    'returns 400 with every invalid item, and stores nothing',
    { tags: ['spec:results/bulk-status-is-required-one-of-five'] },
    async () => {
      const { token, path, results } = await makeScenario()
      const body = {
        results: [
          { test_case_id: 'WEB-1', status: 'passed' },
          { test_case_id: 'WEB-2', status: 'skipped' },
          { test_case_id: 3, status: 'passed', elapsed: -1 },
          { status: 'passed', note: 'a\0b' },
          'WEB-3',
        ],
      }
      const problem = await server.expectProblem(400, 'POST', path, { token, body })
      expect(problem.errors?.map((error) => error.path).toSorted()).toEqual([
        '/results/1/status',
        '/results/2/elapsed',
        '/results/2/test_case_id',
        '/results/3/note',
        '/results/3/test_case_id',
        '/results/4',
      ])
      expect((await results()).get('WEB-1')?.status).toBe('not_tested')
    },
  )

  it('truncates a note that is too long', async () => {
    const { bulk, results } = await makeScenario(1)
    await bulk([{ test_case_id: 'WEB-1', status: 'failed', note: '🐞'.repeat(65_537) }])
    expect((await results()).get('WEB-1')?.note === `${'🐞'.repeat(65_536)}… [cut]`).toBe(true)
  })

  it(
    'returns 409 for a completed run, also without items',
    { tags: ['spec:runs/a-completed-run-is-a-record-decided-409'] },
    async () => {
      const { run, token, path } = await makeScenario(1)
      await server.request('PATCH', `/v1/runs/${run.id}`, { token, body: { status: 'completed' } })
      const problem = await server.expectProblem(409, 'POST', path, { token, body: { results: [] } })
      expect(problem.code).toBe('run_completed')
    },
  )

  it('returns 403 to viewers, users who are not members and CI tokens before validating the body', async () => {
    const { project, path } = await makeScenario(0)
    const viewer = (await makeMember(server, project.id, 'viewer')).token
    for (const token of [viewer, (await makeUser(server)).token, await makeCiToken(server, project)]) {
      await server.expectProblem(403, 'POST', path, {
        token,
        body: 'no JSON',
        headers: { 'content-type': 'application/json' },
      })
    }
  })

  it('accepts a body of several megabytes, and returns 413 above 10 MB', async () => {
    const { token, path, bulk } = await makeScenario(1)
    const note = 'x'.repeat(2_000_000)
    const items = (count: number) =>
      Array.from({ length: count }, () => ({ test_case_id: 'WEB-1', status: 'passed', note }))
    expect((await bulk(items(4))).status).toBe(200)
    const problem = await server.expectProblem(413, 'POST', path, { token, body: { results: items(6) } })
    expect(problem.code).toBe('body_too_large')
  })
})
