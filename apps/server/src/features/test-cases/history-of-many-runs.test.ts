import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

/** More than the runs of two groups; see `run-groups.ts`. */
const RUNS = 40

/** Creates a project with two test cases that are in 40 runs. */
async function makeManyRuns() {
  const project = await makeProject(server)
  const [testCaseId = '', otherId = ''] = await makeTestCases(server, project, 2)
  const runs = []
  for (let number = 1; number <= RUNS; number += 1) runs.push(await makeRun(server, project, { name: `Run ${number}` }))
  const path = `/v1/projects/${project.id}/test-cases/${testCaseId}`
  const history = (query = '') =>
    server.request<{ data: { run_name: string }[]; meta: { total: number } }>('GET', `${path}/results${query}`, {
      token: project.admin.token,
    })
  return { project, testCaseId, otherId, runs, path, history }
}

describe('a test case in 40 runs', () => {
  it('has all of them in its results, the newest run first', async () => {
    const { history } = await makeManyRuns()
    const pages = [(await history('?per_page=15')).body, (await history('?per_page=15&page=2')).body]
    const names = Array.from({ length: 30 }, (_, index) => `Run ${RUNS - index}`)
    expect(pages.flatMap(({ data }) => data.map(({ run_name }) => run_name))).toEqual(names)
    expect(pages.map(({ meta }) => meta.total)).toEqual([RUNS, RUNS])
    expect((await history('?page=9')).body).toMatchObject({ data: [], meta: { total: RUNS } })
  })

  it('is in the results of later runs after earlier runs were deleted', async () => {
    const { project, runs, history } = await makeManyRuns()
    const { token } = project.admin
    for (const { id } of runs.slice(0, 30)) await server.request('DELETE', `/v1/runs/${id}`, { token })
    await makeRun(server, project, { name: 'New' })
    const { body } = await history()
    expect(body.meta.total).toBe(11)
    expect(body.data.slice(0, 2).map(({ run_name }) => run_name)).toEqual(['New', `Run ${RUNS}`])
  })

  it('leaves its results in all runs when it is deleted', async () => {
    const { project, testCaseId, otherId, path } = await makeManyRuns()
    await server.request('DELETE', path, { token: project.admin.token })
    const { rows } = await sql`
      select case_number, count(*)::int from test_results where project_id = ${project.id} group by 1 order by 1`.execute(
      server.db,
    )
    expect([testCaseId, otherId]).toEqual(['WEB-1', 'WEB-2'])
    expect(rows).toEqual([
      { case_number: 2, count: RUNS },
      { case_number: null, count: RUNS },
    ])
  })
})
