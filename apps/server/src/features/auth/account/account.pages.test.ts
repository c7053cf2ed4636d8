import { describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { makeProject } from '@caseward/test-support/factories'
import { startTestServer, useTestServer } from '@caseward/test-support/test-server'
import { makeSignedInUser, openSignedInBrowser, PASSWORD } from '@caseward/test-support/users'
import { browserName } from './account.view.ts'

const server = useTestServer()

const secretIn = (text: string) => />(cwp_\w{49})</.exec(text)?.[1] ?? ''
const actionIn = (text: string, kind: string) => new RegExp(`action="(/account/${kind}/[^"]+)"`).exec(text)?.[1] ?? ''
const form = { name: 'laptop', access: 'write', days: '90' }

describe('/account', () => {
  it('leads to sign-in who is not signed in', async () => {
    expect((await openBrowser(server).get('/account')).location).toBe('/sign-in')
    expect((await openBrowser(server).post('/account/tokens', form)).status).toBe(401)
  })

  it('names the projects that one belongs to, with one’s role, and no others', async () => {
    const { browser, id } = await makeSignedInUser(server)
    const [own] = [await makeProject(server, { name: 'Web <shop>' }), await makeProject(server, { name: 'Warehouse' })]
    expect((await browser.get('/account')).text).toContain('You belong to none yet')
    await server.db.insertInto('memberships').values({ project_id: own.id, user_id: id, role: 'viewer' }).execute()
    const { text } = await browser.get('/account')
    expect(text).toMatch(new RegExp(`Web &lt;shop&gt;</strong>\\s*<span class="badge">viewer</span>[^]*${own.id}`))
    expect(text).not.toContain('Warehouse')
  })

  it('says to who belongs to no project how to be invited to one, and how to begin one', async () => {
    const { browser } = await makeSignedInUser(server)
    const { text } = await browser.get('/account')
    expect(text).toContain('invite you')
    expect(text).toMatch(/href="#tokens">make a token<\/a>[^]*href="\/docs">by the API<\/a>/)
    const token = secretIn((await browser.post('/account/tokens', form)).text)
    await makeProject(server, { token })
    expect((await browser.get('/account')).text).not.toContain('invite you')
  })

  it.each(['/account/tokens', '/account/password'])(
    'is where %s leads, when a form’s answer is reopened',
    async (path) => {
      const { browser } = await makeSignedInUser(server)
      expect((await browser.get(path)).location).toBe('/account')
    },
  )

  it('makes a token that works, and shows its secret this once', async () => {
    const { browser, id } = await makeSignedInUser(server)
    const token = secretIn((await browser.post('/account/tokens', form)).text)
    expect(await server.request('GET', '/v1/me', { token })).toMatchObject({ status: 200, body: { data: { id } } })
    const later = (await browser.get('/account')).text
    expect([later.includes('laptop'), secretIn(later)]).toEqual([true, ''])
  })

  it('makes tokens that only read, and tokens that expire', async () => {
    const { browser, id } = await makeSignedInUser(server)
    await browser.post('/account/tokens', { name: 'x', access: 'read', days: '30' })
    const rows = await server.db
      .selectFrom('api_tokens')
      .select(['access', 'expires_at'])
      .where('user_id', '=', id)
      .execute()
    expect(rows[0]?.access).toBe('read')
    expect((rows[0]?.expires_at?.getTime() ?? 0) - Date.now()).toBeGreaterThan(29 * 86_400_000)
  })

  it('revokes a token', async () => {
    const { browser } = await makeSignedInUser(server)
    const { text } = await browser.post('/account/tokens', form)
    expect((await browser.post(actionIn(text, 'tokens'))).location).toBe('/account')
    await server.expectProblem(401, 'GET', '/v1/me', { token: secretIn(text) })
  })

  it('ends another session', async () => {
    const { browser, email } = await makeSignedInUser(server)
    const other = await openSignedInBrowser(server, email)
    await browser.post(actionIn((await browser.get('/account')).text, 'sessions'))
    expect((await other.get('/account')).location).toBe('/sign-in')
    expect((await browser.get('/account')).status).toBe(200)
  })

  it('revokes and ends nothing of anybody else', async () => {
    const [one, other] = [await makeSignedInUser(server), await makeSignedInUser(server)]
    const made = await other.browser.post('/account/tokens', form)
    expect((await one.browser.post(actionIn(made.text, 'tokens'))).status).toBe(404)
    expect((await one.browser.post('/account/sessions/nonsense/end')).status).toBe(404)
    expect((await server.request('GET', '/v1/me', { token: secretIn(made.text) })).status).toBe(200)
  })

  it('changes the password and ends all other sessions', async () => {
    const { browser, email } = await makeSignedInUser(server)
    const other = await openSignedInBrowser(server, email)
    const fields = { current_password: PASSWORD, password: 'another long password' }
    expect((await browser.post('/account/password', fields)).text).toContain('role="status"')
    expect((await other.get('/account')).location).toBe('/sign-in')
    expect((await openBrowser(server).post('/sign-in', { email, password: fields.password })).status).toBe(303)
  })

  it('says beside its field that the current password is wrong', async () => {
    const { browser } = await makeSignedInUser(server)
    const fields = { current_password: 'wrong password', password: 'another long password' }
    const { status, text } = await browser.post('/account/password', fields)
    expect(status).toBe(400)
    expect(text).toContain('id="current_password-error">This is not your password.')
  })

  it('takes no form from another site', async () => {
    const { browser } = await makeSignedInUser(server)
    for (const path of ['/account/tokens', '/account/password']) {
      const answer = await browser.send('POST', path, {
        headers: { origin: 'https://evil.test', 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
      })
      expect([path, answer.status]).toEqual([path, 403])
    }
  })

  it('shows names of tokens as text, whatever they are', async () => {
    const { browser } = await makeSignedInUser(server)
    const { text } = await browser.post('/account/tokens', { ...form, name: '<script>alert(1)</script>' })
    expect(text).not.toContain('<script')
  })
})

describe('the rate limit of /account', () => {
  it('is the session’s own for everything: looking counts as much as sending a form', async () => {
    const limited = await startTestServer({ rateLimitOther: 2 })
    try {
      const { browser } = await makeSignedInUser(limited)
      const statuses = [(await browser.get('/account')).status, (await browser.post('/account/tokens', form)).status]
      const { status, headers } = await browser.get('/account')
      expect([...statuses, status]).toEqual([200, 200, 429])
      expect(headers.get('retry-after')).toMatch(/^[1-9]\d?$/)
    } finally {
      await limited.close()
    }
  })
})

describe('a browser', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36 Edg/142.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1',
      'Safari on iOS',
    ],
    ['curl/8.5.0', 'curl/8.5.0'],
    ['', 'An unknown browser'],
  ])('%s is called %s', (userAgent, name) => {
    expect(browserName(userAgent)).toBe(name)
  })
})
