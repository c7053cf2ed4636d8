import type { Me, Session } from '@caseward/contract/session'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { openBrowser, type Page } from '@caseward/test-support/browser'
import { makeProject, makeRun } from '@caseward/test-support/factories'
import { startTestServer, useTestServer } from '@caseward/test-support/test-server'
import {
  makeSignedInUser,
  makeUser,
  makeUserWithPassword,
  openSignedInBrowser,
  PASSWORD,
} from '@caseward/test-support/users'

const server = useTestServer()

const unknownId = '01a1fc2b-5f29-7584-9e03-d27674921b66'
const me = ({ text }: Page) => (JSON.parse(text) as { data: Me }).data
const sessionsIn = ({ text }: Page) => (JSON.parse(text) as { data: Session[] }).data
const code = ({ text }: Page) => (JSON.parse(text) as { code: string }).code

describe('signing in', () => {
  it('answers with the account and a cookie that takes the place of a token', async () => {
    const { id, email } = await makeUserWithPassword(server)
    const browser = openBrowser(server)
    const answer = await browser.api('POST', '/v1/session', { email: email.toUpperCase(), password: PASSWORD })
    expect(answer.status).toBe(201)
    expect(me(answer)).toMatchObject({ id, email, has_password: true, avatar_url: null })
    expect((await browser.get('/v1/projects')).status).toBe(200)
  })

  it('sets a cookie that no script reads and other sites’ requests do not carry', async () => {
    const { browser } = await makeSignedInUser(server)
    expect(browser.setCookies).toEqual([
      expect.stringMatching(/^caseward-session=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
  })

  it('sets a cookie for HTTPS and this host alone where PUBLIC_URL is https', async () => {
    const secure = await startTestServer({ publicUrl: 'https://caseward.test' })
    const { email } = await makeUserWithPassword(secure)
    const browser = openBrowser(secure, { origin: 'https://caseward.test' })
    await browser.api('POST', '/v1/session', { email, password: PASSWORD })
    expect(browser.setCookies).toEqual([
      expect.stringMatching(
        /^__Host-caseward-session=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ])
    expect((await browser.get('/v1/me')).status).toBe(200)
    await secure.close()
  })

  it('gives a new session and ends the one that the browser had', async () => {
    const { browser, email } = await makeSignedInUser(server)
    const before = browser.cookies.get('caseward-session') ?? ''
    await browser.api('POST', '/v1/session', { email, password: PASSWORD })
    expect(browser.cookies.get('caseward-session')).not.toBe(before)
    expect((await openBrowser(server, { cookie: `caseward-session=${before}` }).get('/v1/me')).status).toBe(401)
    expect(sessionsIn(await browser.get('/v1/sessions'))).toHaveLength(1)
  })

  it('never takes up a session that somebody planted', async () => {
    const { email } = await makeUserWithPassword(server)
    const browser = openBrowser(server)
    browser.cookies.set('caseward-session', 'planted')
    await browser.api('POST', '/v1/session', { email, password: PASSWORD })
    expect(browser.cookies.get('caseward-session')).not.toBe('planted')
  })

  it('is answered alike for a wrong password, an unknown address and an account without a password', async () => {
    const { email } = await makeUserWithPassword(server)
    const without = await makeUserWithPassword(server, { password: null })
    const told = await Promise.all(
      [email, 'nobody@example.test', without.email].map((each) =>
        server.expectProblem(401, 'POST', '/v1/session', { body: { email: each, password: 'wrong password' } }),
      ),
    )
    expect(new Set(told.map((problem) => JSON.stringify(problem))).size).toBe(1)
    expect(told[0]?.code).toBe('wrong_credentials')
  })

  it('takes as long for an unknown address as for a wrong password', async () => {
    const { email } = await makeUserWithPassword(server)
    const times: Record<string, number[]> = { [email]: [], 'nobody@example.test': [] }
    // In turn, and the quickest of each: what else the machine does slows both alike.
    for (let round = 0; round < 9; round += 1) {
      for (const [each, its] of Object.entries(times)) {
        const start = performance.now()
        await server.expectProblem(401, 'POST', '/v1/session', { body: { email: each, password: 'wrong password' } })
        its.push(performance.now() - start)
      }
    }
    const [known = 0, unknown = 0] = Object.values(times).map((its) => Math.min(...its))
    // Hashing takes tens of milliseconds, looking up less than one: without it they would lie far apart.
    expect(unknown / known).toBeGreaterThan(0.5)
    expect(unknown / known).toBeLessThan(2)
  })

  it('names the fields that are missing', async () => {
    const problem = await server.expectProblem(400, 'POST', '/v1/session', { body: {} })
    expect(problem.errors?.map(({ path }) => path)).toEqual(['/email', '/password'])
  })

  it('stores neither secret nor password', async () => {
    const { browser, id } = await makeSignedInUser(server)
    const rows = await sql<{ row: string }>`
      select row_to_json(s)::text as row from sessions s where user_id = ${id}
      union all select row_to_json(u)::text from users u where id = ${id}`.execute(server.db)
    const stored = rows.rows.map(({ row }) => row).join('')
    expect(stored).toContain('argon2id')
    expect(stored).not.toContain(browser.cookies.get('caseward-session'))
    expect(stored).not.toContain(PASSWORD)
  })
})

describe('a session', () => {
  it('ends when its user signs out, and its cookie goes', async () => {
    const { browser } = await makeSignedInUser(server)
    const cookie = `caseward-session=${browser.cookies.get('caseward-session')}`
    expect((await browser.api('DELETE', '/v1/session')).status).toBe(204)
    expect(browser.cookies.size).toBe(0)
    expect((await openBrowser(server, { cookie }).get('/v1/me')).status).toBe(401)
  })

  it('is nothing that a token has', async () => {
    const { token } = await makeUser(server)
    await server.expectProblem(404, 'DELETE', '/v1/session', { token })
  })

  it.each([
    ['ninety days after sign-in', 'expires_at', "now() - interval '1 second'"],
    ['fourteen days after it was last used', 'last_seen_at', "now() - interval '14 days 1 second'"],
  ])('ends %s', async (_, column, moment) => {
    const { browser, id } = await makeSignedInUser(server)
    await sql`update sessions set ${sql.ref(column)} = ${sql.raw(moment)} where user_id = ${id}`.execute(server.db)
    expect((await browser.get('/v1/me')).status).toBe(401)
  })

  it('is written to have been seen, at most once a minute', async () => {
    const { browser, id } = await makeSignedInUser(server)
    const seenAfter = async (secondsAgo: number) => {
      const before = new Date(Date.now() - secondsAgo * 1000)
      await server.db.updateTable('sessions').set({ last_seen_at: before }).where('user_id', '=', id).execute()
      await makeSignedInUser(server).then(({ browser: other }) => other.api('DELETE', '/v1/session')) // forgets what is remembered
      await browser.get('/v1/me')
      const row = await server.db.selectFrom('sessions').select('last_seen_at').where('user_id', '=', id).execute()
      return (row[0]?.last_seen_at.getTime() ?? 0) - before.getTime()
    }
    expect(await seenAfter(50)).toBe(0)
    expect(await seenAfter(70)).toBeGreaterThan(60_000)
  })

  it('stops working within a second when another server ended it', async () => {
    const { browser, id } = await makeSignedInUser(server)
    expect((await browser.get('/v1/me')).status).toBe(200)
    await server.db.deleteFrom('sessions').where('user_id', '=', id).execute()
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect((await browser.get('/v1/me')).status).toBe(401)
  })

  it('does what the roles of its user allow', async () => {
    const { browser, id } = await makeSignedInUser(server)
    const project = await makeProject(server)
    expect((await browser.get(`/v1/projects/${project.id}`)).status).toBe(403)
    await server.db.insertInto('memberships').values({ project_id: project.id, user_id: id, role: 'viewer' }).execute()
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect((await browser.get(`/v1/projects/${project.id}`)).status).toBe(200)
    expect((await browser.api('PATCH', `/v1/projects/${project.id}`, { name: 'x' })).status).toBe(403)
  })

  it('uploads no CI results', async () => {
    const { browser } = await makeSignedInUser(server)
    const run = await makeRun(server, await makeProject(server))
    const answer = await browser.api('POST', '/v1/results', { run_id: run.id, results: [] })
    expect([answer.status, code(answer)]).toEqual([403, 'ci_token_required'])
  })

  it('gives way to a token', async () => {
    const { browser, id } = await makeSignedInUser(server)
    const other = await makeUser(server)
    const authorization = `Bearer ${other.token}`
    const answer = await browser.send('GET', '/v1/me', { headers: { authorization } })
    expect(me(answer).id).toBe(other.id)
    expect((await browser.send('GET', '/v1/me', { headers: { authorization: 'Bearer wrong' } })).status).toBe(401)
    expect(me(await browser.get('/v1/me')).id).toBe(id)
  })
})

describe('sessions', () => {
  it('are listed with what is known of them, the newest first', async () => {
    const { browser, email } = await makeSignedInUser(server)
    const second = await openSignedInBrowser(server, email)
    const listed = sessionsIn(await browser.get('/v1/sessions'))
    expect(listed.map(({ current }) => current)).toEqual([false, true])
    expect(listed[0]).toMatchObject({ user_agent: 'Test browser', expires_at: expect.stringMatching(/Z$/) })
    expect(sessionsIn(await second.get('/v1/sessions')).map(({ current }) => current)).toEqual([true, false])
  })

  it('are ended by their user, one by one', async () => {
    const { browser, email } = await makeSignedInUser(server)
    const second = await openSignedInBrowser(server, email)
    const [other] = sessionsIn(await browser.get('/v1/sessions'))
    expect((await browser.api('DELETE', `/v1/sessions/${other?.id}`)).status).toBe(204)
    expect((await second.get('/v1/me')).status).toBe(401)
    expect((await browser.get('/v1/me')).status).toBe(200)
  })

  it('are not found by anybody else', async () => {
    const { browser } = await makeSignedInUser(server)
    const victim = await makeSignedInUser(server)
    const [theirs] = sessionsIn(await victim.browser.get('/v1/sessions'))
    for (const id of [theirs?.id, unknownId, 'nonsense']) {
      expect((await browser.api('DELETE', `/v1/sessions/${id}`)).status).toBe(404)
    }
    expect((await victim.browser.get('/v1/me')).status).toBe(200)
  })
})
