import { describe, expect, it } from 'vitest'

import { type Browser, openBrowser } from '@caseward/test-support/browser'
import { makeInvitation, makeProject } from '@caseward/test-support/factories'
import { useSingleSignOn } from '@caseward/test-support/single-sign-on'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword } from '@caseward/test-support/users'

const signOnScenario = useSingleSignOn()
const { server, signOn, getCallbackPath } = signOnScenario

const isSignedIn = async (browser: Browser) => (await browser.get('/')).status === 200

describe('GET /sign-in', () => {
  it('offers single sign-on with the name of the provider', async () => {
    expect((await openBrowser(server).get('/sign-in')).text).toContain('Sign in with Example')
  })
})

describe('GET /sign-in/oidc', () => {
  it('redirects to the provider with PKCE, state and nonce, which are new each time', async () => {
    const getParameters = async () =>
      Object.fromEntries(new URL((await openBrowser(server).get('/sign-in/oidc')).location ?? '').searchParams)
    const [first, second] = [await getParameters(), await getParameters()]
    expect(first).toMatchObject({ code_challenge_method: 'S256', response_type: 'code' })
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(first[name]?.length).toBeGreaterThan(20)
      expect(first[name]).not.toBe(second[name])
    }
  })

  it('keeps the authorization request in a cookie that is HttpOnly', async () => {
    const browser = openBrowser(server)
    await browser.get('/sign-in/oidc')
    expect(browser.setCookies).toEqual([
      expect.stringMatching(/^caseward-oidc=[\w-]+; Max-Age=900; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
  })
})

describe('GET /sign-in/oidc when the provider is unreachable', () => {
  const lonelyServer = useTestServer({ oidcIssuer: 'http://127.0.0.1:1', oidcClientId: 'caseward' })

  it('returns 502 with a hint to sign in with the password', async () => {
    const { status, text } = await openBrowser(lonelyServer).get('/sign-in/oidc')
    expect([status, text.includes('sign in with your password')]).toEqual([502, true])
  })
})

describe('GET /sign-in/oidc/callback', () => {
  it('signs in the user with the verified email address, and redirects to the requested page', async () => {
    const { email } = await makeUserWithPassword(server, { password: null })
    const browser = openBrowser(server)
    const { status, location } = await signOn(browser, { email: email.toUpperCase() }, '?next=/join/abc')
    expect([status, location]).toEqual([303, '/join/abc'])
    expect((await browser.get('/v1/me')).text).toContain(email)
  })

  it('returns 403 when the email address is not verified', async () => {
    const { email } = await makeUserWithPassword(server)
    const browser = openBrowser(server)
    const page = await signOn(browser, { email, isVerified: false })
    expect([page.status, await isSignedIn(browser)]).toEqual([403, false])
  })

  it('returns 403 when there is neither an account nor an invitation for the email address', async () => {
    const browser = openBrowser(server)
    const page = await signOn(browser, { email: 'stranger@example.test' })
    expect([page.status, await isSignedIn(browser)]).toEqual([403, false])
  })

  it('creates an account without a password when the email address is invited', async () => {
    await makeInvitation(server, await makeProject(server), { email: 'invited@example.test' })
    const browser = openBrowser(server)
    expect((await signOn(browser, { email: 'Invited@example.test' })).status).toBe(303)
    const me = JSON.parse((await browser.get('/v1/me')).text) as { data: unknown }
    expect(me.data).toMatchObject({ email: 'Invited@example.test', name: 'Ada Lovelace', has_password: false })
  })

  it('accepts a response of the provider once, and only from the browser that started the sign-in', async () => {
    const { email } = await makeUserWithPassword(server, { password: null })
    const { provider } = signOnScenario
    provider.claims = { email, email_verified: true }
    const browser = openBrowser(server)
    const callbackPath = await getCallbackPath(browser)
    const otherBrowser = openBrowser(server)
    expect((await otherBrowser.get(callbackPath)).status).toBe(400)
    await otherBrowser.get('/sign-in/oidc')
    expect((await otherBrowser.get(callbackPath)).status).toBe(400)
    expect((await browser.get(callbackPath)).status).toBe(303)
    expect((await browser.get(callbackPath)).status).toBe(400)
  })

  it.each(['?error=access_denied', '?code=made-up', '', '?code=x&state=y'])(
    'returns 400 when the query is “%s”',
    async (query) => {
      const browser = openBrowser(server)
      await browser.get('/sign-in/oidc')
      expect((await browser.get(`/sign-in/oidc/callback${query}`)).status).toBe(400)
      expect(await isSignedIn(browser)).toBe(false)
    },
  )

  it('logs no authorization code, state or client secret', async () => {
    const { email } = await makeUserWithPassword(server, { password: null })
    const { provider } = signOnScenario
    provider.claims = { email, email_verified: true }
    const browser = openBrowser(server)
    const callbackPath = await getCallbackPath(browser)
    await browser.get(callbackPath)
    await openBrowser(server).get('/sign-in/oidc/callback?code=made-up&state=made-up')
    const log = server.logged.join('')
    const { code = 'missing', state = 'missing' } = Object.fromEntries(new URL(callbackPath, server.url).searchParams)
    for (const secret of [code, state, provider.clientSecret, 'made-up']) expect(log).not.toContain(secret)
  })
})
