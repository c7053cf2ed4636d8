import { generateKeyPairSync, type JsonWebKey, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { Provider } from 'oidc-provider'

import { type Browser, openBrowser } from './browser.ts'

export interface OidcProvider {
  issuer: string
  clientId: string
  clientSecret: string
  /** The claims of the next user: `email`, `email_verified`, `name`. */
  claims: Record<string, unknown>
  /** The claim `sub` of the next user; null for one that belongs to the claim `email`. */
  subject: string | null
  /** When the next user has signed in there, in seconds since 1970; null for now. */
  signedInAt: number | null
  /** Changes the ID tokens that the token endpoint returns, as somebody between the provider and the service could; or null. */
  changeIdToken: ((token: string) => string) | null
  /** The number of requests to the UserInfo endpoint. */
  userInfoRequests: number
  /** The number of requests for the public keys. */
  keyRequests: number
  /** The private key with which the provider signs, and its id. */
  signingKey: JsonWebKey & { kid: string }
  /** The browser in which the last user has signed in there. */
  lastBrowser: Browser | null
  close(): void
}

/**
 * Starts a real OpenID Connect provider that signs everybody in as the user of `claims`, without a form.
 * @param claimsInIdToken whether the ID token has the claims, as with many providers; by default only UserInfo has them
 */
export async function startOidcProvider(redirectUri: () => string, claimsInIdToken = false): Promise<OidcProvider> {
  let handle = (_request: IncomingMessage, response: ServerResponse): void => void response.end()
  const http = createServer((request, response) => handle(request, response)).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const oidcProvider: OidcProvider = {
    issuer,
    clientId: 'caseward',
    clientSecret: 'a-client-secret-of-some-length',
    claims: { email: 'nobody@example.test', email_verified: true },
    subject: null,
    signedInAt: null,
    changeIdToken: null,
    userInfoRequests: 0,
    keyRequests: 0,
    signingKey: {
      ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
      kid: 'key-1',
    },
    lastBrowser: null,
    close: () => void http.close(),
  }

  const subjectsByEmail = new Map<unknown, string>()
  function getSubject(): string {
    const { subject, claims } = oidcProvider
    const known = subject ?? subjectsByEmail.get(claims['email']) ?? randomUUID()
    if (subject === null) subjectsByEmail.set(claims['email'], known)
    return known
  }

  const start = () => {
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: oidcProvider.clientId,
          client_secret: oidcProvider.clientSecret,
          redirect_uris: [redirectUri()],
          token_endpoint_auth_method: 'client_secret_post',
          backchannel_logout_uri: new URL('/sign-in/oidc/backchannel-logout', redirectUri()).href,
          backchannel_logout_session_required: true,
        },
      ],
      conformIdTokenClaims: !claimsInIdToken,
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups', 'realm_access'] },
      findAccount: (_context, id) => ({
        accountId: id,
        claims: () => Promise.resolve({ sub: id, ...oidcProvider.claims }),
      }),
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
      // By default it does not connect to this machine.
      fetch(url, options) {
        const { dispatcher: _, ...init } = { ...options } as RequestInit & { dispatcher?: unknown }
        return fetch(url, init)
      },
      jwks: { keys: [{ ...oidcProvider.signingKey, use: 'sig', alg: 'RS256' }] },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      cookies: { keys: ['only for tests'] },
      pkce: { required: () => true },
    })
    const callback = provider.callback()
    return (request: IncomingMessage, response: ServerResponse): void => {
      if (request.url === '/me') oidcProvider.userInfoRequests += 1
      if (request.url === '/jwks') oidcProvider.keyRequests += 1
      const { changeIdToken } = oidcProvider
      if (request.url === '/token' && changeIdToken !== null) changeResponse(response, changeIdToken)
      if (request.url?.startsWith('/interaction/') === true) void completeInteraction(provider, request, response)
      else void callback(request, response)
    }
  }
  let started: ReturnType<typeof start> | null = null
  handle = (request, response) => (started ??= start())(request, response)
  return oidcProvider

  /** Signs in and consents. */
  async function completeInteraction(
    provider: Provider,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { params } = await provider.interactionDetails(request, response)
    const accountId = getSubject()
    const { signedInAt } = oidcProvider
    const login = signedInAt === null ? { accountId } : { accountId, ts: signedInAt }
    const grant = new provider.Grant({ accountId, clientId: String(params['client_id']) })
    grant.addOIDCScope('openid email profile')
    await provider.interactionFinished(
      request,
      response,
      { login, consent: { grantId: await grant.save() } },
      { mergeWithLastSubmission: false },
    )
  }
}

/** Changes the ID token in a response of the token endpoint. */
function changeResponse(response: ServerResponse, changeIdToken: (token: string) => string): void {
  const send = response.end.bind(response)
  response.end = ((body: string) => {
    const tokens = JSON.parse(body) as { id_token: string }
    const changed = JSON.stringify({ ...tokens, id_token: changeIdToken(tokens.id_token) })
    response.setHeader('content-length', Buffer.byteLength(changed))
    return send(changed)
  }) as typeof response.end
}

/** Follows redirects at the provider and returns the first URL outside of it: the callback, which is not opened. */
export async function signInAtProvider(provider: OidcProvider, start: string): Promise<string> {
  const { issuer } = provider
  const browser = openBrowser({ url: issuer })
  provider.lastBrowser = browser
  let url = start
  for (let hop = 0; hop < 10 && url.startsWith(issuer); hop += 1) {
    const { location } = await browser.get(url)
    url = new URL(location ?? '', issuer).href
  }
  return url
}

/** Signs out at the provider in the browser of its last user; the provider then notifies the service. */
export async function signOutAtProvider({ lastBrowser: browser }: OidcProvider): Promise<void> {
  if (browser === null) throw new Error('Nobody has signed in at the provider')
  const { text } = await browser.get('/session/end')
  const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(text) ?? []
  const { status } = await browser.post('/session/end/confirm', { xsrf, logout: 'yes' })
  if (status !== 303) throw new Error(`Signing out at the provider returned ${status}`)
}
