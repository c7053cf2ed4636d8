import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { makeInvitation, makeProject } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import {
  makeInstanceAdmin,
  makeMember,
  makeSignedInUser,
  makeTokenInBrowser,
  makeUserWithPassword,
  openSignedInBrowser,
  PASSWORD,
} from '@caseward/test-support/users'
import { insertIdentity, insertPendingIdentity } from '../single-sign-on/single-sign-on.queries.ts'

const server = useTestServer()

type SignedInUser = Awaited<ReturnType<typeof makeSignedInUser>>

const remove = ({ browser, email }: Pick<SignedInUser, 'browser' | 'email'>) =>
  browser.api('DELETE', '/v1/me', { email })
const getId = ({ text }: { text: string }) => (JSON.parse(text) as { data: { id: string } }).data.id

async function join(userId: string, projectId: string, role: 'admin' | 'member' | 'viewer') {
  await server.db.insertInto('memberships').values({ project_id: projectId, user_id: userId, role }).execute()
  await sql`update projects set member_count = member_count + 1 where id = ${projectId}`.execute(server.db)
}

/** The tables with rows of a user, by all foreign keys to users. */
async function findTablesOfUser(userId: string): Promise<string[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select c.conrelid::regclass::text as table, a.attname as column
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'users'::regclass order by 1, 2`.execute(server.db)
  const found: string[] = []
  for (const { table, column } of rows) {
    const query = sql`select from ${sql.raw(table)} where ${sql.ref(column)} = ${userId}`
    if ((await query.execute(server.db)).rows.length > 0) found.push(`${table}.${column}`)
  }
  return found
}

describe('DELETE /v1/me', () => {
  it('leaves only what others need: the author of what the user did, without personal data', async () => {
    const project = await makeProject(server)
    const user = await makeSignedInUser(server)
    await join(user.id, project.id, 'admin')
    await insertIdentity(server.db, user.id, { issuer: 'https://id.example.test', subject: 'ada' })
    const pending = { issuer: 'https://id.example.test', subject: 'ada 2', sessionDigest: null }
    await insertPendingIdentity(server.db, user.id, pending)
    await server.request('POST', '/v1/password-resets', { body: { email: user.email } })
    const { token } = await makeTokenInBrowser(user.browser)
    const made = await server.request<{ data: { token: string } }>('POST', '/v1/tokens', {
      token,
      body: { name: 'second' },
    })
    await server.request('POST', `/v1/projects/${project.id}/runs`, { token, body: { name: 'Regression' } })
    await server.request('POST', `/v1/projects/${project.id}/tokens`, { token, body: { name: 'build' } })
    await openSignedInBrowser(server, user.email)

    expect((await remove(user)).status).toBe(204)
    expect(await findTablesOfUser(user.id)).toEqual(['project_people.user_id', 'runs.created_by'])
    expect((await user.browser.get('/v1/me')).status).toBe(401)
    for (const secret of [token, made.body.data.token]) {
      expect((await server.request('GET', '/v1/me', { token: secret })).status).toBe(401)
    }
    const row = await server.db.selectFrom('users').selectAll().where('id', '=', user.id).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ name: 'Deleted user', avatar_url: null, password_hash: null, last_sign_in_at: null })
    expect(JSON.stringify(row)).not.toContain(user.email)
    const people = await server.request<{ data: object[] }>('GET', `/v1/projects/${project.id}/people`, project.admin)
    expect(people.body.data).toContainEqual(
      expect.objectContaining({ id: user.id, name: 'Deleted user', is_member: false, role: null }),
    )
  })

  it('removes names and addresses from the audit log, and keeps who did what by the id', async () => {
    const project = await makeProject(server)
    const user = await makeSignedInUser(server)
    await join(user.id, project.id, 'member')
    await user.browser.api('PATCH', '/v1/me', { name: 'Grace Hopper' })
    await makeTokenInBrowser(user.browser, 'laptop of Grace')
    await remove(user)
    const { rows } = await sql<{ text: string; action: string }>`
      select a::text as text, action from audit_log a where actor_id = ${user.id} or subject_id = ${user.id}
      order by id`.execute(server.db)
    expect(rows.map(({ action }) => action)).toEqual([
      'session.create',
      'user.update',
      'token.create',
      'member.remove',
      'user.delete',
    ])
    for (const { text } of rows) {
      expect(text).toContain('Deleted user')
      expect(text).not.toMatch(new RegExp(`Grace|Somebody|${user.email}`, 'i'))
    }
  })

  it('revokes pending invitations, and keeps the count of members right', async () => {
    const project = await makeProject(server)
    const user = await makeSignedInUser(server)
    await join(user.id, project.id, 'admin')
    await user.browser.api('POST', `/v1/projects/${project.id}/members/invite`, {
      email: 'new@example.test',
      role: 'member',
    })
    await remove(user)
    const [invitations, members] = [
      await server.request<{ data: { status: string }[] }>(
        'GET',
        `/v1/projects/${project.id}/invitations`,
        project.admin,
      ),
      await server.request<{ data: unknown[]; meta: { total: number } }>(
        'GET',
        `/v1/projects/${project.id}/members`,
        project.admin,
      ),
    ]
    expect(invitations.body.data.map(({ status }) => status)).toEqual(['revoked'])
    expect([members.body.data.length, members.body.meta.total]).toEqual([1, 1])
  })

  it('frees the email address for another account, which has nothing of the former one', async () => {
    const project = await makeProject(server)
    const user = await makeSignedInUser(server)
    await join(user.id, project.id, 'member')
    await remove(user)
    const { secret } = await makeInvitation(server, project, { email: user.email })
    const body = { name: 'New Person', password: PASSWORD }
    const accepted = await openBrowser(server).api('POST', `/v1/invitations/${secret}/accept`, body)
    expect(accepted.status).toBe(200)
    const next = await openSignedInBrowser(server, user.email)
    expect(getId(await next.get('/v1/me'))).not.toBe(user.id)
  })

  it('sends an email about it to the former address', async () => {
    const user = await makeSignedInUser(server)
    await remove(user)
    const { rows } = await sql`
      select kind from security_notices n join security_mails m on m.id = n.mail_id where m.email = ${user.email}
    `.execute(server.db)
    expect(rows).toEqual([{ kind: 'account_delete' }])
  })

  it('returns 422 last_admin with the projects, and changes nothing', async () => {
    const user = await makeSignedInUser(server)
    const created = await user.browser.api('POST', '/v1/projects', { name: 'Web shop', prefix: 'WEB' })
    const id = getId(created)
    await makeMember(server, id, 'member')
    const response = await remove(user)
    expect([response.status, JSON.parse(response.text)]).toEqual([
      422,
      expect.objectContaining({ code: 'last_admin', projects: [{ id, name: 'Web shop' }] }),
    ])
    expect((await user.browser.get(`/v1/projects/${id}`)).status).toBe(200)
  })

  it('keeps an admin when the two admins of a project delete their accounts at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [first, second] = [await makeSignedInUser(server), await makeSignedInUser(server)]
      const created = await first.browser.api('POST', '/v1/projects', { name: 'Pair', prefix: 'PAIR' })
      await join(second.id, getId(created), 'admin')
      const statuses = (await Promise.all([remove(first), remove(second)])).map(({ status }) => status)
      expect(statuses.toSorted((a, b) => a - b)).toEqual([204, 422])
    }
  })

  it('leaves no project to the deleted user that was created at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const user = await makeSignedInUser(server)
      const creations = Array.from({ length: 4 }, () =>
        user.browser.api('POST', '/v1/projects', { name: 'Web shop', prefix: 'WEB' }),
      )
      const [removal, ...created] = await Promise.all([remove(user), ...creations])
      expect([204, 422]).toContain(removal.status)
      for (const { status } of created) expect([201, 401]).toContain(status)
      const { rows } = await sql`
        select project_id from memberships m join users u on u.id = m.user_id
        where u.id = ${user.id} and u.deleted_at is not null`.execute(server.db)
      expect(rows).toEqual([])
    }
  })

  it('returns 400 for another email address, and 403 for a token', async () => {
    const user = await makeSignedInUser(server)
    const wrong = await user.browser.api('DELETE', '/v1/me', { email: 'other@example.test' })
    expect([wrong.status, JSON.parse(wrong.text)]).toMatchObject([400, { errors: [{ path: '/email' }] }])
    const { token } = await makeTokenInBrowser(user.browser)
    const problem = await server.expectProblem(403, 'DELETE', '/v1/me', { token, body: { email: user.email } })
    expect(problem.code).toBe('session_required')
  })
})

describe('DELETE /v1/admin/users/:user_id', () => {
  it('deletes the account of another user, who is then not found', async () => {
    const { token } = await makeInstanceAdmin(server)
    const { id, email } = await makeUserWithPassword(server)
    expect((await server.request('DELETE', `/v1/admin/users/${id}`, { token })).status).toBe(204)
    await server.expectProblem(404, 'DELETE', `/v1/admin/users/${id}`, { token })
    await server.expectProblem(404, 'PATCH', `/v1/admin/users/${id}`, { token, body: { disabled: false } })
    const list = await server.request<{ data: { id: string }[] }>('GET', '/v1/admin/users?per_page=100', { token })
    expect(list.body.data.some((user) => user.id === id)).toBe(false)
    expect((await openBrowser(server).api('POST', '/v1/session', { email, password: PASSWORD })).status).toBe(401)
  })

  it('returns 422 for the last active instance administrator', async () => {
    await sql`update users set is_instance_admin = false`.execute(server.db)
    const { id, token } = await makeInstanceAdmin(server)
    const problem = await server.expectProblem(422, 'DELETE', `/v1/admin/users/${id}`, { token })
    expect(problem.code).toBe('last_instance_admin')
  })
})
