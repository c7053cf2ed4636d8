import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Browser, openBrowser, type Page } from '@caseward/test-support/browser'
import { makeProject } from '@caseward/test-support/factories'
import { type OidcProvider, signInAtProvider, startOidcProvider } from '@caseward/test-support/oidc-provider'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword } from '@caseward/test-support/users'

let server: TestServer
let provider: OidcProvider
beforeAll(async () => {
  provider = await startOidcProvider(() => `${server.url.replace('127.0.0.1', 'localhost')}/sign-in/oidc/callback`)
  server = await startTestServer({
    oidcIssuer: provider.issuer,
    oidcClientId: provider.clientId,
    oidcClientSecret: provider.clientSecret,
    oidcName: 'Example',
  })
})
afterAll(async () => {
  await server.close()
  provider.close()
})

async function throughProvider(browser: Browser, next = ''): Promise<{ back: string; answer: Page }> {
  const leave = await browser.get(`/sign-in/oidc${next}`)
  expect(leave.status).toBe(303)
  const back = await signInAtProvider(provider, leave.location ?? '')
  const { pathname, search } = new URL(back)
  return { back: pathname + search, answer: await browser.get(pathname + search) }
}

const verified = (email: string) => ({ email, email_verified: true, name: 'Ada Lovelace' })
const isSignedIn = async (browser: Browser) => (await browser.get('/account')).status === 200

async function invite(email: string) {
  const project = await makeProject(server)
  const { token } = project.admin
  await server.request('POST', `/v1/projects/${project.id}/members/invite`, { token, body: { email, role: 'viewer' } })
}

describe('sign-in elsewhere', () => {
  it('is offered by the name it goes by', async () => {
    expect((await openBrowser(server).get('/sign-in')).text).toContain('Sign in with Example')
  })

  it('signs in the user of the address that the provider vouches for', async () => {
    const { email } = await makeUserWithPassword(server)
    provider.claims = verified(email.toUpperCase())
    const browser = openBrowser(server)
    const { answer } = await throughProvider(browser, '?next=/join/abc')
    expect([answer.status, answer.location]).toEqual([303, '/join/abc'])
    expect((await browser.get('/account')).text).toContain(email)
  })

  it('sends along PKCE, state and nonce, new each time', async () => {
    const sent = async () =>
      Object.fromEntries(new URL((await openBrowser(server).get('/sign-in/oidc')).location ?? '').searchParams)
    const [one, other] = [await sent(), await sent()]
    expect(one).toMatchObject({ code_challenge_method: 'S256', response_type: 'code' })
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(one[name]?.length).toBeGreaterThan(20)
      expect(one[name]).not.toBe(other[name])
    }
  })

  it('links nobody by an address that is not verified', async () => {
    const { email } = await makeUserWithPassword(server)
    provider.claims = { email, email_verified: false }
    const browser = openBrowser(server)
    const { answer } = await throughProvider(browser)
    expect([answer.status, await isSignedIn(browser)]).toEqual([403, false])
  })

  it('lets nobody in who has no account and no invitation', async () => {
    provider.claims = verified('stranger@example.test')
    const browser = openBrowser(server)
    const { answer } = await throughProvider(browser)
    expect([answer.status, await isSignedIn(browser)]).toEqual([403, false])
  })

  it('makes an account without a password for who is invited', async () => {
    await invite('invited@example.test')
    provider.claims = verified('Invited@example.test')
    const browser = openBrowser(server)
    expect((await throughProvider(browser)).answer.status).toBe(303)
    const me = JSON.parse((await browser.get('/v1/me')).text) as { data: unknown }
    expect(me.data).toMatchObject({ email: 'Invited@example.test', name: 'Ada Lovelace', has_password: false })
  })

  it('takes an answer once, and from the browser that asked alone', async () => {
    const { email } = await makeUserWithPassword(server)
    provider.claims = verified(email)
    const browser = openBrowser(server)
    const leave = await browser.get('/sign-in/oidc')
    const { pathname, search } = new URL(await signInAtProvider(provider, leave.location ?? ''))
    const stranger = openBrowser(server)
    expect((await stranger.get(pathname + search)).status).toBe(400)
    await stranger.get('/sign-in/oidc')
    expect((await stranger.get(pathname + search)).status).toBe(400)
    expect((await browser.get(pathname + search)).status).toBe(303)
    expect((await browser.get(pathname + search)).status).toBe(400)
  })

  it.each(['?error=access_denied', '?code=made-up', '', '?code=x&state=y'])(
    'comes to nothing with %j',
    async (query) => {
      const browser = openBrowser(server)
      await browser.get('/sign-in/oidc')
      expect((await browser.get(`/sign-in/oidc/callback${query}`)).status).toBe(400)
      expect(await isSignedIn(browser)).toBe(false)
    },
  )

  it('keeps its errand in a cookie that no script reads', async () => {
    const browser = openBrowser(server)
    await browser.get('/sign-in/oidc')
    expect(browser.setCookies).toEqual([
      expect.stringMatching(/^caseward-oidc=[\w-]+; Max-Age=900; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
  })

  it('leaves no code or secret in the log', async () => {
    const { email } = await makeUserWithPassword(server)
    provider.claims = verified(email)
    const { back } = await throughProvider(openBrowser(server))
    await openBrowser(server).get('/sign-in/oidc/callback?code=made-up&state=made-up')
    const logged = server.logged.join('')
    const { code = 'missing', state = 'missing' } = Object.fromEntries(new URL(back, server.url).searchParams)
    for (const secret of [code, state, provider.clientSecret, 'made-up']) expect(logged).not.toContain(secret)
  })

  it('that nobody answers leaves the password', async () => {
    const alone = await startTestServer({ oidcIssuer: 'http://127.0.0.1:1', oidcClientId: 'caseward' })
    const answer = await openBrowser(alone).get('/sign-in/oidc')
    expect([answer.status, answer.text.includes('sign in with your password')]).toEqual([502, true])
    await alone.close()
  })
})
