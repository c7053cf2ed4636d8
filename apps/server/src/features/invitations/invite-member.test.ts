import { describe, expect, it } from 'vitest'

import { makeCiToken, makeInvitation, makeProject } from '@caseward/test-support/factories'
import {
  expireInvitation,
  getLinkSecret,
  makeInvitationScenario,
  selectQueuedMails,
} from '@caseward/test-support/invitation-scenario'
import { resetMailLimits } from '@caseward/test-support/mails'
import { startTestServer, useSharedServer } from '@caseward/test-support/test-server'
import { makeMember, makeUser } from '@caseward/test-support/users'

const server = useSharedServer()

const unknownId = '01a1fc2b-5f29-7584-9e03-d27674921b66'
const DAY_MS = 24 * 60 * 60 * 1000

describe('POST /v1/projects/:project_id/members/invite', () => {
  it(
    'returns 201 with a pending invitation at top level that is valid for seven days',
    {
      tags: [
        'spec:conventions/members-and-invitations-are-at-top-level',
        'spec:invitations/id-string',
        'spec:invitations/email-string',
        'spec:invitations/role-admin-member-or-viewer',
        'spec:invitations/status-pending-on-creation',
        'spec:invitations/invited_by-user-id-of-the-inviter',
        'spec:invitations/expires_at-timestamp',
        'spec:invitations/created_at-timestamp',
        'spec:invitations/validity-decided-seven-days',
        'spec:invitations/post-201-with-the-invitation',
        'spec:limits/validity-of-an-invitation-decided',
      ],
    },
    async () => {
      const { project, invite } = await makeInvitationScenario(server)
      const { status, body } = await invite(' Mira@Example.test ', 'viewer')
      expect(status).toBe(201)
      const { join_url: link, ...invitation } = body
      expect(invitation).toEqual({
        id: expect.any(String),
        email: 'Mira@Example.test',
        role: 'viewer',
        status: 'pending',
        invited_by: project.admin.id,
        expires_at: expect.any(String),
        created_at: expect.any(String),
      })
      expect(new Date(body.expires_at).getTime() - new Date(body.created_at).getTime()).toBe(7 * DAY_MS)
      expect(link).toMatch(/^http:\/\/localhost:\d+\/join\/[\w-]{43}$/)
    },
  )

  it(
    'returns no link when a mail server is configured',
    { tags: ['spec:invitations/exactly-these-fields'] },
    async () => {
      const mailing = await startTestServer({ smtpUrl: 'smtp://127.0.0.1:1' })
      const { invite } = await makeInvitationScenario(mailing)
      const response = await invite('a@example.test')
      expect(response.status).toBe(201)
      expect(Object.keys(response.body).toSorted()).toEqual([
        'created_at',
        'email',
        'expires_at',
        'id',
        'invited_by',
        'role',
        'status',
      ])
      await mailing.close()
    },
  )

  it('queues the email of the invitation without a secret', async () => {
    const { project } = await makeInvitationScenario(server)
    const { id } = await makeInvitation(server, project)
    expect(await selectQueuedMails(server, id)).toEqual([
      { payload: { kind: 'invitation', id }, key: `mail:invitation:${id}` },
    ])
  })

  it('stores only the SHA-256 hash of the secret of the link', async () => {
    const { id, secret } = await makeInvitation(server, await makeProject(server))
    const links = await server.db.selectFrom('invitation_links').selectAll().where('invitation_id', '=', id).execute()
    expect(links.map(({ secret_hash }) => secret_hash.length)).toEqual([32])
    expect(JSON.stringify(links.map((link) => Object.values(link).map(String)))).not.toContain(secret.slice(0, 10))
  })

  it.each([
    ['with a pending invitation', 'invitation_pending'],
    ['of a member', 'already_member'],
  ] as const)(
    'returns 409 for an email address %s, in upper or lower case',
    {
      tags: [
        'spec:members/inviting-a-member-is-409',
        'spec:members/inviting-again-while-an-invitation-is-pending',
        'spec:errors/409-members-member-already-or-invitation-pending',
      ],
    },
    async (_what, code) => {
      const { project, token, invitePath, invite, list } = await makeInvitationScenario(server)
      const email = `Twice-${code}@Example.test`
      if (code === 'invitation_pending') await invite(email)
      else {
        const user = await makeUser(server, { email })
        const { secret } = await makeInvitation(server, project, { email })
        await server.request('POST', `/v1/invitations/${secret}/accept`, { token: user.token })
      }
      for (const sameEmail of [email, email.toUpperCase(), email.toLowerCase()]) {
        const problem = await server.expectProblem(409, 'POST', invitePath, {
          token,
          body: { email: sameEmail, role: 'viewer' },
        })
        expect(problem.code).toBe(code)
      }
      expect((await list()).body.data).toHaveLength(1)
    },
  )

  it('accepts an address that is invited to another project', async () => {
    const [first, second] = [await makeInvitationScenario(server), await makeInvitationScenario(server)]
    expect((await first.invite('both@example.test')).status).toBe(201)
    await resetMailLimits(server)
    expect((await second.invite('both@example.test')).status).toBe(201)
  })

  it('accepts an address whose earlier invitation has expired or was revoked', async () => {
    const { project, invite, list, revoke } = await makeInvitationScenario(server)
    const { id, email } = await makeInvitation(server, project)
    await expireInvitation(server, id)
    const second = await invite(email)
    expect(second.status).toBe(201)
    await revoke(second.body.id)
    await resetMailLimits(server)
    expect((await invite(email)).status).toBe(201)
    const { body } = await list()
    expect(body.data.map(({ status }) => status)).toEqual(['pending', 'revoked', 'expired'])
  })

  it(
    'returns one 201 and one 409 when the same address is invited twice at the same time',
    { tags: ['spec:members/inviting-again-while-an-invitation-is-pending'] },
    async () => {
      const { invite, list } = await makeInvitationScenario(server)
      for (let round = 0; round < 20; round += 1) {
        const email = `race${round}@example.test`
        const responses = await Promise.all([invite(email), invite(email.toUpperCase())])
        expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
      }
      expect((await list()).body.meta).toMatchObject({ total: 20 })
    },
  )

  it('returns and shows the same fields for an address with and without an account', async () => {
    const { invite } = await makeInvitationScenario(server)
    const existing = await invite((await makeUser(server)).email)
    const unknown = await invite('unknown@example.test')
    expect([existing.status, Object.keys(existing.body)]).toEqual([unknown.status, Object.keys(unknown.body)])
    const getPreviewFields = async ({ body }: typeof existing) =>
      Object.keys((await server.request('GET', `/v1/invitations/${getLinkSecret(body)}`)).body)
    expect(await getPreviewFields(existing)).toEqual(await getPreviewFields(unknown))
  })

  it.each([
    ['an unknown role', { email: 'a@b.test', role: 'owner' }, ['/role']],
    ['an email address without @', { email: 'nonsense', role: 'member' }, ['/email']],
    ['two email addresses', { email: 'two@b.test, three@b.test', role: 'member' }, ['/email']],
    ['an email address with a line break', { email: 'a@b.test\r\nBcc: c@d.test', role: 'member' }, ['/email']],
    ['an email address in angle brackets', { email: '<a@b.test>', role: 'member' }, ['/email']],
    ['an email address that is too long', { email: `${'a'.repeat(320)}@b.test`, role: 'member' }, ['/email']],
    ['an email address with a NUL character', { email: 'a\0@b.test', role: 'member' }, ['/email']],
    ['a role that is a number, without email address', { role: 5 }, ['/email', '/role']],
    ['an empty object', {}, ['/email', '/role']],
  ])(
    'returns 400 with the invalid fields for %s',
    {
      tags: [
        'spec:members/another-role-is-400',
        'spec:invitations/role-admin-member-or-viewer',
        'spec:invitations/post-email-is-required',
        'spec:invitations/post-role-is-required-one-of-three',
        'spec:errors/400-members-invalid-body',
      ],
    },
    async (_what, body, paths) => {
      const { token, invitePath } = await makeInvitationScenario(server)
      const problem = await server.expectProblem(400, 'POST', invitePath, { token, body })
      expect(problem.errors?.map(({ path }) => path).toSorted()).toEqual(paths)
    },
  )

  it(
    'returns 403 to everyone but admins, 401 without a token and 404 for an unknown project',
    {
      tags: [
        'spec:invitations/post-admins-only',
        'spec:authentication/inviting-is-for-admins-403-for-others',
        'spec:errors/403-members-admins-only',
      ],
    },
    async () => {
      const { project, token, invitePath } = await makeInvitationScenario(server)
      for (const role of ['member', 'viewer'] as const) {
        const user = await makeMember(server, project.id, role)
        await server.expectProblem(403, 'POST', invitePath, { token: user.token, body: { email: 'bad' } })
      }
      await server.expectProblem(403, 'POST', invitePath, { token: await makeCiToken(server, project), body: {} })
      await server.expectProblem(401, 'POST', invitePath, { body: {} })
      await server.expectProblem(404, 'POST', `/v1/projects/${unknownId}/members/invite`, { token, body: {} })
    },
  )
})
