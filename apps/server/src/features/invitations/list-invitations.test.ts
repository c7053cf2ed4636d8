import { describe, expect, it } from 'vitest'

import { makeInvitation } from '@caseward/test-support/factories'
import { acceptAsNewUser, expireInvitation, makeInvitationScenario } from '@caseward/test-support/invitation-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

describe('GET /v1/projects/:project_id/invitations', () => {
  it(
    'returns the invitations with exactly their fields, the newest first',
    { tags: ['spec:invitations/exactly-these-fields'] },
    async () => {
      const { project, list } = await makeInvitationScenario(server)
      const invitations = [await makeInvitation(server, project), await makeInvitation(server, project)]
      const { status, body } = await list()
      expect(status).toBe(200)
      expect(body.data.map(({ id }) => id)).toEqual(invitations.map(({ id }) => id).toReversed())
      expect(Object.keys(body.data[0] ?? {}).toSorted()).toEqual(
        ['id', 'email', 'role', 'status', 'invited_by', 'expires_at', 'created_at'].toSorted(),
      )
      expect(body.meta).toEqual({ page: 1, per_page: 20, total: 2 })
    },
  )

  it.each([['pending'], ['accepted'], ['revoked'], ['expired']])(
    'filters by the status %s',
    { tags: ['spec:invitations/further-values-of-status-decided'] },
    async (status) => {
      const { project, list, revoke } = await makeInvitationScenario(server)
      const [, accepted, revoked, expired] = [
        await makeInvitation(server, project),
        await makeInvitation(server, project),
        await makeInvitation(server, project),
        await makeInvitation(server, project),
      ]
      await acceptAsNewUser(server, accepted.secret)
      await revoke(revoked.id)
      await expireInvitation(server, expired.id)
      const { body } = await list(`?status=${status}`)
      expect(body.data.map((invitation) => invitation.status)).toEqual([status])
      expect(body.meta).toMatchObject({ total: 1 })
    },
  )

  it('returns the requested page', async () => {
    const { project, list } = await makeInvitationScenario(server)
    const { id } = await makeInvitation(server, project)
    await makeInvitation(server, project)
    const { body } = await list('?page=2&per_page=1')
    expect(body).toMatchObject({ data: [{ id }], meta: { page: 2, per_page: 1, total: 2 } })
  })

  it('returns 400 for an unknown status', { tags: ['spec:invitations/further-values-of-status-decided'] }, async () => {
    const { token, path } = await makeInvitationScenario(server)
    await server.expectProblem(400, 'GET', `${path}?status=open`, { token })
  })
})
