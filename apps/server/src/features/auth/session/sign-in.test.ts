import type { Me, Session } from '@caseward/contract/session'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { openBrowser, type Page } from '@caseward/test-support/browser'
import { measureCpuTime } from '@caseward/test-support/cpu-time'
import { useSharedServer, useTestServer } from '@caseward/test-support/test-server'
import { makeSignedInUser, makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'
import { hashPassword } from '../password.ts'

const server = useSharedServer()

const getMe = ({ text }: Page) => (JSON.parse(text) as { data: Me }).data
const getSessions = ({ text }: Page) => (JSON.parse(text) as { data: Session[] }).data

describe('POST /v1/session', () => {
  it('returns the account and sets a cookie that authenticates further requests', async () => {
    const { id, email } = await makeUserWithPassword(server)
    const browser = openBrowser(server)
    const response = await browser.api('POST', '/v1/session', { email: email.toUpperCase(), password: PASSWORD })
    expect(response.status).toBe(201)
    expect(getMe(response)).toMatchObject({ id, email, has_password: true, avatar_url: null })
    expect((await browser.get('/v1/projects')).status).toBe(200)
  })

  it('sets a cookie that is HttpOnly and SameSite=Lax', async () => {
    const { browser } = await makeSignedInUser(server)
    expect(browser.setCookies).toContainEqual(
      expect.stringMatching(/^caseward-session=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/),
    )
  })

  it('starts a new session and ends the one that the browser had', async () => {
    const { browser, email } = await makeSignedInUser(server)
    const previousSecret = browser.cookies.get('caseward-session') ?? ''
    await browser.api('POST', '/v1/session', { email, password: PASSWORD })
    expect(browser.cookies.get('caseward-session')).not.toBe(previousSecret)
    const cookie = `caseward-session=${previousSecret}`
    expect((await openBrowser(server, { cookie }).get('/v1/me')).status).toBe(401)
    expect(getSessions(await browser.get('/v1/sessions'))).toHaveLength(1)
  })

  it('replaces a session cookie that was planted by an attacker', async () => {
    const { email } = await makeUserWithPassword(server)
    const browser = openBrowser(server)
    browser.cookies.set('caseward-session', 'planted')
    await browser.api('POST', '/v1/session', { email, password: PASSWORD })
    expect(browser.cookies.get('caseward-session')).not.toBe('planted')
  })

  it('returns the same 401 for a wrong password, an unknown address and an account without a password', async () => {
    const { email } = await makeUserWithPassword(server)
    const withoutPassword = await makeUserWithPassword(server, { password: null })
    const problems = await Promise.all(
      [email, 'unknown@example.test', withoutPassword.email].map((address) =>
        server.expectProblem(401, 'POST', '/v1/session', { body: { email: address, password: 'wrong password' } }),
      ),
    )
    expect(new Set(problems.map((problem) => JSON.stringify(problem))).size).toBe(1)
    expect(problems[0]?.code).toBe('wrong_credentials')
  })

  it('takes as long for an unknown address as for a wrong password', async () => {
    const { id, email } = await makeUserWithPassword(server)
    // Users of tests have a hash that is fast to compare.
    const password_hash = await hashPassword(PASSWORD)
    await server.db.updateTable('users').set({ password_hash }).where('id', '=', id).execute()
    const timesByEmail: Record<string, number[]> = { [email]: [], 'unknown@example.test': [] }
    // CPU time, alternating, and the least of each: the hash is what both spend it on, and other load does not count.
    for (let round = 0; round < 9; round += 1) {
      for (const [address, times] of Object.entries(timesByEmail)) {
        const body = { email: address, password: 'wrong password' }
        times.push(await measureCpuTime(() => server.expectProblem(401, 'POST', '/v1/session', { body })))
      }
    }
    const [known = 0, unknown = 0] = Object.values(timesByEmail).map((times) => Math.min(...times))
    // Hashing takes tens of milliseconds and a look-up less than one: without hashing the ratio would be far from 1.
    expect(unknown / known).toBeGreaterThan(0.5)
    expect(unknown / known).toBeLessThan(2)
  })

  it('returns 400 with the fields that are missing', async () => {
    const problem = await server.expectProblem(400, 'POST', '/v1/session', { body: {} })
    expect(problem.errors?.map(({ path }) => path)).toEqual(['/email', '/password'])
  })

  it('stores neither the secret of the session nor the password', async () => {
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

describe('POST /v1/session when PUBLIC_URL is an https address', () => {
  const httpsServer = useTestServer({ publicUrl: 'https://caseward.test' })

  it('sets a cookie that is Secure and has the __Host- prefix', async () => {
    const { email } = await makeUserWithPassword(httpsServer)
    const browser = openBrowser(httpsServer, { origin: 'https://caseward.test' })
    await browser.api('POST', '/v1/session', { email, password: PASSWORD })
    const flags = 'Path=/; HttpOnly; Secure; SameSite=Lax'
    expect(browser.setCookies.map((cookie) => cookie.replace(/=[\w-]{43}; Max-Age=\d+; /, ' '))).toEqual([
      `__Host-caseward-session ${flags}`,
      `__Host-caseward-browser ${flags}`,
    ])
    expect((await browser.get('/v1/me')).status).toBe(200)
  })
})
