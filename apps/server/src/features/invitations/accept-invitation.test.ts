import type { AcceptedInvitation } from '@caseward/contract/invitations'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { makeCiToken, makeInvitation, makeProject } from '@caseward/test-support/factories'
import { startTestServer, useTestServer } from '@caseward/test-support/test-server'
import { makeMember, makeUser } from '@caseward/test-support/users'
import { verifyPassword } from '../auth/password.ts'
import { findUserByEmail } from '../auth/users/users.queries.ts'

const server = useTestServer()

const newcomer = { name: 'Mira', password: 'correct horse' }
const linkPath = (secret: string) => `/v1/invitations/${secret}`
const accept = (secret: string, options: { token?: string; body?: unknown }) =>
  server.request<AcceptedInvitation>('POST', `${linkPath(secret)}/accept`, options)

async function memberCount(projectId: string): Promise<number> {
  const { rows } = await sql<{ kept: number; counted: number }>`
    select member_count as kept, (select count(*) from memberships where project_id = p.id)::int as counted
    from projects p where id = ${projectId}`.execute(server.db)
  expect(rows[0]?.kept).toBe(rows[0]?.counted)
  return rows[0]?.kept ?? 0
}

describe('GET /v1/invitations/:secret', () => {
  it('shows whoever has the link the project, role, e-mail address and inviter', async () => {
    const project = await makeProject(server, { name: 'Web shop' })
    const { email, secret } = await makeInvitation(server, project, { role: 'viewer' })
    const { status, body } = await server.request('GET', linkPath(secret))
    expect(status).toBe(200)
    expect(body).toEqual({
      project: { id: project.id, name: 'Web shop' },
      email,
      role: 'viewer',
      invited_by: { name: expect.stringMatching(/^Person \d+$/) },
      expires_at: expect.any(String),
    })
  })

  it.each([['x'], ['A'.repeat(43)], ['A'.repeat(300)], [`${'A'.repeat(42)}%00`]])('is 404 for %s', async (secret) => {
    await server.expectProblem(404, 'GET', linkPath(secret))
    await server.expectProblem(404, 'POST', `${linkPath(secret)}/accept`, { body: newcomer })
  })

  it('never has the secret logged', async () => {
    const { secret } = await makeInvitation(server, await makeProject(server))
    await server.request('GET', linkPath(secret))
    await accept(secret, { body: newcomer })
    await accept(secret, { body: newcomer })
    expect(server.logged.join('')).not.toContain(secret)
  })
})

describe('accepting without being signed in', () => {
  it(
    'makes a user with the password, hashed, who joins with the role',
    { tags: ['spec:members/updated_at-is-only-in-the-answer-to-a-change-of', 'spec:invitations/transitions-decided'] },
    async () => {
      const project = await makeProject(server)
      const { email, secret } = await makeInvitation(server, project, { role: 'viewer' })
      const { status, body } = await accept(secret, { body: newcomer })
      expect(status).toBe(200)
      const user = await findUserByEmail(server.db, email.toUpperCase())
      expect(body).toEqual({
        project: { id: project.id, name: 'Web shop' },
        member: { id: user?.id, email, name: 'Mira', avatar_url: null, role: 'viewer', joined_at: expect.any(String) },
      })
      expect(user?.password_hash).toMatch(/^\$argon2id\$/)
      expect(await verifyPassword('correct horse', user?.password_hash ?? null)).toBe(true)
      expect(await memberCount(project.id)).toBe(2)
    },
  )

  it('is 409 when the address has an account, which stays as it is', async () => {
    const project = await makeProject(server)
    const user = await makeUser(server)
    const { secret } = await makeInvitation(server, project, { email: user.email.toUpperCase() })
    const answer = await accept(secret, { body: newcomer })
    expect([answer.status, answer.body]).toMatchObject([409, { code: 'account_exists' }])
    expect(await findUserByEmail(server.db, user.email)).toMatchObject({ id: user.id, password_hash: null })
    expect((await server.request('GET', linkPath(secret))).status).toBe(200)
  })

  it.each([
    [{ password: 'long enough' }, ['/name']],
    [{ name: 'Mira' }, ['/password']],
    [{ name: ' ', password: 'short' }, ['/name', '/password']],
    [{ name: 'Mira', password: 'x'.repeat(1025) }, ['/password']],
    [{}, ['/name', '/password']],
    [undefined, ['/name', '/password']],
    [null, ['/name', '/password']],
  ])('refuses %j and names the fields', async (body, paths) => {
    const { secret } = await makeInvitation(server, await makeProject(server))
    const problem = await server.expectProblem(400, 'POST', `${linkPath(secret)}/accept`, { body })
    expect(problem.errors?.map(({ path }) => path)).toEqual(paths)
  })
})

describe('accepting as the user who is signed in', () => {
  it(
    'joins them, by an address in upper or lower case, and lets them in at once',
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
      expect(await memberCount(project.id)).toBe(2)
    },
  )

  it('is 403 for somebody else, and leaves the invitation open', async () => {
    const { secret } = await makeInvitation(server, await makeProject(server))
    const { token } = await makeUser(server)
    const answer = await accept(secret, { token, body: newcomer })
    expect([answer.status, answer.body]).toMatchObject([403, { code: 'other_email' }])
    expect((await server.request('GET', linkPath(secret))).status).toBe(200)
  })

  it('is refused for tokens that are wrong, only read, or are no person’s', async () => {
    const project = await makeProject(server)
    const { secret, email } = await makeInvitation(server, project)
    const reader = await makeUser(server, { access: 'read', email })
    const path = `${linkPath(secret)}/accept`
    await server.expectProblem(401, 'POST', path, { token: 'nonsense', body: newcomer })
    expect(await server.expectProblem(403, 'POST', path, reader)).toMatchObject({ code: 'read_only_token' })
    const ci = await server.expectProblem(403, 'POST', path, { token: await makeCiToken(server, project) })
    expect(ci.code).toBe('personal_token_required')
  })

  it('keeps the role of who has become a member meanwhile', async () => {
    const project = await makeProject(server)
    const member = await makeMember(server, project.id, 'viewer')
    const { id, secret } = await makeInvitation(server, project, { role: 'admin' })
    await server.db.updateTable('invitations').set({ email: member.email }).where('id', '=', id).execute()
    expect((await accept(secret, { token: member.token })).body.member).toMatchObject({ role: 'viewer' })
    expect(await memberCount(project.id)).toBe(2)
  })
})

describe('a link of no use any more', () => {
  const spoil = {
    used: async (_id: string, secret: string) => void (await accept(secret, { body: newcomer })),
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

  it.each(Object.entries(spoil))(
    'is 410 once %s, to look at and to accept',
    { tags: ['spec:invitations/transitions-decided'] },
    async (what, spoilIt) => {
      const { id, secret } = await makeInvitation(server, await makeProject(server))
      await spoilIt(id, secret)
      expect(await server.expectProblem(410, 'GET', linkPath(secret))).toMatchObject({ code: `invitation_${what}` })
      await server.expectProblem(410, 'POST', `${linkPath(secret)}/accept`, { body: newcomer })
    },
  )

  it('is 404 once its project is gone', async () => {
    const project = await makeProject(server)
    const { secret } = await makeInvitation(server, project)
    await server.request('DELETE', `/v1/projects/${project.id}`, project.admin)
    await server.expectProblem(404, 'GET', linkPath(secret))
  })
})

describe('two who accept at once', () => {
  it('make one user and one member: one 200, one 410', async () => {
    const project = await makeProject(server)
    for (let round = 0; round < 10; round += 1) {
      const { secret, email } = await makeInvitation(server, project)
      const answers = await Promise.all([accept(secret, { body: newcomer }), accept(secret, { body: newcomer })])
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410])
      const users = await server.db.selectFrom('users').select('id').where('email', '=', email).execute()
      expect(users).toHaveLength(1)
    }
    expect(await memberCount(project.id)).toBe(11)
  })

  it('of two projects make one user: one 200, one 409, and the second joins once signed in', async () => {
    const projects = [await makeProject(server), await makeProject(server)]
    const email = 'two-projects@example.test'
    const invitations = await Promise.all(projects.map((project) => makeInvitation(server, project, { email })))
    const answers = await Promise.all(invitations.map(({ secret }) => accept(secret, { body: newcomer })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const users = await server.db.selectFrom('users').select('id').where('email', '=', email).execute()
    expect(users).toHaveLength(1)
  })

  it('and are revoked at the same instant have either joined or not, never both', async () => {
    const project = await makeProject(server)
    for (let round = 0; round < 10; round += 1) {
      const { id, secret } = await makeInvitation(server, project)
      const before = await memberCount(project.id)
      const [accepted, revoked] = await Promise.all([
        accept(secret, { body: newcomer }),
        server.request('DELETE', `/v1/projects/${project.id}/invitations/${id}`, project.admin),
      ])
      const joined = (await memberCount(project.id)) - before
      expect([accepted.status, revoked.status, joined]).toEqual(joined === 1 ? [200, 409, 1] : [410, 204, 0])
    }
  })
})

describe('links', () => {
  it('are looked at and accepted ten times a minute from one address, however many there are', async () => {
    const limited = await startTestServer({ rateLimitSignIn: 10 })
    const statuses: number[] = []
    for (let call = 0; call < 6; call += 1) {
      statuses.push((await limited.request('GET', linkPath(`${call}`.repeat(43)))).status)
      statuses.push((await limited.request('POST', `${linkPath('x')}/accept`, { body: newcomer })).status)
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 404), 429, 429])
    const refused = await limited.request('GET', linkPath('x'))
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d?$/)
    expect(refused.headers.get('ratelimit-limit')).toBe('10')
    await limited.close()
  })
})
