import type { RecentResults } from '@caseward/contract/recent-results'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'

import { countRowsRead } from '@caseward/test-support/count-rows-read'
import { makeProject, makeRun, makeTestCase, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

type MadeProject = Awaited<ReturnType<typeof makeProject>>

const buildPath = ({ id }: MadeProject, ids: readonly string[], query = '') =>
  `/v1/projects/${id}/recent-results?${ids.map((testCase) => `test_case_ids=${testCase}`).join('&')}${query}`

async function read(project: MadeProject, ids: readonly string[], query = ''): Promise<RecentResults[]> {
  const path = buildPath(project, ids, query)
  const { status, body } = await server.request<{ data: RecentResults[] }>('GET', path, { token: project.admin.token })
  expect(status).toBe(200)
  return body.data
}
const getRuns = (item: RecentResults | undefined) => item?.results.map(({ run_name }) => run_name)

describe('GET /v1/projects/:project_id/recent-results', () => {
  it('returns the results of each test case in the order of the request, the newest run first', async () => {
    const project = await makeProject(server)
    await makeTestCases(server, project, 3)
    const { token } = project.admin
    const first = await makeRun(server, project, { name: 'First' })
    const second = await makeRun(server, project, { name: 'Second', test_case_ids: ['WEB-2'] })
    await server.request('PUT', `/v1/runs/${first.id}/results/WEB-2`, { token, body: { status: 'failed' } })
    const [two, one] = await read(project, ['WEB-2', 'WEB-1'])
    expect(two).toEqual({
      test_case_id: 'WEB-2',
      results: [
        { run_id: second.id, run_name: 'Second', status: 'not_tested', tested_at: null },
        { run_id: first.id, run_name: 'First', status: 'failed', tested_at: expect.stringMatching(/^\d{4}-.*Z$/) },
      ],
    })
    expect([one?.test_case_id, getRuns(one)]).toEqual(['WEB-1', ['First']])
  })

  it('returns one item for a repeated id, and no results for ids of no test case in a run', async () => {
    const project = await makeProject(server)
    await makeTestCases(server, project, 1)
    await makeRun(server, project)
    await makeTestCase(server, project)
    const items = await read(project, ['WEB-1', 'WEB-2', 'WEB-99', 'APP-1', 'nonsense', 'WEB-1'])
    expect(items.map(({ test_case_id: id, results }) => [id, results.length])).toEqual([
      ['WEB-1', 1],
      ['WEB-2', 0],
      ['WEB-99', 0],
      ['APP-1', 0],
      ['nonsense', 0],
    ])
  })

  it('returns only results of runs before the run `before_run`, also after that was deleted', async () => {
    const project = await makeProject(server)
    await makeTestCases(server, project, 1)
    for (const name of ['First', 'Second']) await makeRun(server, project, { name })
    const third = await makeRun(server, project, { name: 'Third' })
    await makeRun(server, project, { name: 'Fourth' })
    const readBefore = async () => getRuns((await read(project, ['WEB-1'], `&before_run=${third.id}`))[0])
    expect(await readBefore()).toEqual(['Second', 'First'])
    await server.request('DELETE', `/v1/runs/${third.id}`, { token: project.admin.token })
    expect(await readBefore()).toEqual(['Second', 'First'])
  })

  it('does not return results of another project', async () => {
    const project = await makeProject(server)
    const other = await makeProject(server)
    await makeTestCases(server, other, 1)
    await makeRun(server, other)
    expect(await read(project, ['WEB-1'])).toEqual([{ test_case_id: 'WEB-1', results: [] }])
  })

  it.each([
    ['', '/test_case_ids'],
    [Array.from({ length: 201 }, (_, index) => `test_case_ids=WEB-${index + 1}`).join('&'), '/test_case_ids'],
    ['test_case_ids=WEB-1&test_case_ids=%00', '/test_case_ids'],
    ['test_case_ids=WEB-1&limit=11', '/limit'],
    ['test_case_ids=WEB-1&limit=0', '/limit'],
    ['test_case_ids=WEB-1&before_run=nonsense', '/before_run'],
  ])('returns 400 with the parameter for the query ?%s', async (query, path) => {
    const project = await makeProject(server)
    const url = `/v1/projects/${project.id}/recent-results?${query}`
    const problem = await server.expectProblem(400, 'GET', url, { token: project.admin.token })
    expect(problem.errors).toEqual([{ path, message: expect.any(String) }])
  })
})

describe('GET /v1/projects/:project_id/recent-results in a project with 1,000 runs', () => {
  const CASES = 50
  const RUNS = 1000
  let project: MadeProject
  let ids: string[]
  let newestRun: string

  beforeAll(async () => {
    project = await makeProject(server)
    ids = await makeTestCases(server, project, CASES)
    // As createRun does, but quickly. Test case 1 is in the first 12 runs only.
    await sql`
      insert into runs (id, project_id, name, run_group)
      select uuid_v7_in_batch(now(), n), ${project.id}, 'Run ' || n, n / 16 from generate_series(1, ${RUNS}::int) n`.execute(
      server.db,
    )
    await sql`
      insert into test_results (project_id, run_id, run_group, id, case_number, title)
      select c.project_id, r.id, r.run_group, gen_random_uuid(), c.number, c.title
      from runs r join test_cases c on c.project_id = r.project_id
      where r.project_id = ${project.id} and (c.number > 1 or substr(r.name, 5)::int <= 12)`.execute(server.db)
    await sql`update projects set run_count = ${RUNS}, last_run_number = ${RUNS} where id = ${project.id}`.execute(
      server.db,
    )
    await sql`vacuum analyze test_results`.execute(server.db)
    newestRun = (await makeRun(server, project, { name: `Run ${RUNS + 1}`, test_case_ids: ['WEB-2'] })).id
  })

  it('returns the ten newest of each test case, and reads few others', async () => {
    let items: RecentResults[] = []
    const rowsRead = await countRowsRead(server, 'test_results', async () => {
      items = await read(project, ids.slice(1))
    })
    const newest = (last: number) => Array.from({ length: 10 }, (_, index) => `Run ${last - index}`)
    expect(items.map(getRuns)).toEqual([newest(RUNS + 1), ...Array.from({ length: CASES - 2 }, () => newest(RUNS))])
    // Up to ten of each of the newest groups, until PostgreSQL has enough to sort.
    expect(rowsRead).toBeLessThan(CASES * 50)
  })

  it('finds the results of a test case that is only in the oldest runs', async () => {
    const [item] = await read(project, ['WEB-1'], '&limit=5')
    expect(getRuns(item)).toEqual([12, 11, 10, 9, 8].map((number) => `Run ${number}`))
  })

  it('returns the results before a run', async () => {
    expect(getRuns((await read(project, ['WEB-2'], `&limit=2&before_run=${newestRun}`))[0])).toEqual([
      'Run 1000',
      'Run 999',
    ])
    const { rows } = await sql<{
      id: string
    }>`select id from runs where project_id = ${project.id} and name = 'Run 8'`.execute(server.db)
    const items = await read(project, ['WEB-1', 'WEB-2'], `&limit=10&before_run=${rows[0]?.id}`)
    const older = [7, 6, 5, 4, 3, 2, 1].map((number) => `Run ${number}`)
    expect(items.map(getRuns)).toEqual([older, older])
  })
})
