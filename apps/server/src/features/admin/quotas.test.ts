import type { Problem } from '@caseward/contract/problem'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeCiToken, makeInvitation, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeInstanceAdmin, makeUser } from '@caseward/test-support/users'

const server = useTestServer()
let token: string
beforeAll(async () => {
  token = (await makeInstanceAdmin(server)).token
})

const unlimited = {
  max_projects_per_user: null,
  max_members_per_project: null,
  max_test_cases_per_project: null,
  max_runs_per_project: null,
}
const setQuotas = (body: object) => server.request('PATCH', '/v1/admin/settings', { token, body })
beforeEach(() => setQuotas(unlimited))

/** Expects that exactly `limit` of the responses are successes, and that the others name the quota. */
function expectQuota(responses: readonly { status: number; body: unknown }[], limit: number, code = 'quota_reached') {
  const refused = responses.filter(({ status }) => status >= 400)
  expect(refused.map(({ status, body }) => [status, (body as Problem).code])).toEqual(refused.map(() => [422, code]))
  expect(responses.length - refused.length).toBe(limit)
}

describe('quotas', () => {
  it('are unlimited by default, can be set and removed, and are recorded', async () => {
    expect((await server.request('GET', '/v1/admin/settings', { token })).body).toMatchObject({ data: unlimited })
    const { body } = await setQuotas({ max_runs_per_project: 7 })
    expect(body).toMatchObject({ data: { ...unlimited, max_runs_per_project: 7, project_creation: 'everyone' } })
    await server.expectProblem(400, 'PATCH', '/v1/admin/settings', { token, body: { max_runs_per_project: 0 } })
    const path = '/v1/admin/audit-log?action=instance.update_settings&per_page=1'
    expect((await server.request('GET', path, { token })).body).toMatchObject({
      data: [{ detail: { max_runs_per_project: { from: null, to: 7 } } }],
    })
  })

  it('of test cases hold for single and bulk creation, imports and uploads that create test cases, all or nothing', async () => {
    const project = await makeProject(server)
    await makeTestCases(server, project, 2)
    const run = await makeRun(server, project)
    const ci = await makeCiToken(server, project, 'write', { grants: ['cases:create'] })
    await setQuotas({ max_test_cases_per_project: 3 })
    const cases = `/v1/projects/${project.id}/test-cases`
    const own = { token: project.admin.token }
    const two = [{ title: 'a' }, { title: 'b' }]
    const tests = ['a', 'b'].map((name) => ({ name, suite: 'shop', attempts: [{ status: 'passed' }] }))
    const responses = [
      await server.request('POST', `${cases}/bulk`, { ...own, body: { test_cases: two } }),
      await server.request('POST', '/v1/results', {
        token: ci,
        body: { run_id: run.id, format: 'tests', create_test_cases: true, tests },
      }),
      await server.request('POST', cases, { ...own, body: { title: 'a' } }),
      await server.request('POST', cases, { ...own, body: { title: 'b' } }),
    ]
    expectQuota(responses, 1)
    expect(responses[0]?.body).toMatchObject({
      detail: expect.stringMatching(/limit of 3 test cases.*max_test_cases_per_project/) as unknown,
    })
    await expectCorrectCounters(server, project.id)
    expectQuota([await server.request('POST', '/v1/projects/demo', own)], 0)
  })

  it('of runs hold when requests race', async () => {
    const project = await makeProject(server)
    await setQuotas({ max_runs_per_project: 3 })
    const create = () =>
      server.request('POST', `/v1/projects/${project.id}/runs`, { token: project.admin.token, body: { name: 'Run' } })
    expectQuota(await Promise.all(Array.from({ length: 8 }, create)), 3)
    await expectCorrectCounters(server, project.id)
    const list = await server.request('GET', `/v1/projects/${project.id}/runs`, { token: project.admin.token })
    expect(list.body).toMatchObject({ meta: { total: 3 } })
  })

  it('of members hold when an invitation is accepted, which stays valid', async () => {
    const project = await makeProject(server)
    const { secret } = await makeInvitation(server, project)
    await setQuotas({ max_members_per_project: 1 })
    const accept = () =>
      server.request('POST', `/v1/invitations/${secret}/accept`, {
        body: { name: 'Mira', password: 'correct horse battery' },
      })
    expectQuota([await accept()], 0)
    await setQuotas({ max_members_per_project: 2 })
    expect((await accept()).status).toBe(200)
  })

  it('of projects count those that a user administers, and hold when requests race', async () => {
    const user = await makeUser(server)
    await setQuotas({ max_projects_per_user: 2 })
    const create = () =>
      server.request('POST', '/v1/projects', { token: user.token, body: { name: 'Web', prefix: 'WEB' } })
    expectQuota(await Promise.all(Array.from({ length: 6 }, create)), 2)
    const { rows } = await sql`select from memberships where user_id = ${user.id}`.execute(server.db)
    expect(rows).toHaveLength(2)
  })

  it('that are lower than what exists delete nothing, and allow changes', async () => {
    const project = await makeProject(server)
    const [id] = await makeTestCases(server, project, 3)
    await setQuotas({ max_test_cases_per_project: 1 })
    const path = `/v1/projects/${project.id}/test-cases/${id}`
    // Archiving is no way around a quota, and restoring adds nothing.
    for (const archived of [true, false]) {
      const body = { archived }
      expect((await server.request('PATCH', path, { token: project.admin.token, body })).status).toBe(200)
    }
    expect((await server.request('PATCH', path, { token: project.admin.token, body: { archived: true } })).status).toBe(
      200,
    )
    const create = { token: project.admin.token, body: { title: 'Another' } }
    expectQuota([await server.request('POST', `/v1/projects/${project.id}/test-cases`, create)], 0)
    expect((await server.request('PATCH', path, { token: project.admin.token, body: { title: 'New' } })).status).toBe(
      200,
    )
    expect((await server.request('DELETE', path, { token: project.admin.token })).status).toBe(200)
  })
})
