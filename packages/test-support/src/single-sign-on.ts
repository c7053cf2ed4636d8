import type { Config } from '@caseward/server/config'
import { afterAll, beforeAll } from 'vitest'

import type { Browser, Page } from './browser.ts'
import { type OidcProvider, signInAtProvider, startOidcProvider } from './oidc-provider.ts'
import { type TestServer, useTestServer } from './test-server.ts'

/** The user of a provider. */
interface ProviderUser {
  email: string
  /** The claim `sub`; by default one that belongs to the email address. */
  subject?: string
  isVerified?: boolean
  /** Further claims, such as groups. */
  claims?: Record<string, unknown>
}

/** A server with single sign-on. */
export interface SingleSignOn {
  server: TestServer
  readonly provider: OidcProvider
  /** Goes to the provider, signs in there, and returns the path of the callback to which the provider redirects. */
  getCallbackPath(browser: Browser, query?: string): Promise<string>
  /** Signs in as a user of the provider, and returns the response of the callback. */
  signOn(browser: Browser, user: ProviderUser, query?: string): Promise<Page>
}

/** Starts a server and its provider before the first test of a file, and closes both after the last one. */
export function useSingleSignOn(settings: Partial<Config> = {}): SingleSignOn {
  let provider: OidcProvider | undefined
  const getProvider = () => {
    if (provider === undefined) throw new Error('The provider is used before it is started')
    return provider
  }
  beforeAll(async () => {
    provider = await startOidcProvider(() => `${server.url.replace('127.0.0.1', 'localhost')}/sign-in/oidc/callback`)
  })
  afterAll(() => provider?.close())
  const server = useTestServer(() => ({
    oidcIssuer: getProvider().issuer,
    oidcClientId: getProvider().clientId,
    oidcClientSecret: getProvider().clientSecret,
    oidcName: 'Example',
    ...settings,
  }))

  async function getCallbackPath(browser: Browser, query = ''): Promise<string> {
    const redirect = await browser.get(`/sign-in/oidc${query}`)
    const { pathname, search } = new URL(await signInAtProvider(getProvider(), redirect.location ?? ''))
    return pathname + search
  }
  return {
    server,
    get provider() {
      return getProvider()
    },
    getCallbackPath,
    async signOn(browser, { email, subject, isVerified = true, claims = {} }, query) {
      getProvider().claims = { email, email_verified: isVerified, name: 'Ada Lovelace', ...claims }
      getProvider().subject = subject ?? null
      return await browser.get(await getCallbackPath(browser, query))
    },
  }
}
