import { describe, expect, it } from 'vitest'

import { makeCiToken, makeInvitation, makeProject } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'

const server = useSharedServer()

const leave = (projectId: string, { token }: { token: string }) =>
  server.request('DELETE', `/v1/projects/${projectId}/members/me`, { token })

describe('DELETE /v1/projects/:project_id/members/me', () => {
  it.each(['viewer', 'member', 'admin'] as const)(
    'ends the membership of a %s, and is recorded as theirs',
    async (role) => {
      const { id, admin } = await makeProject(server)
      const user = await makeMember(server, id, role)
      expect((await leave(id, user)).status).toBe(204)
      expect((await server.expectProblem(403, 'GET', `/v1/projects/${id}`, user)).code).toBe('not_a_member')
      const log = await server.request<{ data: unknown[] }>(
        'GET',
        `/v1/projects/${id}/audit-log?action=member.remove`,
        admin,
      )
      expect(log.body.data).toMatchObject([{ actor: { id: user.id }, subject: { id: user.id }, detail: { role } }])
      const members = await server.request<{ meta: { total: number } }>('GET', `/v1/projects/${id}/members`, admin)
      expect(members.body.meta.total).toBe(1)
    },
  )

  it('returns 422 last_admin for the only admin', async () => {
    const { id, admin } = await makeProject(server)
    await makeMember(server, id, 'member')
    const problem = await server.expectProblem(422, 'DELETE', `/v1/projects/${id}/members/me`, admin)
    expect(problem.code).toBe('last_admin')
  })

  it('keeps one admin when both leave at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id, admin } = await makeProject(server)
      const other = await makeMember(server, id, 'admin')
      const statuses = (await Promise.all([leave(id, admin), leave(id, other)])).map(({ status }) => status)
      expect(statuses.toSorted((first, second) => first - second)).toEqual([204, 422])
    }
  })

  it('revokes the pending invitations of an admin, and marks their CI tokens for review', async () => {
    const project = await makeProject(server)
    const other = await makeMember(server, project.id, 'admin')
    await makeInvitation(server, project)
    await makeCiToken(server, project)
    await leave(project.id, project.admin)
    const invitations = await server.request<{ data: { status: string }[] }>(
      'GET',
      `/v1/projects/${project.id}/invitations`,
      other,
    )
    expect(invitations.body.data.map(({ status }) => status)).toEqual(['revoked'])
    const tokens = await server.request<{ data: { needs_review: boolean }[] }>(
      'GET',
      `/v1/projects/${project.id}/tokens`,
      other,
    )
    expect(tokens.body.data.map(({ needs_review }) => needs_review)).toEqual([true])
  })
})
