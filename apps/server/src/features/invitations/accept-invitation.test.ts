import type { AcceptedInvitation } from '@caseward/contract/invitations'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { makeCiToken, makeInvitation, makeProject } from '@caseward/test-support/factories'
import { startTestServer, useTestServer } from '@caseward/test-support/test-server'
import { makeMember, makeUser } from '@caseward/test-support/users'
import { verifyPassword } from '../auth/password.ts'
import { findUserByEmail } from '../auth/users/users.queries.ts'

const server = useTestServer()

const newUser = { name: 'Mira', password: 'correct horse' }
const getLinkPath = (secret: string) => `/v1/invitations/${secret}`
const accept = (secret: string, options: { token?: string; body?: unknown }) =>
  server.request<AcceptedInvitation>('POST', `${getLinkPath(secret)}/accept`, options)

/** Returns the member count of a project, which must equal the number of its members. */
async function getMemberCount(projectId: string): Promise<number> {
  const { rows } = await sql<{ stored: number; counted: number }>`
    select member_count as stored, (select count(*) from memberships where project_id = p.id)::int as counted
    from projects p where id = ${projectId}`.execute(server.db)
  expect(rows[0]?.stored).toBe(rows[0]?.counted)
  return rows[0]?.stored ?? 0
}

describe('GET /v1/invitations/:secret', () => {
  it('returns project, role, email address and inviter without authentication', async () => {
    const project = await makeProject(server, { name: 'Web shop' })
    const { email, secret } = await makeInvitation(server, project, { role: 'viewer' })
    const { status, body } = await server.request('GET', getLinkPath(secret))
    expect(status).toBe(200)
    expect(body).toEqual({
      project: { id: project.id, name: 'Web shop' },
      email,
      role: 'viewer',
      invited_by: { name: expect.stringMatching(/^Person \d+$/) },
      expires_at: expect.any(String),
    })
  })

  it.each([
    ['one character', 'x'],
    ['43 characters', 'A'.repeat(43)],
    ['300 characters', 'A'.repeat(300)],
    ['a NUL character', `${'A'.repeat(42)}%00`],
  ])('and POST …/accept return 404 for an unknown secret of %s', async (_what, secret) => {
    await server.expectProblem(404, 'GET', getLinkPath(secret))
    await server.expectProblem(404, 'POST', `${getLinkPath(secret)}/accept`, { body: newUser })
  })

  it('and POST …/accept do not log the secret', async () => {
    const { secret } = await makeInvitation(server, await makeProject(server))
    await server.request('GET', getLinkPath(secret))
    await accept(secret, { body: newUser })
    await accept(secret, { body: newUser })
    expect(server.logged.join('')).not.toContain(secret)
  })
})

describe('POST /v1/invitations/:secret/accept without authentication', () => {
  it(
    'creates a user with a hashed password, and adds them to the project with the role',
    { tags: ['spec:members/updated_at-is-only-in-the-answer-to-a-change-of', 'spec:invitations/transitions-decided'] },
    async () => {
      const project = await makeProject(server)
      const { email, secret } = await makeInvitation(server, project, { role: 'viewer' })
      const { status, body } = await accept(secret, { body: newUser })
      expect(status).toBe(200)
      const user = await findUserByEmail(server.db, email.toUpperCase())
      expect(body).toEqual({
        project: { id: project.id, name: 'Web shop' },
        member: { id: user?.id, email, name: 'Mira', avatar_url: null, role: 'viewer', joined_at: expect.any(String) },
      })
      expect(user?.password_hash).toMatch(/^\$argon2id\$/)
      expect(await verifyPassword('correct horse', user?.password_hash ?? null)).toBe(true)
      expect(await getMemberCount(project.id)).toBe(2)
    },
  )

  it('returns 409 when the address has an account, and does not change the account', async () => {
    const project = await makeProject(server)
    const user = await makeUser(server)
    const { secret } = await makeInvitation(server, project, { email: user.email.toUpperCase() })
    const response = await accept(secret, { body: newUser })
    expect([response.status, response.body]).toMatchObject([409, { code: 'account_exists' }])
    expect(await findUserByEmail(server.db, user.email)).toMatchObject({ id: user.id, password_hash: null })
    expect((await server.request('GET', getLinkPath(secret))).status).toBe(200)
  })

  it.each([
    ['no name', { password: 'long enough' }, ['/name']],
    ['no password', { name: 'Mira' }, ['/password']],
    ['an empty name and a short password', { name: ' ', password: 'short' }, ['/name', '/password']],
    ['a password of 1,025 characters', { name: 'Mira', password: 'x'.repeat(1025) }, ['/password']],
    ['an empty object', {}, ['/name', '/password']],
    ['no body', undefined, ['/name', '/password']],
    ['null', null, ['/name', '/password']],
  ])('returns 400 with the invalid fields for %s', async (_what, body, paths) => {
    const { secret } = await makeInvitation(server, await makeProject(server))
    const problem = await server.expectProblem(400, 'POST', `${getLinkPath(secret)}/accept`, { body })
    expect(problem.errors?.map(({ path }) => path)).toEqual(paths)
  })
})

describe('POST /v1/invitations/:secret/accept as an existing user', () => {
  it(
    'adds the user by an address in upper or lower case, with access from the next request',
    { tags: ['spec:invitations/role-admin-member-or-viewer'] },
    async () => {
      const project = await makeProject(server)
      const user = await makeUser(server)
      const path = `/v1/projects/${project.id}`
      await server.expectProblem(403, 'GET', path, { token: user.token })
      const { secret } = await makeInvitation(server, project, { email: user.email.toUpperCase(), role: 'admin' })
      const { status, body } = await accept(secret, { token: user.token })
      expect([status, body.member]).toMatchObject([200, { id: user.id, role: 'admin' }])
      expect((await server.request('GET', path, { token: user.token })).status).toBe(200)
      expect(await getMemberCount(project.id)).toBe(2)
    },
  )

  it('returns 403 for another user, and keeps the invitation valid', async () => {
    const { secret } = await makeInvitation(server, await makeProject(server))
    const { token } = await makeUser(server)
    const response = await accept(secret, { token, body: newUser })
    expect([response.status, response.body]).toMatchObject([403, { code: 'other_email' }])
    expect((await server.request('GET', getLinkPath(secret))).status).toBe(200)
  })

  it('returns 401 for an invalid token, and 403 for a read-only or a CI token', async () => {
    const project = await makeProject(server)
    const { secret, email } = await makeInvitation(server, project)
    const reader = await makeUser(server, { access: 'read', email })
    const path = `${getLinkPath(secret)}/accept`
    await server.expectProblem(401, 'POST', path, { token: 'nonsense', body: newUser })
    expect(await server.expectProblem(403, 'POST', path, reader)).toMatchObject({ code: 'read_only_token' })
    const ci = await server.expectProblem(403, 'POST', path, { token: await makeCiToken(server, project) })
    expect(ci.code).toBe('personal_token_required')
  })

  it('keeps the role of a user who has become a member meanwhile', async () => {
    const project = await makeProject(server)
    const member = await makeMember(server, project.id, 'viewer')
    const { id, secret } = await makeInvitation(server, project, { role: 'admin' })
    await server.db.updateTable('invitations').set({ email: member.email }).where('id', '=', id).execute()
    expect((await accept(secret, { token: member.token })).body.member).toMatchObject({ role: 'viewer' })
    expect(await getMemberCount(project.id)).toBe(2)
  })
})

describe('an invitation link that is no longer valid', () => {
  const invalidate = {
    used: async (_id: string, secret: string) => void (await accept(secret, { body: newUser })),
    revoked: async (id: string) => {
      await server.db.updateTable('invitations').set({ status: 'revoked' }).where('id', '=', id).execute()
    },
    expired: async (id: string) => {
      const past = new Date(Date.now() - 1)
      await server.db.updateTable('invitations').set({ expires_at: past }).where('id', '=', id).execute()
    },
    replaced: async (id: string) => {
      const links = server.db.updateTable('invitation_links').set({ replaced_at: new Date() })
      await links.where('invitation_id', '=', id).execute()
    },
  }

  it.each(Object.entries(invalidate))(
    'returns 410 to GET and to POST …/accept when it is %s',
    { tags: ['spec:invitations/transitions-decided'] },
    async (state, invalidateLink) => {
      const { id, secret } = await makeInvitation(server, await makeProject(server))
      await invalidateLink(id, secret)
      expect(await server.expectProblem(410, 'GET', getLinkPath(secret))).toMatchObject({ code: `invitation_${state}` })
      await server.expectProblem(410, 'POST', `${getLinkPath(secret)}/accept`, { body: newUser })
    },
  )

  it('returns 404 when its project is deleted', async () => {
    const project = await makeProject(server)
    const { secret } = await makeInvitation(server, project)
    await server.request('DELETE', `/v1/projects/${project.id}`, project.admin)
    await server.expectProblem(404, 'GET', getLinkPath(secret))
  })
})

describe('concurrent requests to POST /v1/invitations/:secret/accept', () => {
  it('create one user and one member: one returns 200, the other 410', async () => {
    const project = await makeProject(server)
    for (let round = 0; round < 10; round += 1) {
      const { secret, email } = await makeInvitation(server, project)
      const responses = await Promise.all([accept(secret, { body: newUser }), accept(secret, { body: newUser })])
      expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410])
      const users = await server.db.selectFrom('users').select('id').where('email', '=', email).execute()
      expect(users).toHaveLength(1)
    }
    expect(await getMemberCount(project.id)).toBe(11)
  })

  it('create one user for the invitations of two projects: one returns 200, the other 409', async () => {
    const email = 'two-projects@example.test'
    const makeLink = async () => await makeInvitation(server, await makeProject(server), { email })
    const invitations = [await makeLink(), await makeLink()]
    const responses = await Promise.all(invitations.map(({ secret }) => accept(secret, { body: newUser })))
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const users = await server.db.selectFrom('users').select('id').where('email', '=', email).execute()
    expect(users).toHaveLength(1)
  })

  it('and a concurrent revocation either add the member or revoke the invitation, never both', async () => {
    const project = await makeProject(server)
    for (let round = 0; round < 10; round += 1) {
      const { id, secret } = await makeInvitation(server, project)
      const countBefore = await getMemberCount(project.id)
      const [accepted, revoked] = await Promise.all([
        accept(secret, { body: newUser }),
        server.request('DELETE', `/v1/projects/${project.id}/invitations/${id}`, project.admin),
      ])
      const joined = (await getMemberCount(project.id)) - countBefore
      expect([accepted.status, revoked.status, joined]).toEqual(joined === 1 ? [200, 409, 1] : [410, 204, 0])
    }
  })
})

describe('the rate limit of invitation links', () => {
  it('allows 10 requests to GET and POST …/accept per minute from one address, over all links', async () => {
    const limited = await startTestServer({ rateLimitOther: 10 })
    const statuses: number[] = []
    for (let call = 0; call < 6; call += 1) {
      statuses.push((await limited.request('GET', getLinkPath(`${call}`.repeat(43)))).status)
      statuses.push((await limited.request('POST', `${getLinkPath('x')}/accept`, { body: newUser })).status)
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 404), 429, 429])
    const refused = await limited.request('GET', getLinkPath('x'))
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d?$/)
    expect(refused.headers.get('ratelimit-limit')).toBe('10')
    await limited.close()
  })
})
