import type { Invitation, SentInvitation } from '@caseward/contract/invitations'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { makeCiToken, makeInvitation, makeProject } from '@caseward/test-support/factories'
import { startTestServer, useTestServer } from '@caseward/test-support/test-server'
import { makeMember, makeUser } from '@caseward/test-support/users'

const server = useTestServer()

type Project = Awaited<ReturnType<typeof makeProject>>
const DAY_MS = 24 * 60 * 60 * 1000
const unknownId = '01a1fc2b-5f29-7584-9e03-d27674921b66'

const invitePath = ({ id }: { id: string }) => `/v1/projects/${id}/members/invite`
const listPath = ({ id }: { id: string }) => `/v1/projects/${id}/invitations`
const invite = (project: Project, email: string, role = 'member') =>
  server.request<SentInvitation>('POST', invitePath(project), { token: project.admin.token, body: { email, role } })
const list = (project: Project, query = '') =>
  server.request<{ data: Invitation[]; meta: object }>('GET', listPath(project) + query, project.admin)
const resend = (project: Project, id: string) =>
  server.request<SentInvitation>('POST', `${listPath(project)}/${id}/resend`, project.admin)
const revoke = (project: Project, id: string) => server.request('DELETE', `${listPath(project)}/${id}`, project.admin)
const getStatus = async (secret: string) => (await server.request('GET', `/v1/invitations/${secret}`)).status

const lapse = async (id: string) =>
  await server.db
    .updateTable('invitations')
    .set({ expires_at: sql<Date>`now() - interval '1 second'` })
    .where('id', '=', id)
    .execute()

/** What waits in the queue about an invitation. */
const waiting = async (id: string) =>
  (
    await sql<{ payload: object; key: string }>`
      select j.payload, j.key from graphile_worker._private_jobs j where j.payload->>'id' = ${id}`.execute(server.db)
  ).rows

describe('POST /v1/projects/:project_id/members/invite', () => {
  it(
    'answers 201 with the pending invitation at the top level, valid for seven days',
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
      const project = await makeProject(server)
      const { status, body } = await invite(project, ' Mira@Example.test ', 'viewer')
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
    'shows the link only where there is no mail server to send it',
    { tags: ['spec:invitations/exactly-these-fields'] },
    async () => {
      const mailing = await startTestServer({ smtpUrl: 'smtp://127.0.0.1:1' })
      const project = await makeProject(mailing)
      const body = { email: 'a@example.test', role: 'member' }
      const answer = await mailing.request('POST', invitePath(project), { token: project.admin.token, body })
      expect(answer.status).toBe(201)
      expect(Object.keys(answer.body).toSorted()).toEqual([
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

  it('queues the mail with the invitation, and nothing secret with it', async () => {
    const project = await makeProject(server)
    const { id } = await makeInvitation(server, project)
    expect(await waiting(id)).toEqual([{ payload: { kind: 'invitation', id }, key: `mail:invitation:${id}` }])
  })

  it('stores the secret of the link as its SHA-256 and as nothing else', async () => {
    const { id, secret } = await makeInvitation(server, await makeProject(server))
    const links = await server.db.selectFrom('invitation_links').selectAll().where('invitation_id', '=', id).execute()
    expect(links.map(({ secret_hash }) => secret_hash.length)).toEqual([32])
    expect(JSON.stringify(links.map((link) => Object.values(link).map(String)))).not.toContain(secret.slice(0, 10))
  })

  it.each([
    ['pending', 'invitation_pending'],
    ['member', 'already_member'],
  ] as const)(
    'is 409 for who is %s already, in upper or lower case',
    {
      tags: [
        'spec:members/inviting-a-member-is-409',
        'spec:members/inviting-again-while-an-invitation-is-pending',
        'spec:errors/409-members-member-already-or-invitation-pending',
      ],
    },
    async (what, code) => {
      const project = await makeProject(server)
      const email = `Twice-${what}@Example.test`
      if (what === 'pending') await invite(project, email)
      else {
        const user = await makeUser(server, { email })
        const { secret } = await makeInvitation(server, project, { email })
        await server.request('POST', `/v1/invitations/${secret}/accept`, { token: user.token })
      }
      for (const again of [email, email.toUpperCase(), email.toLowerCase()]) {
        const problem = await server.expectProblem(409, 'POST', invitePath(project), {
          token: project.admin.token,
          body: { email: again, role: 'viewer' },
        })
        expect(problem.code).toBe(code)
      }
      expect((await list(project)).body.data).toHaveLength(1)
    },
  )

  it('takes the same address in another project', async () => {
    const [one, other] = [await makeProject(server), await makeProject(server)]
    expect((await invite(one, 'both@example.test')).status).toBe(201)
    expect((await invite(other, 'both@example.test')).status).toBe(201)
  })

  it('takes an address again whose invitation has expired or was revoked', async () => {
    const project = await makeProject(server)
    const { id, email } = await makeInvitation(server, project)
    await lapse(id)
    const second = await invite(project, email)
    expect(second.status).toBe(201)
    await revoke(project, second.body.id)
    expect((await invite(project, email)).status).toBe(201)
    const { body } = await list(project)
    expect(body.data.map(({ status }) => status)).toEqual(['pending', 'revoked', 'expired'])
  })

  it(
    'gives one 201 and one 409 when the same address is invited twice at once',
    { tags: ['spec:members/inviting-again-while-an-invitation-is-pending'] },
    async () => {
      const project = await makeProject(server)
      for (let round = 0; round < 20; round += 1) {
        const email = `race${round}@example.test`
        const answers = await Promise.all([invite(project, email), invite(project, email.toUpperCase())])
        expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
      }
      expect((await list(project)).body.meta).toMatchObject({ total: 20 })
    },
  )

  it('says nothing of whether the address has an account', async () => {
    const project = await makeProject(server)
    const known = await invite(project, (await makeUser(server)).email)
    const unknown = await invite(project, 'nobody-knows@example.test')
    expect([known.status, Object.keys(known.body)]).toEqual([unknown.status, Object.keys(unknown.body)])
    const look = async ({ body }: typeof known) =>
      await server.request('GET', `/v1/invitations/${body.join_url?.split('/').at(-1)}`)
    expect(Object.keys((await look(known)).body)).toEqual(Object.keys((await look(unknown)).body))
  })

  it.each([
    [{ email: 'a@b.test', role: 'owner' }, ['/role']],
    [{ email: 'nonsense', role: 'member' }, ['/email']],
    [{ email: 'two@b.test, three@b.test', role: 'member' }, ['/email']],
    [{ email: 'a@b.test\r\nBcc: c@d.test', role: 'member' }, ['/email']],
    [{ email: '<a@b.test>', role: 'member' }, ['/email']],
    [{ email: `${'a'.repeat(320)}@b.test`, role: 'member' }, ['/email']],
    [{ email: 'a\0@b.test', role: 'member' }, ['/email']],
    [{ role: 5 }, ['/email', '/role']],
    [{}, ['/email', '/role']],
  ])(
    'refuses %j and names the fields',
    {
      tags: [
        'spec:members/another-role-is-400',
        'spec:invitations/role-admin-member-or-viewer',
        'spec:invitations/post-email-is-required',
        'spec:invitations/post-role-is-required-one-of-three',
        'spec:errors/400-members-invalid-body',
      ],
    },
    async (body, paths) => {
      const project = await makeProject(server)
      const problem = await server.expectProblem(400, 'POST', invitePath(project), { token: project.admin.token, body })
      expect(problem.errors?.map(({ path }) => path).toSorted()).toEqual(paths)
    },
  )

  it(
    'is for admins only',
    {
      tags: [
        'spec:invitations/post-admins-only',
        'spec:authentication/inviting-is-for-admins-403-for-others',
        'spec:errors/403-members-admins-only',
      ],
    },
    async () => {
      const project = await makeProject(server)
      for (const role of ['member', 'viewer'] as const) {
        const { token } = await makeMember(server, project.id, role)
        await server.expectProblem(403, 'POST', invitePath(project), { token, body: { email: 'bad' } })
      }
      await server.expectProblem(403, 'POST', invitePath(project), {
        token: await makeCiToken(server, project),
        body: {},
      })
      await server.expectProblem(401, 'POST', invitePath(project), { body: {} })
      await server.expectProblem(404, 'POST', invitePath({ id: unknownId }), { token: project.admin.token, body: {} })
    },
  )
})

describe('GET /v1/projects/:project_id/invitations', () => {
  it(
    'lists the newest first, each with exactly the fields of an invitation',
    { tags: ['spec:invitations/exactly-these-fields'] },
    async () => {
      const project = await makeProject(server)
      const made = [await makeInvitation(server, project), await makeInvitation(server, project)]
      const { status, body } = await list(project)
      expect(status).toBe(200)
      expect(body.data.map(({ id }) => id)).toEqual(made.map(({ id }) => id).toReversed())
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
      const project = await makeProject(server)
      const [, accepted, revoked, expired] = [
        await makeInvitation(server, project),
        await makeInvitation(server, project),
        await makeInvitation(server, project),
        await makeInvitation(server, project),
      ]
      const body = { name: 'New', password: 'long enough' }
      await server.request('POST', `/v1/invitations/${accepted?.secret}/accept`, { body })
      await revoke(project, revoked?.id ?? '')
      await lapse(expired?.id ?? '')
      const found = await list(project, `?status=${status}`)
      expect(found.body.data.map((one) => one.status)).toEqual([status])
      expect(found.body.meta).toMatchObject({ total: 1 })
    },
  )

  it('gives the page that is asked for', async () => {
    const project = await makeProject(server)
    const { id } = await makeInvitation(server, project)
    await makeInvitation(server, project)
    const { body } = await list(project, '?page=2&per_page=1')
    expect(body).toMatchObject({ data: [{ id }], meta: { page: 2, per_page: 1, total: 2 } })
  })

  it('refuses an unknown status', { tags: ['spec:invitations/further-values-of-status-decided'] }, async () => {
    const project = await makeProject(server)
    await server.expectProblem(400, 'GET', `${listPath(project)}?status=open`, project.admin)
  })
})

describe('revoking', () => {
  it('ends the link at once, and may be said twice', { tags: ['spec:invitations/transitions-decided'] }, async () => {
    const project = await makeProject(server)
    const { id, secret } = await makeInvitation(server, project)
    expect(await getStatus(secret)).toBe(200)
    expect(await revoke(project, id)).toMatchObject({ status: 204, body: '' })
    expect(await getStatus(secret)).toBe(410)
    expect((await revoke(project, id)).status).toBe(204)
  })

  it('is 409 once it has been accepted', { tags: ['spec:invitations/transitions-decided'] }, async () => {
    const project = await makeProject(server)
    const { id, secret } = await makeInvitation(server, project)
    const body = { name: 'New', password: 'long enough' }
    await server.request('POST', `/v1/invitations/${secret}/accept`, { body })
    const problem = await server.expectProblem(409, 'DELETE', `${listPath(project)}/${id}`, project.admin)
    expect(problem.code).toBe('invitation_accepted')
  })

  it('and resending are 404 for an invitation of another project', async () => {
    const [one, other] = [await makeProject(server), await makeProject(server)]
    for (const id of [(await makeInvitation(server, other)).id, unknownId, 'nonsense']) {
      await server.expectProblem(404, 'DELETE', `${listPath(one)}/${id}`, one.admin)
      await server.expectProblem(404, 'POST', `${listPath(one)}/${id}/resend`, one.admin)
    }
  })
})

describe('resending', () => {
  it(
    'answers 200 with a new link and seven more days; the earlier link is 410',
    { tags: ['spec:invitations/validity-decided-seven-days'] },
    async () => {
      const project = await makeProject(server)
      const { id, secret } = await makeInvitation(server, project)
      await server.db
        .updateTable('invitations')
        .set({ expires_at: new Date(Date.now() + DAY_MS) })
        .where('id', '=', id)
        .execute()
      const { status, body } = await resend(project, id)
      expect(status).toBe(200)
      expect(new Date(body.expires_at).getTime()).toBeGreaterThan(Date.now() + 6.9 * DAY_MS)
      expect(await getStatus(secret)).toBe(410)
      expect(await getStatus(body.join_url?.split('/').at(-1) ?? '')).toBe(200)
    },
  )

  it('brings an expired invitation back', { tags: ['spec:invitations/transitions-decided'] }, async () => {
    const project = await makeProject(server)
    const { id } = await makeInvitation(server, project)
    await lapse(id)
    expect((await resend(project, id)).body).toMatchObject({ id, status: 'pending' })
  })

  it('is 409 for one that expired when another is pending for the same address', async () => {
    const project = await makeProject(server)
    const { id, email } = await makeInvitation(server, project)
    await lapse(id)
    await invite(project, email)
    const answer = await resend(project, id)
    expect([answer.status, answer.body]).toMatchObject([409, { code: 'invitation_pending' }])
  })

  it('is 409 for one that was revoked', async () => {
    const project = await makeProject(server)
    const { id } = await makeInvitation(server, project)
    await revoke(project, id)
    expect([(await resend(project, id)).status]).toEqual([409])
  })

  it('replaces a mail that still waits', async () => {
    const project = await makeProject(server)
    const { id } = await makeInvitation(server, project)
    await resend(project, id)
    expect(await waiting(id)).toHaveLength(1)
  })
})
