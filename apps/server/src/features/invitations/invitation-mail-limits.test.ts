import { describe, expect, it } from 'vitest'

import { makeProject } from '@caseward/test-support/factories'
import {
  getLinkSecret,
  getLinkStatus,
  makeInvitationScenario,
  selectQueuedMails,
} from '@caseward/test-support/invitation-scenario'
import { startMailServerForTest } from '@caseward/test-support/mail-server'
import { getWaitingMails } from '@caseward/test-support/mails'
import { startServerForTest, useTestServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'

const server = useTestServer()

/** Lets the time pass after which an address may get another email. */
const passFiveMinutes = async () =>
  void (await server.db
    .updateTable('mail_limits')
    .set({ resets_at: new Date() })
    .where('bucket', 'like', 'invitation:%')
    .execute())

describe('POST /v1/projects/:project_id/invitations/:invitation_id/resend within five minutes', () => {
  it('returns 429 mail_limit with Retry-After, and changes nothing', async () => {
    const { invite, resend, list } = await makeInvitationScenario(server)
    const invitation = (await invite('twice@example.test')).body
    const { status, body, headers } = await resend(invitation.id)
    expect([status, body]).toMatchObject([429, { code: 'mail_limit' }])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(290)
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(300)
    const { join_url: _, ...fields } = invitation
    expect((await list()).body.data).toEqual([fields])
    expect(await getLinkStatus(server, getLinkSecret(invitation))).toBe(200)
    expect(await selectQueuedMails(server, invitation.id)).toHaveLength(1)
    await passFiveMinutes()
    expect((await resend(invitation.id)).status).toBe(200)
  })

  it('sends one email when an invitation is sent again 150 times', async () => {
    const { url, received } = await startMailServerForTest()
    const mailingServer = await startServerForTest({ smtpUrl: url })
    await mailingServer.startWorker()
    const { invite, resend } = await makeInvitationScenario(mailingServer)
    const { id } = (await invite('flooded@example.test')).body
    for (let count = 0; count < 150; count += 10) {
      const responses = await Promise.all(Array.from({ length: 10 }, () => resend(id)))
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([429]))
    }
    await expect.poll(() => received.length).toBe(1)
    await expect.poll(() => getWaitingMails(mailingServer)).toEqual([])
    expect(received).toHaveLength(1)
  })

  it('returns 409, not 429, for an invitation that was revoked', async () => {
    const { invite, resend, revoke } = await makeInvitationScenario(server)
    const { id } = (await invite('revoked@example.test')).body
    await revoke(id)
    expect((await resend(id)).status).toBe(409)
  })
})

describe('POST /v1/projects/:project_id/members/invite within five minutes', () => {
  it('returns 409, not 429, for an address with a pending invitation', async () => {
    const { invite } = await makeInvitationScenario(server)
    await invite('pending@example.test')
    expect((await invite('Pending@example.test')).status).toBe(409)
  })

  it('returns 429 for an address whose invitation was revoked, and creates none', async () => {
    const { invite, revoke, list } = await makeInvitationScenario(server)
    await revoke((await invite('again@example.test')).body.id)
    const response = await invite('AGAIN@example.test')
    expect([response.status, response.body]).toMatchObject([429, { code: 'mail_limit' }])
    expect((await list()).body.data.map(({ status }) => status)).toEqual(['revoked'])
  })

  it('returns 429 for an address that another user has invited to another project', async () => {
    const [first, second] = [await makeInvitationScenario(server), await makeInvitationScenario(server)]
    await first.invite('popular@example.test')
    expect((await second.invite('popular@example.test')).status).toBe(429)
    expect((await second.list()).body.data).toEqual([])
    await passFiveMinutes()
    expect((await second.invite('popular@example.test')).status).toBe(201)
  })

  it('sends one of the invitations to an address when many projects invite it at the same moment', async () => {
    const scenarios = await Promise.all(Array.from({ length: 8 }, () => makeInvitationScenario(server)))
    const responses = await Promise.all(scenarios.map(({ invite }) => invite('rushed@example.test')))
    const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b)
    expect(statuses).toEqual([201, ...Array.from({ length: 7 }, () => 429)])
  })
})

describe('the limit of 50 invitations per hour and admin', () => {
  it('counts new and resent invitations of all projects, and not those of other admins', async () => {
    const { project, token, invite, resend } = await makeInvitationScenario(server)
    const other = await makeProject(server, { token })
    const inviteToOther = (email: string) =>
      server.request('POST', `/v1/projects/${other.id}/members/invite`, { token, body: { email, role: 'viewer' } })
    const { id } = (await invite('first@limit.test')).body
    for (let count = 1; count < 49; count += 1) {
      const email = `${count}@limit.test`
      expect((await (count % 2 === 0 ? invite(email) : inviteToOther(email))).status).toBe(201)
    }
    await passFiveMinutes()
    expect((await resend(id)).status).toBe(200)
    await passFiveMinutes()
    for (const response of [
      await resend(id),
      await invite('last@limit.test'),
      await inviteToOther('last@limit.test'),
    ]) {
      expect([response.status, response.body]).toMatchObject([429, { code: 'mail_limit' }])
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(3000)
    }
    const colleague = await makeMember(server, project.id, 'admin')
    const path = `/v1/projects/${project.id}/members/invite`
    const body = { email: 'last@limit.test', role: 'viewer' }
    expect((await server.request('POST', path, { token: colleague.token, body })).status).toBe(201)
  })
})
