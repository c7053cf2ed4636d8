import { describe, expect, it } from 'vitest'

import { makeTeam } from '@caseward/test-support/team'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'

const server = useSharedServer()

const unknownId = '01a1fc2b-5f29-7584-9e03-d27674921b66'

describe('DELETE /v1/projects/:project_id/members/:user_id', () => {
  it(
    'returns 204 without a body, removes the member and updates the member count',
    { tags: ['spec:members/delete-204-with-an-empty-body'] },
    async () => {
      const { path, token, viewer, list, countMembers } = await makeTeam(server)
      expect(await server.request('DELETE', `${path}/${viewer.id}`, { token })).toMatchObject({ status: 204, body: '' })
      expect((await list()).body.meta).toMatchObject({ total: 2 })
      expect(await countMembers()).toBe(2)
    },
  )

  it('revokes access with the next request', async () => {
    const { path, token, viewer, list } = await makeTeam(server)
    expect((await list('', viewer.token)).status).toBe(200)
    await server.request('DELETE', `${path}/${viewer.id}`, { token })
    await server.expectProblem(403, 'GET', path, { token: viewer.token })
  })

  it('removes an admin when there is another one', async () => {
    const { project, path, token, admin } = await makeTeam(server)
    await makeMember(server, project.id, 'admin')
    expect((await server.request('DELETE', `${path}/${admin.id}`, { token })).status).toBe(204)
    await server.expectProblem(403, 'GET', path, { token })
  })

  it(
    'returns 404 for an unknown member, and for a member who was removed',
    { tags: ['spec:errors/404-members-no-such-member'] },
    async () => {
      const { path, token, viewer, countMembers } = await makeTeam(server)
      await server.request('DELETE', `${path}/${viewer.id}`, { token })
      for (const id of [viewer.id, unknownId, 'nonsense'])
        await server.expectProblem(404, 'DELETE', `${path}/${id}`, { token })
      expect(await countMembers()).toBe(2)
    },
  )

  it(
    'returns 403 to members and viewers, also for themselves',
    {
      tags: [
        'spec:members/delete-admins-only',
        'spec:authentication/removing-members-is-for-admins-403-for-others',
        'spec:errors/403-members-admins-only',
      ],
    },
    async () => {
      const { path, member, viewer } = await makeTeam(server)
      await server.expectProblem(403, 'DELETE', `${path}/${viewer.id}`, { token: member.token })
      await server.expectProblem(403, 'DELETE', `${path}/${viewer.id}`, { token: viewer.token })
    },
  )

  it('keeps the test cases that the member created', async () => {
    const { project, path, token, member } = await makeTeam(server)
    const cases = `/v1/projects/${project.id}/test-cases`
    await server.request('POST', cases, { token: member.token, body: { title: 'Stays' } })
    await server.request('DELETE', `${path}/${member.id}`, { token })
    const { body } = await server.request('GET', `${cases}/WEB-1`, { token })
    expect(body['data']).toMatchObject({ title: 'Stays', created_by: member.id })
  })
})
