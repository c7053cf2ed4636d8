import { describe, expect, it } from 'vitest'

import { makeInvitation } from '@caseward/test-support/factories'
import { acceptAsNewUser, getLinkStatus, makeInvitationScenario } from '@caseward/test-support/invitation-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

const unknownId = '01a1fc2b-5f29-7584-9e03-d27674921b66'

describe('DELETE /v1/projects/:project_id/invitations/:invitation_id', () => {
  it(
    'returns 204 and invalidates the link, also when it is repeated',
    { tags: ['spec:invitations/transitions-decided'] },
    async () => {
      const { project, revoke } = await makeInvitationScenario(server)
      const { id, secret } = await makeInvitation(server, project)
      expect(await getLinkStatus(server, secret)).toBe(200)
      expect(await revoke(id)).toMatchObject({ status: 204, body: '' })
      expect(await getLinkStatus(server, secret)).toBe(410)
      expect((await revoke(id)).status).toBe(204)
    },
  )

  it('returns 409 for an accepted invitation', { tags: ['spec:invitations/transitions-decided'] }, async () => {
    const { project, token, path } = await makeInvitationScenario(server)
    const { id, secret } = await makeInvitation(server, project)
    await acceptAsNewUser(server, secret)
    const problem = await server.expectProblem(409, 'DELETE', `${path}/${id}`, { token })
    expect(problem.code).toBe('invitation_accepted')
  })

  it('and resending return 404 for an unknown invitation, and for one of another project', async () => {
    const { path, token } = await makeInvitationScenario(server)
    const { project: otherProject } = await makeInvitationScenario(server)
    for (const id of [(await makeInvitation(server, otherProject)).id, unknownId, 'nonsense']) {
      await server.expectProblem(404, 'DELETE', `${path}/${id}`, { token })
      await server.expectProblem(404, 'POST', `${path}/${id}/resend`, { token })
    }
  })
})
