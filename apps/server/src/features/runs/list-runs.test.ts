import type { Run } from '@caseward/contract/run-schemas'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'

import { makeMilestone, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember, makeUser } from '@caseward/test-support/users'

const server = useSharedServer()

interface RunPage {
  data: Run[]
  meta: { page: number; per_page: number; total: number }
}
type Project = Awaited<ReturnType<typeof makeProject>>

async function list(project: Project, query = ''): Promise<RunPage> {
  const { body, status } = await server.request<RunPage>('GET', `/v1/projects/${project.id}/runs${query}`, {
    token: project.admin.token,
  })
  expect(status).toBe(200)
  return body
}
const names = ({ data }: RunPage) => data.map(({ name }) => name)

async function makeRuns(project: Project, wanted: string[]): Promise<Run[]> {
  const runs: Run[] = []
  for (const name of wanted) runs.push(await makeRun(server, project, { name }))
  return runs
}

describe('GET /v1/projects/:project_id/runs', () => {
  it(
    'lists only the project’s runs, the newest first, in pages',
    { tags: ['spec:runs/endpoints-decided'] },
    async () => {
      const project = await makeProject(server)
      await makeRun(server, await makeProject(server))
      await makeRuns(project, ['a', 'b', 'c', 'd', 'e'])
      expect(names(await list(project))).toEqual(['e', 'd', 'c', 'b', 'a'])
      const second = await list(project, '?per_page=2&page=2')
      expect(names(second)).toEqual(['c', 'b'])
      expect(second.meta).toEqual({ page: 2, per_page: 2, total: 5 })
      expect(await list(project, '?page=7')).toEqual({ data: [], meta: { page: 7, per_page: 20, total: 5 } })
    },
  )

  it('lists each run as the single read returns it', async () => {
    const project = await makeProject(server)
    await makeTestCases(server, project, 2)
    const run = await makeRun(server, project)
    const { body } = await server.request<{ data: Run }>('GET', `/v1/runs/${run.id}`, { token: project.admin.token })
    expect((await list(project)).data).toEqual([body.data])
    expect(body.data).toEqual(run)
  })

  it('returns runs that were created at a time or later, with the true total', async () => {
    const project = await makeProject(server)
    const [, second] = await makeRuns(project, ['a', 'b', 'c'])
    await sql`
      update runs set created_at = '2026-11-21T09:30:00Z' where id = ${second?.id ?? ''}`.execute(server.db)
    const listSince = async (time: string) => {
      const page = await list(project, `?created_since=${encodeURIComponent(time)}`)
      return [page.meta.total, ...names(page)]
    }
    await sql`
      update runs set created_at = '2026-11-01' where project_id = ${project.id} and name = 'a'`.execute(server.db)
    await sql`
      update runs set created_at = '2026-11-22' where project_id = ${project.id} and name = 'c'`.execute(server.db)
    expect(await listSince('2026-11-21T09:30:00Z')).toEqual([2, 'c', 'b'])
    expect(await listSince('2026-11-21T10:30:00.001+01:00')).toEqual([1, 'c'])
    expect(await listSince('2026-11-01')).toEqual([3, 'c', 'b', 'a'])
    const problem = await server.expectProblem(400, 'GET', `/v1/projects/${project.id}/runs?created_since=soon`, {
      token: project.admin.token,
    })
    expect(problem.errors?.map(({ path }) => path)).toEqual(['/created_since'])
  })

  it('returns every run once by after, also when runs are created meanwhile', async () => {
    const project = await makeProject(server)
    await makeRuns(project, ['a', 'b', 'c', 'd'])
    const first = await list(project, '?per_page=2')
    await makeRuns(project, ['e'])
    const second = await list(project, `?per_page=2&after=${first.data.at(-1)?.id ?? ''}`)
    expect([...names(first), ...names(second)]).toEqual(['d', 'c', 'b', 'a'])
    expect(second.meta.total).toBe(5)
  })

  it('sorts by name, tested share and failed results, and not together with after', async () => {
    const project = await makeProject(server)
    await makeTestCases(server, project, 2)
    const [first, , third] = await makeRuns(project, ['b', 'C', 'a'])
    const set = (runId: string | undefined, testCase: string, status: string) =>
      server.request('PUT', `/v1/runs/${runId}/results/${testCase}`, { token: project.admin.token, body: { status } })
    await set(first?.id, 'WEB-1', 'failed')
    await set(third?.id, 'WEB-1', 'passed')
    await set(third?.id, 'WEB-2', 'passed')
    expect(names(await list(project, '?sort=name'))).toEqual(['a', 'b', 'C'])
    expect(names(await list(project, '?sort=tested&descending=true'))).toEqual(['a', 'b', 'C'])
    expect(names(await list(project, '?sort=failed&descending=true'))).toEqual(['b', 'a', 'C'])
    expect(names(await list(project, '?sort=created&per_page=1&page=2'))).toEqual(['C'])
    const problem = await server.expectProblem(
      400,
      'GET',
      `/v1/projects/${project.id}/runs?sort=name&after=${first?.id}`,
      {
        token: project.admin.token,
      },
    )
    expect(problem.errors?.map(({ path }) => path)).toEqual(['/after'])
  })

  it('filters by status, with the true total', { tags: ['spec:runs/endpoints-decided'] }, async () => {
    const project = await makeProject(server)
    const [first] = await makeRuns(project, ['a', 'b', 'c'])
    await server.request('PATCH', `/v1/runs/${first?.id}`, {
      token: project.admin.token,
      body: { status: 'completed' },
    })
    const completed = await list(project, '?status=completed')
    expect([names(completed), completed.meta.total]).toEqual([['a'], 1])
    const open = await list(project, '?status=in_progress&per_page=1')
    expect([names(open), open.meta.total]).toEqual([['c'], 2])
  })

  it('filters by milestone, and returns nothing for an unknown one', async () => {
    const project = await makeProject(server)
    const { id: milestone } = await makeMilestone(server, project)
    const [first, second] = await makeRuns(project, ['a', 'b'])
    const patched = await server.request('PATCH', `/v1/runs/${first?.id}`, {
      token: project.admin.token,
      body: { milestone_id: milestone },
    })
    expect(patched.status).toBe(200)
    expect(names(await list(project, `?milestone_id=${milestone}`))).toEqual(['a'])
    const { id: parent } = await makeMilestone(server, project)
    const moved = await server.request('PATCH', `/v1/runs/${second?.id}`, {
      token: project.admin.token,
      body: { milestone_id: (await makeMilestone(server, project, { parent_id: parent })).id },
    })
    expect(moved.status).toBe(200)
    expect(names(await list(project, `?milestone_id=${parent}`))).toEqual([])
    expect(names(await list(project, `?milestone_id=${parent}&sub_milestones=true`))).toEqual(['b'])
    for (const id of [uuidv7(), 'nonsense']) {
      expect(await list(project, `?milestone_id=${id}`)).toEqual({
        data: [],
        meta: { page: 1, per_page: 20, total: 0 },
      })
    }
  })

  it.each([
    ['night', ['Nightly']],
    ['50%', ['50% of all']],
    ['%', ['50% of all']],
    ['_', ['a_b']],
    [String.raw`\ `, [String.raw`back\ slash`]],
    ['ÜBERNACHT', ['übernacht']],
    ["'", ["it's"]],
    ['nothing of the kind', []],
  ])('searches names for %j literally, in upper or lower case', async (search, expected) => {
    const project = await makeProject(server)
    await makeRuns(project, ['Nightly', '50% of all', 'a_b', String.raw`back\ slash`, 'übernacht', "it's"])
    const page = await list(project, `?search=${encodeURIComponent(search)}`)
    expect([names(page), page.meta.total]).toEqual([expected, expected.length])
  })

  it('returns all runs for an empty search', async () => {
    const project = await makeProject(server)
    await makeRuns(project, ['a', 'b'])
    expect((await list(project, '?search=')).meta.total).toBe(2)
  })

  it.each([['status=done'], ['page=0'], ['per_page=101'], ['search=%00'], [`search=${'x'.repeat(256)}`]])(
    'returns 400 with the parameter for the query ?%s',
    async (query) => {
      const project = await makeProject(server)
      const problem = await server.expectProblem(400, 'GET', `/v1/projects/${project.id}/runs?${query}`, {
        token: project.admin.token,
      })
      expect(problem.errors?.map(({ path }) => path)).toEqual([`/${query.split('=')[0]}`])
    },
  )

  it('returns 200 to viewers, and 403 to users who are not members', async () => {
    const project = await makeProject(server)
    const viewer = await makeMember(server, project.id, 'viewer')
    const path = `/v1/projects/${project.id}/runs`
    expect((await server.request('GET', path, { token: viewer.token })).status).toBe(200)
    await server.expectProblem(403, 'GET', path, { token: (await makeUser(server)).token })
    await server.expectProblem(401, 'GET', path)
    await server.expectProblem(404, 'GET', `/v1/projects/${uuidv7()}/runs`, { token: viewer.token })
  })
})
