import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { type OidcProvider, signInAtProvider, startOidcProvider } from '@caseward/test-support/oidc-provider'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword } from '@caseward/test-support/users'

let provider: OidcProvider
beforeAll(async () => {
  provider = await startOidcProvider(() => `${server.url.replace('127.0.0.1', 'localhost')}/sign-in/oidc/callback`)
})
afterAll(() => provider.close())
const server = useTestServer(() => ({
  oidcIssuer: provider.issuer,
  oidcClientId: provider.clientId,
  oidcClientSecret: provider.clientSecret,
}))

describe('GET /sign-in/oidc/callback', () => {
  it('returns 403 and says why when the user is disabled', async () => {
    const { id, email } = await makeUserWithPassword(server, { password: null })
    await server.db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', id).execute()
    provider.claims = { email, email_verified: true }
    const browser = openBrowser(server)
    const { location } = await browser.get('/sign-in/oidc')
    const { pathname, search } = new URL(await signInAtProvider(provider, location ?? ''))
    const { status, text } = await browser.get(pathname + search)
    expect([status, text.includes('Your account is disabled')]).toEqual([403, true])
    expect((await browser.get('/')).status).toBe(303)
  })
})
