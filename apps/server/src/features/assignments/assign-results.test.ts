import type { ResultRow } from '@caseward/contract/result-rows'
import { describe, expect, it } from 'vitest'

import { makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { makeTeam } from '@caseward/test-support/team'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

async function makeAssignableRun(caseCount: number) {
  const team = await makeTeam(server)
  const caseIds = await makeTestCases(server, team.project, caseCount)
  const run = await makeRun(server, team.project)
  const list = async (query = '', token = team.token) =>
    (
      await server.request<{ data: ResultRow[]; meta: { total: number } }>(
        'GET',
        `/v1/runs/${run.id}/results?fields=row${query}`,
        { token },
      )
    ).body
  return {
    ...team,
    run,
    caseIds,
    list,
    assign: (result_ids: string[], user_ids: string[], token = team.token) =>
      server.request('POST', `/v1/runs/${run.id}/results/assign`, { token, body: { result_ids, user_ids } }),
    listAssignees: async () => (await list()).data.map(({ assigned_to: id }) => id),
  }
}

describe('POST /v1/runs/:run_id/results/assign', () => {
  it('assigns results to several people in turn, in the order of the run, and to nobody', async () => {
    const { assign, listAssignees, list, caseIds, admin, member } = await makeAssignableRun(5)
    const [first, second] = (await list()).data
    // Ids of results and of test cases, in any order.
    const ids = [...caseIds.slice(2).toReversed(), second?.id ?? '', first?.id ?? '']
    expect(await assign(ids, [admin.id, member.id])).toMatchObject({ status: 200, body: { data: { assigned: 5 } } })
    expect(await listAssignees()).toEqual([admin.id, member.id, admin.id, member.id, admin.id])
    await assign(caseIds.slice(0, 2), [])
    expect(await listAssignees()).toEqual([null, null, admin.id, member.id, admin.id])
  })

  it('keeps the result, and a result keeps who it is assigned to', async () => {
    const { assign, list, caseIds, member, run, token } = await makeAssignableRun(1)
    const [id = ''] = caseIds
    const path = `/v1/runs/${run.id}/results/${id}`
    await server.request('PUT', path, { token, body: { status: 'failed', note: 'The total is wrong' } })
    await assign([id], [member.id])
    expect((await list()).data[0]).toMatchObject({ status: 'failed', assigned_to: member.id })
    await server.request('PUT', path, { token, body: { status: 'passed' } })
    expect((await list()).data[0]).toMatchObject({ status: 'passed', assigned_to: member.id })
    expect((await server.request('GET', path, { token })).body).toMatchObject({ data: { assigned_to: member.id } })
  })

  it('refuses all of a request that names a result of another run, or somebody who may not test', async () => {
    const { assign, listAssignees, caseIds, admin, viewer } = await makeAssignableRun(2)
    const outsider = await makeProject(server)
    const response = await assign(
      [caseIds[0] ?? '', 'WEB-99', 'no id'],
      [admin.id, viewer.id, outsider.admin.id, 'nobody'],
    )
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    const { errors } = response.body as { errors: { path: string; message: string }[] }
    expect(errors.map(({ path, message }) => `${path} ${message}`)).toEqual([
      '/user_ids/1 is not an admin or member of this project',
      '/user_ids/2 is not an admin or member of this project',
      '/user_ids/3 is not an admin or member of this project',
      '/result_ids/1 is not a result of this run',
      '/result_ids/2 is not a result of this run',
    ])
    expect(await listAssignees()).toEqual([null, null])
  })

  it('refuses a completed run', async () => {
    const { assign, caseIds, member, run, token } = await makeAssignableRun(1)
    await server.request('PATCH', `/v1/runs/${run.id}`, { token, body: { status: 'completed' } })
    expect(await assign(caseIds, [member.id])).toMatchObject({ status: 409, body: { code: 'run_completed' } })
  })
})

describe('GET /v1/runs/:run_id/results?assigned_to=', () => {
  it('returns the results of a user, of the caller with `me`, and those of `nobody`', async () => {
    const { assign, list, caseIds, admin, member } = await makeAssignableRun(4)
    await assign(caseIds.slice(0, 1), [admin.id])
    await assign(caseIds.slice(1, 3), [member.id])
    const listIds = async (assignedTo: string, token?: string) =>
      (await list(`&assigned_to=${assignedTo}`, token)).data.map(({ test_case_id: id }) => id)
    expect(await listIds(member.id)).toEqual(caseIds.slice(1, 3))
    expect(await listIds('me', member.token)).toEqual(caseIds.slice(1, 3))
    expect(await listIds('me')).toEqual(caseIds.slice(0, 1))
    expect(await listIds('nobody')).toEqual(caseIds.slice(3))
    expect(await listIds('somebody')).toEqual([])
    expect((await list('&assigned_to=me&status=failed')).meta.total).toBe(0)
  })

  it('counts all pages of the complete list, too', async () => {
    const { assign, caseIds, member, run, token } = await makeAssignableRun(3)
    await assign(caseIds.slice(1), [member.id])
    const path = `/v1/runs/${run.id}/results?assigned_to=${member.id}&per_page=1`
    expect((await server.request('GET', path, { token })).body).toMatchObject({
      data: [{ test_case_id: caseIds[1] }],
      meta: { total: 2 },
    })
  })
})
