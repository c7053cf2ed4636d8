import type { ChangedMember } from '@caseward/contract/members'
import { describe, expect, it } from 'vitest'

import { makeTeam } from '@caseward/test-support/team'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember, makeUser } from '@caseward/test-support/users'

const server = useSharedServer()

const unknownId = '01a1fc2b-5f29-7584-9e03-d27674921b66'

describe('PATCH /v1/projects/:project_id/members/:user_id', () => {
  it(
    'changes the role, and returns the member with updated_at at top level',
    {
      tags: [
        'spec:conventions/members-and-invitations-are-at-top-level',
        'spec:members/updated_at-is-only-in-the-answer-to-a-change-of',
        'spec:members/patch-200-with-the-member-and-updated_at',
      ],
    },
    async () => {
      const { path, token, viewer } = await makeTeam(server)
      const before = new Date()
      const response = await server.request<ChangedMember>('PATCH', `${path}/${viewer.id}`, {
        token,
        body: { role: 'member' },
      })
      expect(response.status).toBe(200)
      expect(response.body).toEqual({
        id: viewer.id,
        email: viewer.email,
        name: expect.any(String),
        avatar_url: null,
        role: 'member',
        joined_at: expect.any(String),
        updated_at: expect.any(String),
      })
      expect(new Date(response.body.updated_at).getTime()).toBeGreaterThanOrEqual(before.getTime() - 1)
    },
  )

  it.each([['admin'], ['member'], ['viewer']] as const)(
    'changes the role to %s',
    { tags: ['spec:members/role-admin-member-or-viewer', 'spec:members/patch-role-is-required-one-of-three'] },
    async (role) => {
      const { project, path, token, list } = await makeTeam(server)
      const { id } = await makeMember(server, project.id, role === 'viewer' ? 'member' : 'viewer')
      const response = await server.request('PATCH', `${path}/${id}`, { token, body: { role } })
      expect(response).toMatchObject({ status: 200, body: { id, role } })
      expect((await list()).body.data.find((member) => member.id === id)?.role).toBe(role)
    },
  )

  it('does not change updated_at when the role is the same', async () => {
    const { path, token, viewer } = await makeTeam(server)
    const setViewer = () =>
      server.request<ChangedMember>('PATCH', `${path}/${viewer.id}`, { token, body: { role: 'viewer' } })
    expect((await setViewer()).body.updated_at).toBe((await setViewer()).body.updated_at)
  })

  it('takes effect with the next request', async () => {
    const { project, path, token, viewer } = await makeTeam(server)
    const create = () =>
      server.request('POST', `/v1/projects/${project.id}/test-cases`, { token: viewer.token, body: { title: 'x' } })
    expect((await create()).status).toBe(403)
    await server.request('PATCH', `${path}/${viewer.id}`, { token, body: { role: 'member' } })
    expect((await create()).status).toBe(201)
    await server.request('PATCH', `${path}/${viewer.id}`, { token, body: { role: 'viewer' } })
    expect((await create()).status).toBe(403)
  })

  it.each([['owner'], ['Admin'], [''], [null], [1], [undefined]])(
    'returns 400 for the role %j',
    {
      tags: [
        'spec:members/role-admin-member-or-viewer',
        'spec:members/patch-role-is-required-one-of-three',
        'spec:members/another-role-is-400',
        'spec:errors/400-members-invalid-body',
      ],
    },
    async (role) => {
      const { path, token, viewer } = await makeTeam(server)
      const problem = await server.expectProblem(400, 'PATCH', `${path}/${viewer.id}`, { token, body: { role } })
      expect(problem.errors).toMatchObject([{ path: '/role' }])
    },
  )

  it(
    'returns 404 for an unknown member when the body is valid, and 400 when it is not',
    { tags: ['spec:errors/404-members-no-such-member'] },
    async () => {
      const { path, token } = await makeTeam(server)
      const otherUser = await makeUser(server)
      for (const id of [otherUser.id, unknownId, 'nonsense']) {
        await server.expectProblem(404, 'PATCH', `${path}/${id}`, { token, body: { role: 'viewer' } })
        await server.expectProblem(400, 'PATCH', `${path}/${id}`, { token, body: { role: 'nobody' } })
      }
    },
  )

  it(
    'returns 403 to members and viewers before any error in the body',
    {
      tags: [
        'spec:members/patch-admins-only',
        'spec:authentication/changing-roles-is-for-admins-403-for-others',
        'spec:errors/403-members-admins-only',
      ],
    },
    async () => {
      const { path, member, viewer } = await makeTeam(server)
      for (const { token } of [member, viewer]) {
        await server.expectProblem(403, 'PATCH', `${path}/${viewer.id}`, { token, body: { role: 'nonsense' } })
      }
    },
  )
})
