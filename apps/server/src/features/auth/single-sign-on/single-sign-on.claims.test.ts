import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { makeInvitation, makeProject } from '@caseward/test-support/factories'
import { type OidcProvider, signInAtProvider, startOidcProvider } from '@caseward/test-support/oidc-provider'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword } from '@caseward/test-support/users'

describe.each([
  ['in the ID token', true, 0],
  ['when it is asked', false, 1],
])('a provider that says who somebody is %s', (_, claimsInIdToken, timesAsked) => {
  let server: TestServer
  let provider: OidcProvider
  beforeAll(async () => {
    const redirectUri = () => `${server.url.replace('127.0.0.1', 'localhost')}/sign-in/oidc/callback`
    provider = await startOidcProvider(redirectUri, claimsInIdToken)
    server = await startTestServer({
      oidcIssuer: provider.issuer,
      oidcClientId: provider.clientId,
      oidcClientSecret: provider.clientSecret,
    })
  })
  afterAll(async () => {
    await server.close()
    provider.close()
  })

  /** Goes to the provider and comes back, as whom it says. */
  async function comeBackAs(claims: Record<string, unknown>) {
    provider.claims = claims
    const browser = openBrowser(server)
    const leave = await browser.get('/sign-in/oidc')
    const { pathname, search } = new URL(await signInAtProvider(provider, leave.location ?? ''))
    return { browser, answer: await browser.get(pathname + search) }
  }

  /** The name of the account made for somebody invited, of whom the provider says this. */
  async function nameMadeFor(claims: { email: string; name?: unknown }): Promise<string> {
    await makeInvitation(server, await makeProject(server), { email: claims.email })
    const { browser, answer } = await comeBackAs({ email_verified: true, ...claims })
    expect(answer.status).toBe(303)
    return (JSON.parse((await browser.get('/v1/me')).text) as { data: { name: string } }).data.name
  }

  it('signs them in', async () => {
    const { email } = await makeUserWithPassword(server)
    provider.userInfoRequests = 0
    const { browser, answer } = await comeBackAs({ email, email_verified: true })
    expect([answer.status, provider.userInfoRequests]).toEqual([303, timesAsked])
    expect((await browser.get('/account')).text).toContain(email)
  })

  it.each([
    ['holds a NUL', 'nul\0@example.test'],
    ['is no well-formed text', 'half\ud83d@example.test'],
    ['has no host', 'ada'],
    ['is longer than any', `${'x'.repeat(320)}@example.test`],
    ['is no text', 5],
    ['is not there', undefined],
  ])('is told that the address cannot be used when it %s', async (_what, email) => {
    const { browser, answer } = await comeBackAs({ email, email_verified: true })
    expect([answer.status, answer.text.includes('tells no e-mail address of yours')]).toEqual([403, true])
    expect((await browser.get('/account')).status).toBe(303)
  })

  it.each([
    ['holds a NUL', 'A\0da'],
    ['is no well-formed text', 'Ada \udc00'],
    ['is blank', '  '],
    ['is no text', ['Ada']],
  ])('makes an account by the name in the address when the name %s', async (what, name) => {
    const local = `named.${what.replaceAll(' ', '.')}`
    expect(await nameMadeFor({ email: `${local}@example.test`, name })).toBe(local)
  })

  it('makes an account whose name is cut at 255 characters, whether it is told or taken from the address', async () => {
    expect(await nameMadeFor({ email: 'long@example.test', name: ` ${'😀'.repeat(300)}` })).toBe('😀'.repeat(255))
    expect(await nameMadeFor({ email: `${'y'.repeat(300)}@example.test` })).toBe('y'.repeat(255))
  })
})
