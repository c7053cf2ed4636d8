import type { MyProject } from '@caseward/contract/my-projects'
import { countRowsRead } from '@caseward/test-support/count-rows-read'
import { makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeMember, makeUser } from '@caseward/test-support/users'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'

const server = useTestServer()

interface List {
  data: MyProject[]
  meta: { total: number }
}

async function list(token: string): Promise<List> {
  const { status, body } = await server.request<List>('GET', '/v1/me/projects', { token })
  expect(status).toBe(200)
  return body
}

describe('GET /v1/me/projects', () => {
  it('returns the fields of a project without runs', async () => {
    const project = await makeProject(server, { name: 'Shop', prefix: 'SHP' })
    await makeTestCases(server, project, 2)
    expect(await list(project.admin.token)).toEqual({
      data: [
        {
          id: project.id,
          name: 'Shop',
          prefix: 'SHP',
          role: 'admin',
          permissions: [
            'project:view',
            'test-cases:edit',
            'runs:open-and-close',
            'runs:execute',
            'files:upload',
            'comments:write',
            'views:keep',
            'members:view',
            'members:manage',
            'members:change-role',
            'milestones:manage',
            'quarantine:manage',
            'project:settings',
            'project:delete',
          ],
          test_case_count: 2,
          run_count: 0,
          member_count: 1,
          last_run: null,
          pass_rates: [],
          steps_decide: 'suggest',
        },
      ],
      meta: { total: 1 },
    })
  })

  it.each([
    [
      'member',
      [
        'project:view',
        'test-cases:edit',
        'runs:open-and-close',
        'runs:execute',
        'files:upload',
        'comments:write',
        'views:keep',
        'members:view',
        'milestones:manage',
        'quarantine:manage',
      ],
    ],
    ['viewer', ['project:view', 'views:keep', 'members:view']],
  ] as const)('returns the permissions of a %s', async (role, permissions) => {
    const project = await makeProject(server)
    const { token } = await makeMember(server, project.id, role)
    expect((await list(token)).data).toMatchObject([{ id: project.id, role, permissions }])
  })

  it('returns the last run, and the pass rates of tested runs, oldest first', async () => {
    const project = await makeProject(server)
    const { token } = project.admin
    const ids = await makeTestCases(server, project, 4)
    for (const passedCount of [1, 2, 3]) {
      const { id } = await makeRun(server, project)
      const results = ids.map((caseId, index) => ({
        test_case_id: caseId,
        status: index < passedCount ? 'passed' : 'failed',
      }))
      await server.request('POST', `/v1/runs/${id}/results/bulk`, { token, body: { results } })
    }
    const last = await makeRun(server, project, { name: 'Not tested yet' })
    const { id, name, status, stats, pass_rate, test_stats, created_at } = last
    expect((await list(token)).data).toMatchObject([
      {
        run_count: 4,
        last_run: { id, name, status, stats, pass_rate, test_stats, created_at },
        pass_rates: [25, 50, 75],
      },
    ])
  })

  it('returns the pass rates of the last 20 runs', async () => {
    const project = await makeProject(server)
    await insertRuns(project.id, 25)
    const [mine] = (await list(project.admin.token)).data
    expect(mine?.pass_rates).toEqual(Array.from({ length: 20 }, (_, index) => 95 - index))
  })

  it('returns the last updated first, and no projects of others', async () => {
    const { token } = await makeUser(server)
    const first = await makeProject(server, { token, name: 'First' })
    await makeProject(server, { token, name: 'Second' })
    await makeProject(server)
    await server.request('PATCH', `/v1/projects/${first.id}`, { token, body: { description: 'Changed' } })
    expect((await list(token)).data.map(({ name }) => name)).toEqual(['First', 'Second'])
  })

  it('returns 1,000 projects with 20 runs each, of which it reads each once, and the number of all', async () => {
    const { id, token } = await makeUser(server)
    await sql`
      with project as (
        insert into projects (id, name, prefix, member_count, run_count, last_run_number)
        select uuid_v7_in_batch(now(), n), 'Project ' || n, 'WEB', 1, 20, 20 from generate_series(1, 1001) n returning id
      ), run as (
        insert into runs (id, project_id, name, passed_count, run_group)
        select uuid_v7_in_batch(now(), n), project.id, 'Nightly', 1, 1 from project, generate_series(1, 20) n
      )
      insert into memberships (project_id, user_id, role) select id, ${id}, 'viewer' from project`.execute(server.db)
    await sql`analyze`.execute(server.db)
    const { data, meta } = await list(token)
    const rowsRead = await countRowsRead(server, 'runs', () => list(token))
    expect(rowsRead).toBeGreaterThan(0)
    expect(rowsRead).toBeLessThanOrEqual(2 * 20 * 1001)
    expect([data.length, meta.total, data[0]?.pass_rates.length]).toEqual([1000, 1001, 20])
  })
})

/** Inserts runs whose pass rates fall by one percent from 100. */
async function insertRuns(projectId: string, count: number): Promise<void> {
  const runs = Array.from({ length: count }, (_, index) => ({
    id: uuidv7(),
    project_id: projectId,
    name: `Run ${index}`,
    passed_count: 100 - index,
    failed_count: index,
    run_group: 0,
  }))
  await server.db.insertInto('runs').values(runs).execute()
}
