import type { WorkRun } from '@caseward/contract/assignments'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import { insertMember } from '../members/members.queries.ts'

// It stores results of runs that are gone, with ids that other files have, too.
const server = useSharedServer()

const listWork = async (token: string) =>
  (await server.request<{ data: WorkRun[] }>('GET', '/v1/me/work', { token })).body.data

async function makeWork(project: Awaited<ReturnType<typeof makeProject>>, userId: string, name: string) {
  const ids = await makeTestCases(server, project, 3)
  const run = await makeRun(server, project, { name, test_case_ids: ids })
  const { token } = project.admin
  const body = { result_ids: ids.slice(0, 2), user_ids: [userId] }
  const { status } = await server.request('POST', `/v1/runs/${run.id}/results/assign`, { token, body })
  expect(status).toBe(200)
  return { id: run.id, ids, token }
}

describe('GET /v1/me/work', () => {
  it('lists the runs in progress of all projects with the counts of what is assigned to the user', async () => {
    const [shop, office] = [await makeProject(server, { name: 'Shop' }), await makeProject(server, { name: 'Office' })]
    const member = await makeMember(server, shop.id, 'member')
    await insertMember(server.db, { projectId: office.id, userId: member.id, role: 'member' })
    const first = await makeWork(shop, member.id, 'Regression')
    const second = await makeWork(office, member.id, 'Smoke')
    const finished = await makeWork(shop, member.id, 'Finished')
    await server.request('PATCH', `/v1/runs/${finished.id}`, { token: finished.token, body: { status: 'completed' } })
    const path = `/v1/runs/${first.id}/results/${first.ids[0]}`
    await server.request('PUT', path, { token: first.token, body: { status: 'failed' } })

    const stats = { passed: 0, failed: 0, blocked: 0, retest: 0, not_tested: 2 }
    expect(await listWork(member.token)).toMatchObject([
      { id: second.id, name: 'Smoke', project_id: office.id, project_name: 'Office', stats },
      { id: first.id, name: 'Regression', project_id: shop.id, stats: { ...stats, failed: 1, not_tested: 1 } },
    ])
    expect(await listWork(shop.admin.token)).toEqual([])
  })

  it('finds a run before 150 newer ones of the same user, and nothing of a project that the user has left', async () => {
    const project = await makeProject(server)
    const member = await makeMember(server, project.id, 'member')
    const { id, token } = await makeWork(project, member.id, 'Old')
    // Completed runs count as much as runs that are gone, which these are. No other test has runs with these ids.
    await sql`
      insert into test_results (project_id, run_id, run_group, id, case_number, title, assigned_to)
      select ${project.id}, overlay(gen_random_uuid()::text placing 'ffffffff' from 1)::uuid, 0, gen_random_uuid(), 1, '', ${member.id}
      from generate_series(1, 150) n`.execute(server.db)
    expect(await listWork(member.token)).toMatchObject([{ id }])
    await server.request('DELETE', `/v1/projects/${project.id}/members/${member.id}`, { token })
    expect(await listWork(member.token)).toEqual([])
  })
})
