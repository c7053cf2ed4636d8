import type { Run } from '@caseward/contract/run-schemas'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'

import { insertTestCases, makeProject } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

const TEST_CASES = 100_000

describe('POST /v1/projects/:project_id/runs with 100,000 test case ids', () => {
  let project: Awaited<ReturnType<typeof makeProject>>
  let path: string
  let token: string
  const ids = Array.from({ length: TEST_CASES }, (_, index) => `WEB-${index + 1}`)

  beforeAll(async () => {
    project = await makeProject(server)
    path = `/v1/projects/${project.id}/runs`
    token = project.admin.token
    await insertTestCases(server, project, TEST_CASES)
  })

  it('creates a run of all of them with one request, whose body exceeds 1 MB', async () => {
    const body = { name: 'Everything', test_case_ids: ids }
    expect(JSON.stringify(body).length).toBeGreaterThan(1024 * 1024)
    const { status, body: created } = await server.request<{ data: Run }>('POST', path, { token, body })
    expect([status, created.data.result_count]).toEqual([201, TEST_CASES])
    const rows = await server.request<{ data: { test_case_id: string }[]; meta: object }>(
      'GET',
      `/v1/runs/${created.data.id}/results?fields=row&per_page=2000&page=50`,
      { token },
    )
    expect(rows.body.data.map((row) => row.test_case_id)).toEqual(ids.slice(-2000))
    expect(rows.body.meta).toMatchObject({ total: TEST_CASES, next_after: null })
  })

  it('is compared with another one, with the totals of a join in SQL', async () => {
    const createRun = async (status: string) => {
      const body = { name: 'Compared', test_case_ids: ids }
      const { id } = (await server.request<{ data: Run }>('POST', path, { token, body })).body.data
      await sql`update test_results set status = (${sql.raw(status)})::result_status where run_id = ${id}`.execute(
        server.db,
      )
      return id
    }
    const statuses = `(array['passed', 'failed', 'blocked', 'retest', 'not_tested'])`
    const base = await createRun(`${statuses}[1 + case_number % 5]`)
    const head = await createRun(`${statuses}[1 + case_number / 7 % 5]`)
    await sql`delete from test_results where run_id = ${base} and case_number % 1000 = 1`.execute(server.db)
    await sql`delete from test_results where run_id = ${head} and case_number % 1000 = 2`.execute(server.db)
    const { rows } = await sql<{ change: string; count: number }>`
      select case
          when b.id is null then 'new' when h.id is null then 'missing'
          when b.status in ('failed', 'blocked', 'retest') and h.status in ('failed', 'blocked', 'retest') then 'still_failing'
          when b.status = h.status then 'same' when b.status = 'not_tested' then 'newly_tested'
          when h.status = 'not_tested' then 'no_longer_tested' when h.status = 'passed' then 'fixed' else 'newly_failing'
        end as change, count(*)::int as count
      from (select * from test_results where run_id = ${base}) b
        full join (select * from test_results where run_id = ${head}) h on h.case_number = b.case_number
      group by 1`.execute(server.db)
    const compare = `/v1/projects/${project.id}/run-comparison?base=${base}&head=${head}`
    const { body } = await server.request<{ meta: { totals: Record<string, number> } }>('GET', compare, { token })
    const expected = Object.fromEntries(rows.map(({ change, count }) => [change, count]))
    expect(Object.keys(expected)).toHaveLength(8)
    expect(body.meta.totals).toEqual({ ...expected, slower: 0 })
    expect(Object.values(body.meta.totals).reduce((sum, count) => sum + count)).toBe(TEST_CASES)
  })

  it('is compared with another one by 100,000 tests, with the totals of a join in SQL', async () => {
    await sql`
      insert into tests (project_id, id, title_digest, place_digest, title_key, suite, name, variant, file)
      select ${project.id}, uuid_v7_in_batch(now(), n), md5('title ' || n)::uuid, md5('place')::uuid, 'pays ' || n, 'shop', 'pays ' || n,
        '', 'shop.test.ts'
      from generate_series(1, ${TEST_CASES + 200}::int) n`.execute(server.db)
    const createRun = async (first: number, status: string, elapsed: string) => {
      const { id } = (await server.request<{ data: Run }>('POST', path, { token, body: { name: 'Tests' } })).body.data
      await sql`
        insert into test_outcomes (project_id, run_id, test_id, status, is_flaky, is_matched, elapsed_ms, attempt_count, tested_at)
        select project_id, ${id}, id, (array['passed', 'failed', 'blocked', 'interrupted', 'skipped'])[1 + ${sql.raw(status)}]::attempt_status,
          false, false, ${sql.raw(elapsed)}, 1, now()
        from (select *, row_number() over (order by id)::int as n from tests where project_id = ${project.id}) t
        where n > ${first} and n <= ${first + TEST_CASES}`.execute(server.db)
      await sql`update runs set passed_test_count = 1 where id = ${id}`.execute(server.db)
      return id
    }
    const base = await createRun(0, 'n % 5', '1000')
    const head = await createRun(200, 'n / 7 % 5', '1000 + n % 3 * 400')
    const { rows } = await sql<{ change: string; count: number }>`
      select case
          when b.test_id is null then 'new' when h.test_id is null then 'missing'
          when b.bad and h.bad then 'still_failing'
          when b.status = 'skipped' then case when h.status = 'skipped' then 'same' else 'newly_tested' end
          when h.status = 'skipped' then 'no_longer_tested' when h.bad then 'newly_failing' when b.bad then 'fixed'
          when h.elapsed_ms >= 1.5 * b.elapsed_ms then 'slower' else 'same'
        end as change, count(*)::int as count
      from (select *, status in ('failed', 'blocked', 'interrupted') as bad from test_outcomes where run_id = ${base}) b
        full join (select *, status in ('failed', 'blocked', 'interrupted') as bad from test_outcomes where run_id = ${head}) h
          on h.test_id = b.test_id
      group by 1`.execute(server.db)
    const compare = `/v1/projects/${project.id}/run-comparison?base=${base}&head=${head}&by=tests`
    const { body } = await server.request<{ meta: { totals: Record<string, number> } }>('GET', compare, { token })
    expect(rows).toHaveLength(9)
    expect(body.meta.totals).toEqual(Object.fromEntries(rows.map(({ change, count }) => [change, count])))
    expect(Object.values(body.meta.totals).reduce((sum, count) => sum + count)).toBe(TEST_CASES + 200)
  })

  it('lists the first 1,000 unknown ids and says that there are more', async () => {
    const body = { name: 'Unknown', test_case_ids: ids.map((id) => `${id}000001`) }
    const problem = await server.expectProblem(400, 'POST', path, { token, body })
    expect(problem.errors).toHaveLength(1000)
    expect(problem.errors?.at(-1)).toEqual({
      path: '/test_case_ids/999',
      message: 'is not a test case of this project',
    })
    expect(problem.detail).toContain('many more')
  })

  it('returns 400 for one id more', async () => {
    const body = { name: 'Too many', test_case_ids: [...ids, 'WEB-1'] }
    const problem = await server.expectProblem(400, 'POST', path, { token, body })
    expect(problem.errors?.map((error) => error.path)).toEqual(['/test_case_ids'])
  })
})
