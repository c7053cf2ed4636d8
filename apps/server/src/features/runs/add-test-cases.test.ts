import type { Run } from '@caseward/contract/run-schemas'
import { type RawBuilder, sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { expectCorrectCounters } from '@caseward/test-support/counters'
import {
  getRunResults,
  makeCiToken,
  makeProject,
  makeRun,
  makeTestCase,
  makeTestCases,
} from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import { insertRunResults } from './insert-run-results.ts'

const server = useTestServer()

async function makeScenario(cases: number, test_case_ids: string[] = []) {
  const project = await makeProject(server)
  await makeTestCases(server, project, cases)
  const run = await makeRun(server, project, { test_case_ids })
  const { token } = project.admin
  return {
    project,
    run,
    token,
    path: `/v1/runs/${run.id}/test-cases`,
    order: async () => [...(await getRunResults(server, run.id, token)).keys()],
  }
}

async function add(path: string, token: string, test_case_ids: string[]): Promise<Run> {
  const { status, body } = await server.request<{ data: Run }>('POST', path, { token, body: { test_case_ids } })
  expect(status).toBe(200)
  return body.data
}

describe('POST /v1/runs/:run_id/test-cases', () => {
  it(
    'adds test cases at the end as not tested, and returns the run',
    { tags: ['spec:runs/endpoints-decided'] },
    async () => {
      const { token, path, order } = await makeScenario(5, ['WEB-4'])
      const run = await add(path, token, ['WEB-1', 'WEB-5'])
      expect(await order()).toEqual(['WEB-4', 'WEB-1', 'WEB-5'])
      expect([run.result_count, run.stats.not_tested]).toEqual([3, 3])
    },
  )

  it('does not change test cases that are already in the run', async () => {
    const { run, token, path } = await makeScenario(3, ['WEB-2'])
    await server.request('PUT', `/v1/runs/${run.id}/results/WEB-2`, {
      token,
      body: { status: 'failed', note: 'n', elapsed: 4 },
    })
    const before = (await getRunResults(server, run.id, token)).get('WEB-2')
    expect((await add(path, token, ['WEB-1', 'WEB-2', 'WEB-2'])).stats).toMatchObject({ failed: 1, not_tested: 1 })
    expect((await getRunResults(server, run.id, token)).get('WEB-2')).toEqual(before)
  })

  it('keeps the order in which test cases were added when some are sent again', async () => {
    const { token, path, order } = await makeScenario(30, ['WEB-30'])
    const joined = ['WEB-30']
    for (let number = 29; number > 0; number -= 1) {
      await add(path, token, [`WEB-${number}`, ...joined])
      joined.push(`WEB-${number}`)
    }
    expect(await order()).toEqual(joined)
  })

  it('keeps the order of test cases that are added within the same millisecond', async () => {
    const { project, run, order } = await makeScenario(7)
    await server.db.transaction().execute(async (tx) => {
      // Time stands still for this transaction.
      await sql`create function public.statement_timestamp() returns timestamptz language sql return timestamptz '2026-11-21'`.execute(
        tx,
      )
      await sql`set local search_path = public, pg_catalog`.execute(tx)
      const join = (condition: RawBuilder<unknown>) =>
        insertRunResults(tx, { id: run.id, group: 0, project }, condition, { isNew: false })
      await join(sql`c.number <= 4`)
      await join(sql`c.number <= 5`)
      await join(sql`c.number = 7`)
      await join(sql`c.number = 6`)
      await sql`drop function public.statement_timestamp()`.execute(tx)
    })
    expect(await order()).toEqual([1, 2, 3, 4, 5, 7, 6].map((number) => `WEB-${number}`))
    await expectCorrectCounters(server, project.id)
  })

  it('returns 400 with every unknown test case, and adds none', async () => {
    const { token, path, order } = await makeScenario(2)
    const body = { test_case_ids: ['WEB-1', 'WEB-9', 'nonsense'] }
    const problem = await server.expectProblem(400, 'POST', path, { token, body })
    expect(problem.errors?.map((error) => error.path)).toEqual(['/test_case_ids/1', '/test_case_ids/2'])
    expect(await order()).toEqual([])
  })

  it('returns 409 for a completed run', { tags: ['spec:runs/a-completed-run-is-a-record-decided-409'] }, async () => {
    const { run, token, path } = await makeScenario(1)
    await server.request('PATCH', `/v1/runs/${run.id}`, { token, body: { status: 'completed' } })
    const problem = await server.expectProblem(409, 'POST', path, { token, body: { test_case_ids: ['WEB-1'] } })
    expect(problem.code).toBe('run_completed')
  })

  it('stores the title that a test case has when it is added', async () => {
    const { project, run, token, path } = await makeScenario(2, ['WEB-1'])
    const cases = `/v1/projects/${project.id}/test-cases`
    for (const id of ['WEB-1', 'WEB-2']) {
      await server.request('PATCH', `${cases}/${id}`, { token, body: { title: 'New title' } })
    }
    await add(path, token, ['WEB-2'])
    const titles = [...(await getRunResults(server, run.id, token)).values()].map((result) => result.test_case_title)
    expect(titles).toEqual(['Case 1', 'New title'])
  })

  it('returns 403 to CI tokens and viewers before validating the body', async () => {
    const { project, path } = await makeScenario(1)
    const viewer = await makeMember(server, project.id, 'viewer')
    for (const token of [viewer.token, await makeCiToken(server, project)]) {
      await server.expectProblem(403, 'POST', path, { token, body: { test_case_ids: 'no list' } })
    }
  })

  it(
    'adds each test case once when many requests add it at the same time',
    { tags: ['spec:service/stores-one-result-for-each-test-case-in-a-run'] },
    async () => {
      const { project, token, path, order } = await makeScenario(40)
      await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          add(
            path,
            token,
            Array.from({ length: 20 }, (_unused, at) => `WEB-${((index * 7 + at) % 40) + 1}`),
          ),
        ),
      )
      const ids = await order()
      expect(new Set(ids).size).toBe(40)
      await expectCorrectCounters(server, project.id)
    },
  )

  it('keeps the counters correct when a test case is deleted while it is added', async () => {
    const { project, token, path } = await makeScenario(0)
    for (let round = 0; round < 10; round += 1) {
      const { id } = await makeTestCase(server, project)
      const [joined, deleted] = await Promise.all([
        server.request('POST', path, { token, body: { test_case_ids: [id] } }),
        server.request('DELETE', `/v1/projects/${project.id}/test-cases/${id}`, { token }),
      ])
      expect([200, 400]).toContain(joined.status)
      expect(deleted.status).toBe(200)
    }
    await expectCorrectCounters(server, project.id)
  })
})
