import { describe, expect, it } from 'vitest'

import { makeInvitation } from '@caseward/test-support/factories'
import {
  expireInvitation,
  getLinkSecret,
  getLinkStatus,
  makeInvitationScenario,
  selectQueuedMails,
} from '@caseward/test-support/invitation-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

const DAY_MS = 24 * 60 * 60 * 1000

describe('POST /v1/projects/:project_id/invitations/:invitation_id/resend', () => {
  it(
    'returns a new link that is valid for seven days, and invalidates the earlier one',
    { tags: ['spec:invitations/validity-decided-seven-days'] },
    async () => {
      const { project, resend } = await makeInvitationScenario(server)
      const { id, secret } = await makeInvitation(server, project)
      await server.db
        .updateTable('invitations')
        .set({ expires_at: new Date(Date.now() + DAY_MS) })
        .where('id', '=', id)
        .execute()
      const { status, body } = await resend(id)
      expect(status).toBe(200)
      expect(new Date(body.expires_at).getTime()).toBeGreaterThan(Date.now() + 6.9 * DAY_MS)
      expect(await getLinkStatus(server, secret)).toBe(410)
      expect(await getLinkStatus(server, getLinkSecret(body))).toBe(200)
    },
  )

  it('makes an expired invitation pending again', { tags: ['spec:invitations/transitions-decided'] }, async () => {
    const { project, resend } = await makeInvitationScenario(server)
    const { id } = await makeInvitation(server, project)
    await expireInvitation(server, id)
    expect((await resend(id)).body).toMatchObject({ id, status: 'pending' })
  })

  it('returns 409 for an expired invitation when another one for the address is pending', async () => {
    const { project, invite, resend } = await makeInvitationScenario(server)
    const { id, email } = await makeInvitation(server, project)
    await expireInvitation(server, id)
    await invite(email)
    const response = await resend(id)
    expect([response.status, response.body]).toMatchObject([409, { code: 'invitation_pending' }])
  })

  it('returns 409 for a revoked invitation', async () => {
    const { project, resend, revoke } = await makeInvitationScenario(server)
    const { id } = await makeInvitation(server, project)
    await revoke(id)
    expect((await resend(id)).status).toBe(409)
  })

  it('replaces an email that is still queued', async () => {
    const { project, resend } = await makeInvitationScenario(server)
    const { id } = await makeInvitation(server, project)
    await resend(id)
    expect(await selectQueuedMails(server, id)).toHaveLength(1)
  })
})
