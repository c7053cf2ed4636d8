import type { Project } from '@caseward/contract/projects'
import { describe, expect, it } from 'vitest'

import { makeInvitation, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember, makeUser } from '@caseward/test-support/users'

const server = useSharedServer()

describe('GET /v1/projects/:project_id', () => {
  it(
    'returns all fields of the project, with description and counts',
    {
      tags: [
        'spec:conventions/a-single-project-is-wrapped-in-data',
        'spec:conventions/success-codes-not-stated-decided-201-for-what',
        'spec:projects/id-string',
        'spec:projects/name-the-display-name',
        'spec:projects/description-is-in-the-single-read',
        'spec:projects/test_case_count-integer',
        'spec:projects/run_count-integer',
        'spec:projects/member_count-is-in-the-single-read',
        'spec:projects/created_at-timestamp',
        'spec:projects/get-one-with-description-and-member_count',
      ],
    },
    async () => {
      const project = await makeProject(server, { name: 'Web shop' })
      const { token } = project.admin
      const path = `/v1/projects/${project.id}`
      await server.request('PATCH', path, { token, body: { description: 'Sells' } })
      await makeTestCases(server, project, 3)
      await makeRun(server, project)
      const { status, body } = await server.request('GET', path, { token })
      expect(status).toBe(200)
      expect(body).toEqual({
        data: {
          id: project.id,
          name: 'Web shop',
          prefix: 'WEB',
          description: 'Sells',
          test_case_count: 3,
          run_count: 1,
          member_count: 1,
          created_at: project.created_at,
          updated_at: expect.any(String),
        },
      })
    },
  )

  it(
    'returns the number of members after one joins and after one is removed',
    { tags: ['spec:projects/member_count-is-in-the-single-read'] },
    async () => {
      const project = await makeProject(server)
      const { token } = project.admin
      const path = `/v1/projects/${project.id}`
      const count = async () => (await server.request<{ data: Project }>('GET', path, { token })).body.data.member_count
      const guest = await makeUser(server)
      const { secret } = await makeInvitation(server, project, { email: guest.email })
      await server.request('POST', `/v1/invitations/${secret}/accept`, { token: guest.token })
      expect(await count()).toBe(2)
      await server.request('DELETE', `${path}/members/${guest.id}`, { token })
      expect(await count()).toBe(1)
    },
  )

  it('returns 404 for an unknown or malformed id, and 403 for a user who is not a member', async () => {
    const project = await makeProject(server)
    const { token } = await makeUser(server)
    await server.expectProblem(404, 'GET', '/v1/projects/not-an-id', { token })
    await server.expectProblem(404, 'GET', '/v1/projects/01a1fc2b-5f29-7584-9e03-d27674921b66', { token })
    await server.expectProblem(403, 'GET', `/v1/projects/${project.id}`, { token })
  })
})

describe('PATCH /v1/projects/:project_id', () => {
  it(
    'does not change the prefix, and returns the fields that an update returns',
    {
      tags: [
        'spec:conventions/success-codes-not-stated-decided-201-for-what',
        'spec:projects/description-is-in-the-answer-to-an-update',
        'spec:projects/further-configuration-of-a-project-decided',
        'spec:projects/patch-answers-id-name-prefix-description',
      ],
    },
    async () => {
      const project = await makeProject(server)
      const body = { name: 'New name', prefix: 'NEW' }
      const response = await server.request('PATCH', `/v1/projects/${project.id}`, { token: project.admin.token, body })
      expect([response.status, response.body]).toEqual([
        200,
        {
          data: { id: project.id, name: 'New name', prefix: 'WEB', description: '', updated_at: expect.any(String) },
          warnings: [{ code: 'unknown_field', field: '/prefix' }],
        },
      ])
    },
  )

  it.each([
    [{ name: 'New name' }, { name: 'New name', description: 'Old' }],
    [{ description: 'New' }, { name: 'Web shop', description: 'New' }],
    [{}, { name: 'Web shop', description: 'Old' }],
  ])(
    'changes only the fields that are sent: %j',
    {
      tags: [
        'spec:conventions/updates-change-only-the-fields-sent',
        'spec:projects/patch-name-is-optional',
        'spec:projects/patch-description-is-optional',
      ],
    },
    async (body, expected) => {
      const project = await makeProject(server, { name: 'Web shop' })
      const { token } = project.admin
      const path = `/v1/projects/${project.id}`
      await server.request('PATCH', path, { token, body: { description: 'Old' } })
      expect((await server.request('PATCH', path, { token, body })).body['data']).toMatchObject(expected)
      expect((await server.request('GET', path, { token })).body['data']).toMatchObject(expected)
    },
  )

  it('updates updated_at', { tags: ['spec:projects/updated_at-timestamp'] }, async () => {
    const project = await makeProject(server)
    const options = { token: project.admin.token, body: { description: 'New' } }
    const { body } = await server.request<{ data: Project }>('PATCH', `/v1/projects/${project.id}`, options)
    expect(body.data.updated_at > project.updated_at).toBe(true)
  })

  it(
    'does not change updated_at when a test case is created',
    { tags: ['spec:projects/further-configuration-of-a-project-decided'] },
    async () => {
      const project = await makeProject(server)
      await makeTestCases(server, project, 1)
      const { body } = await server.request('GET', `/v1/projects/${project.id}`, { token: project.admin.token })
      expect(body['data']).toMatchObject({ updated_at: project.updated_at })
    },
  )
})

describe('DELETE /v1/projects/:project_id', () => {
  it(
    'deletes the project with its test cases, runs, results and memberships',
    {
      tags: ['spec:projects/delete-answers-a-message', 'spec:projects/delete-takes-test-cases-runs-and-results-along'],
    },
    async () => {
      const project = await makeProject(server)
      await makeTestCases(server, project, 2)
      const run = await makeRun(server, project)
      const { token } = project.admin
      const response = await server.request('DELETE', `/v1/projects/${project.id}`, { token })
      expect(response.status).toBe(200)
      expect(response.body).toEqual({ message: expect.any(String) })
      await server.expectProblem(404, 'GET', `/v1/projects/${project.id}`, { token })
      await server.expectProblem(404, 'GET', `/v1/projects/${project.id}/test-cases/WEB-1`, { token })
      await server.expectProblem(404, 'GET', `/v1/runs/${run.id}`, { token })
      await server.expectProblem(404, 'GET', `/v1/runs/${run.id}/results`, { token })
      for (const table of ['test_cases', 'runs', 'test_results', 'memberships'] as const) {
        const left = await server.db
          .selectFrom(table)
          .select('project_id')
          .where('project_id', '=', project.id)
          .execute()
        expect([table, left]).toEqual([table, []])
      }
    },
  )
})

describe('PATCH and DELETE /v1/projects/:project_id', () => {
  it(
    'returns 403 to members and viewers before validating the body',
    { tags: ['spec:authentication/permission-project-settings-delete-project'] },
    async () => {
      const project = await makeProject(server)
      for (const role of ['member', 'viewer'] as const) {
        const { token } = await makeMember(server, project.id, role)
        await server.expectProblem(403, 'PATCH', `/v1/projects/${project.id}`, { token, body: { name: '' } })
        await server.expectProblem(403, 'DELETE', `/v1/projects/${project.id}`, { token })
      }
    },
  )
})
