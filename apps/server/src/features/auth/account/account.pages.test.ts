import { describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { makeProject } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeSignedInUser, openSignedInBrowser, PASSWORD } from '@caseward/test-support/users'

const server = useTestServer()

const DAY_MS = 24 * 60 * 60 * 1000
const tokenForm = { name: 'laptop', access: 'write', days: '90' }
const findTokenSecret = (text: string) => />(cwp_\w{49})</.exec(text)?.[1] ?? ''
const findFormAction = (text: string, kind: 'tokens' | 'sessions') =>
  new RegExp(`action="(/plain/account/${kind}/[^"]+)"`).exec(text)?.[1] ?? ''

describe('GET /plain/account', () => {
  it('redirects to the sign-in page without a session', async () => {
    expect((await openBrowser(server).get('/')).location).toBe('/sign-in')
  })

  it('lists the projects of the user with the role in each, and no other projects', async () => {
    const { browser, id } = await makeSignedInUser(server)
    const project = await makeProject(server, { name: 'Web <shop>' })
    await makeProject(server, { name: 'Warehouse' })
    await server.db.insertInto('memberships').values({ project_id: project.id, user_id: id, role: 'viewer' }).execute()
    const { text } = await browser.get('/plain/account')
    expect(text).toMatch(new RegExp(`Web &lt;shop&gt;</strong>\\s*<span class="badge">viewer</span>[^]*${project.id}`))
    expect(text).not.toContain('Warehouse')
  })

  it('explains how to join or create a project until the user has one', async () => {
    const { browser } = await makeSignedInUser(server)
    const { text } = await browser.get('/plain/account')
    expect(text).toContain('You are not a member of any project yet. A project admin can invite you.')
    expect(text).toMatch(/href="#tokens">create a token<\/a>[^]*href="\/docs">use the API<\/a>/)
    const token = findTokenSecret((await browser.post('/plain/account/tokens', tokenForm)).text)
    await makeProject(server, { token })
    expect((await browser.get('/plain/account')).text).not.toContain('not a member of any project')
  })
})

describe.each(['/plain/account/tokens', '/plain/account/password'])('GET %s', (path) => {
  it('redirects to /plain/account, for a browser that reopens the response of the form', async () => {
    const { browser } = await makeSignedInUser(server)
    expect((await browser.get(path)).location).toBe('/plain/account')
  })
})

describe('POST /plain/account/tokens', () => {
  it('returns 401 without a session', async () => {
    expect((await openBrowser(server).post('/plain/account/tokens', tokenForm)).status).toBe(401)
  })

  it('creates a valid token and shows its secret once', async () => {
    const { browser, id } = await makeSignedInUser(server)
    const token = findTokenSecret((await browser.post('/plain/account/tokens', tokenForm)).text)
    expect(await server.request('GET', '/v1/me', { token })).toMatchObject({ status: 200, body: { data: { id } } })
    const later = (await browser.get('/plain/account')).text
    expect([later.includes('laptop'), findTokenSecret(later)]).toEqual([true, ''])
  })

  it('creates a read-only token with an expiry time when the form asks for it', async () => {
    const { browser, id } = await makeSignedInUser(server)
    await browser.post('/plain/account/tokens', { ...tokenForm, access: 'read', days: '30' })
    const tokens = server.db.selectFrom('api_tokens').select(['access', 'expires_at']).where('user_id', '=', id)
    const [token] = await tokens.execute()
    expect(token?.access).toBe('read')
    expect((token?.expires_at?.getTime() ?? 0) - Date.now()).toBeGreaterThan(29 * DAY_MS)
  })

  it('shows a token name with markup as text', async () => {
    const { browser } = await makeSignedInUser(server)
    const { text } = await browser.post('/plain/account/tokens', { ...tokenForm, name: '<script>alert(1)</script>' })
    expect(text).not.toContain('<script')
  })
})

describe('POST /plain/account/tokens/:id/revoke', () => {
  it('revokes the token', async () => {
    const { browser } = await makeSignedInUser(server)
    const { text } = await browser.post('/plain/account/tokens', tokenForm)
    expect((await browser.post(findFormAction(text, 'tokens'))).location).toBe('/plain/account')
    await server.expectProblem(401, 'GET', '/v1/me', { token: findTokenSecret(text) })
  })

  it('returns 404 for a token of another user, which stays valid', async () => {
    const [attacker, victim] = [await makeSignedInUser(server), await makeSignedInUser(server)]
    const { text } = await victim.browser.post('/plain/account/tokens', tokenForm)
    expect((await attacker.browser.post(findFormAction(text, 'tokens'))).status).toBe(404)
    expect((await server.request('GET', '/v1/me', { token: findTokenSecret(text) })).status).toBe(200)
  })
})

describe('POST /plain/account/tokens/revoke-all', () => {
  it('revokes all tokens of the user, and no others', async () => {
    const [user, otherUser] = [await makeSignedInUser(server), await makeSignedInUser(server)]
    const createToken = async ({ browser }: typeof user) =>
      findTokenSecret((await browser.post('/plain/account/tokens', tokenForm)).text)
    const tokens = [await createToken(user), await createToken(user), await createToken(otherUser)]
    expect((await user.browser.get('/plain/account')).text).toContain('action="/plain/account/tokens/revoke-all"')
    expect((await user.browser.post('/plain/account/tokens/revoke-all')).location).toBe('/plain/account')
    const statuses = tokens.map(async (token) => (await server.request('GET', '/v1/me', { token })).status)
    expect(await Promise.all(statuses)).toEqual([401, 401, 200])
    expect((await user.browser.get('/plain/account')).text).not.toContain('revoke-all')
  })

  it('returns 401 without a session', async () => {
    expect((await openBrowser(server).post('/plain/account/tokens/revoke-all')).status).toBe(401)
  })
})

describe('POST /plain/account/sessions/:id/end', () => {
  it('ends another session of the user', async () => {
    const { browser, email } = await makeSignedInUser(server)
    const otherBrowser = await openSignedInBrowser(server, email)
    await browser.post(findFormAction((await browser.get('/plain/account')).text, 'sessions'))
    expect((await otherBrowser.get('/')).location).toBe('/sign-in')
    expect((await browser.get('/')).status).toBe(200)
  })

  it('returns 404 for an unknown id', async () => {
    const { browser } = await makeSignedInUser(server)
    expect((await browser.post('/plain/account/sessions/unknown/end')).status).toBe(404)
  })
})

describe('POST /plain/account/password', () => {
  const form = { current_password: PASSWORD, password: 'another long password' }

  it('changes the password and ends all other sessions', async () => {
    const { browser, email } = await makeSignedInUser(server)
    const otherBrowser = await openSignedInBrowser(server, email)
    expect((await browser.post('/plain/account/password', form)).text).toContain('role="status"')
    expect((await otherBrowser.get('/')).location).toBe('/sign-in')
    expect((await openBrowser(server).post('/sign-in', { email, password: form.password })).status).toBe(303)
  })

  it('shows an error at the field when the current password is wrong', async () => {
    const { browser } = await makeSignedInUser(server)
    const { status, text } = await browser.post('/plain/account/password', {
      ...form,
      current_password: 'wrong password',
    })
    expect(status).toBe(400)
    expect(text).toContain('id="current_password-error">This is not your current password.')
  })
})

describe('a form of /plain/account', () => {
  it.each(['/plain/account/tokens', '/plain/account/password'])(
    'returns 403 when %s is sent by another site',
    async (path) => {
      const { browser } = await makeSignedInUser(server)
      const { status } = await browser.send('POST', path, {
        headers: { origin: 'https://evil.test', 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(tokenForm).toString(),
      })
      expect(status).toBe(403)
    },
  )
})

describe('the rate limit of /plain/account', () => {
  const limitedServer = useTestServer({ rateLimitOther: 2 })

  it('counts page views and forms of a session together', async () => {
    const { browser } = await makeSignedInUser(limitedServer)
    const statuses = [
      (await browser.get('/plain/account')).status,
      (await browser.post('/plain/account/tokens', tokenForm)).status,
    ]
    const { status, headers } = await browser.get('/plain/account')
    expect([...statuses, status]).toEqual([200, 200, 429])
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d?$/)
  })
})
