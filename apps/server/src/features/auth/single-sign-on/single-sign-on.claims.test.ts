import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { makeInvitation, makeProject } from '@caseward/test-support/factories'
import { type OidcProvider, signInAtProvider, startOidcProvider } from '@caseward/test-support/oidc-provider'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword } from '@caseward/test-support/users'

describe.each([
  ['the ID token', true, 0],
  ['the UserInfo endpoint', false, 1],
])('single sign-on with claims from %s', (_source, claimsInIdToken, userInfoRequests) => {
  let provider: OidcProvider
  beforeAll(async () => {
    const getRedirectUri = () => `${server.url.replace('127.0.0.1', 'localhost')}/sign-in/oidc/callback`
    provider = await startOidcProvider(getRedirectUri, claimsInIdToken)
  })
  afterAll(() => provider.close())
  const server = useTestServer(() => ({
    oidcIssuer: provider.issuer,
    oidcClientId: provider.clientId,
    oidcClientSecret: provider.clientSecret,
  }))

  async function signInWithClaims(claims: Record<string, unknown>) {
    provider.claims = claims
    const browser = openBrowser(server)
    const redirect = await browser.get('/sign-in/oidc')
    const { pathname, search } = new URL(await signInAtProvider(provider, redirect.location ?? ''))
    return { browser, page: await browser.get(pathname + search) }
  }

  /** Signs in a user who is invited and has no account yet, and returns the name of the new account. */
  async function createAccountWithClaims(claims: { email: string; name?: unknown }): Promise<string> {
    await makeInvitation(server, await makeProject(server), { email: claims.email })
    const { browser, page } = await signInWithClaims({ email_verified: true, ...claims })
    expect(page.status).toBe(303)
    return (JSON.parse((await browser.get('/v1/me')).text) as { data: { name: string } }).data.name
  }

  it('signs in the user, and requests the UserInfo endpoint only when necessary', async () => {
    const { email } = await makeUserWithPassword(server, { password: null })
    provider.userInfoRequests = 0
    const { browser, page } = await signInWithClaims({ email, email_verified: true })
    expect([page.status, provider.userInfoRequests]).toEqual([303, userInfoRequests])
    expect((await browser.get('/v1/me')).text).toContain(email)
  })

  it.each([
    ['contains a NUL character', 'nul\0@example.test'],
    ['is not well-formed Unicode', 'half\ud83d@example.test'],
    ['has no host', 'ada'],
    ['is too long', `${'x'.repeat(320)}@example.test`],
    ['is not a string', 5],
    ['is missing', undefined],
  ])('returns 403 when the email address %s', async (_, email) => {
    const { browser, page } = await signInWithClaims({ email, email_verified: true })
    expect([page.status, page.text.includes('did not return a valid email address')]).toEqual([403, true])
    expect((await browser.get('/')).status).toBe(303)
  })

  it.each([
    ['is not well-formed Unicode', 'Ada \udc00'],
    ['is blank', '  '],
    ['is not a string', ['Ada']],
  ])('creates an account named after the email address when the name %s', async (condition, name) => {
    const localPart = `named.${condition.replaceAll(' ', '.')}`
    expect(await createAccountWithClaims({ email: `${localPart}@example.test`, name })).toBe(localPart)
  })

  it('creates an account with a name without invisible characters', async () => {
    const name = ' Ada\u200b \u202eLovelace\n'
    expect(await createAccountWithClaims({ email: 'invisible@example.test', name })).toBe('Ada Lovelace')
  })

  it('creates an account with a name of 255 characters when the name or email address is longer', async () => {
    const name = ` ${'😀'.repeat(300)}`
    expect(await createAccountWithClaims({ email: 'long@example.test', name })).toBe('😀'.repeat(255))
    expect(await createAccountWithClaims({ email: `${'y'.repeat(300)}@example.test` })).toBe('y'.repeat(255))
  })
})
