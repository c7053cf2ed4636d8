import { makeRun, makeTestCases } from '@caseward/test-support/factories'
import { makeTeam } from '@caseward/test-support/team'
import { useSharedServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

describe('POST /v1/runs/:run_id/results/assign', () => {
  it('assigns 10,000 results with one request, and repeating it changes nothing', async () => {
    const { project, token, admin, member } = await makeTeam(server)
    const caseIds = await makeTestCases(server, project, 10_000)
    const run = await makeRun(server, project)
    const path = `/v1/runs/${run.id}/results`
    const assign = () =>
      server.request('POST', `${path}/assign`, {
        token,
        body: { result_ids: caseIds, user_ids: [admin.id, member.id] },
      })
    expect(await assign()).toMatchObject({ body: { data: { assigned: 10_000 } } })
    const ofMember = await server.request('GET', `${path}?fields=row&assigned_to=${member.id}&per_page=1`, { token })
    expect(ofMember.body).toMatchObject({ meta: { total: 5000 } })
    const readLastChange = () =>
      server.db
        .selectFrom('test_results')
        .select((row) => row.fn.max('changed_at').as('at'))
        .where('run_id', '=', run.id)
        .executeTakeFirst()
    const before = await readLastChange()
    await assign()
    expect(await readLastChange()).toEqual(before)
  })
})
