import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { Provider } from 'oidc-provider'

import { openBrowser } from './browser.ts'

export interface OidcProvider {
  issuer: string
  clientId: string
  clientSecret: string
  /** What the provider says of who is signed in there from now on: `email`, `email_verified`, `name`. */
  claims: Record<string, unknown>
  /** How often it was asked for what it says, beside the ID token. */
  userInfoRequests: number
  close(): void
}

/**
 * A real OpenID Connect provider, which asks nothing of its users: whoever comes is whom `claims` say.
 * @param claimsInIdToken whether it says so in the ID token, as many do, or only when it is asked, as the standard has it
 */
export async function startOidcProvider(redirectUri: () => string, claimsInIdToken = false): Promise<OidcProvider> {
  let handle = (_request: IncomingMessage, response: ServerResponse): void => void response.end()
  const http = createServer((request, response) => handle(request, response)).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const made: OidcProvider = {
    issuer,
    clientId: 'caseward',
    clientSecret: 'a-client-secret-of-some-length',
    claims: { email: 'nobody@example.test', email_verified: true },
    userInfoRequests: 0,
    close: () => void http.close(),
  }

  const start = () => {
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: made.clientId,
          client_secret: made.clientSecret,
          redirect_uris: [redirectUri()],
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      conformIdTokenClaims: !claimsInIdToken,
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      findAccount: (_context, id) => ({ accountId: id, claims: () => Promise.resolve({ sub: id, ...made.claims }) }),
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      cookies: { keys: ['only for tests'] },
      pkce: { required: () => true },
    })
    const callback = provider.callback()
    return (request: IncomingMessage, response: ServerResponse): void => {
      if (request.url === '/me') made.userInfoRequests += 1
      if (request.url?.startsWith('/interaction/') === true) void answer(provider, request, response)
      else void callback(request, response)
    }
  }
  let started: ReturnType<typeof start> | null = null
  handle = (request, response) => (started ??= start())(request, response)
  return made

  /** Signs in and consents, without a word. */
  async function answer(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { params } = await provider.interactionDetails(request, response)
    const accountId = randomUUID()
    const grant = new provider.Grant({ accountId, clientId: String(params['client_id']) })
    grant.addOIDCScope('openid email profile')
    await provider.interactionFinished(
      request,
      response,
      { login: { accountId }, consent: { grantId: await grant.save() } },
      { mergeWithLastSubmission: false },
    )
  }
}

/** Goes to the provider and comes back as far as the address that leads to us, which it does not open. */
export async function signInAtProvider({ issuer }: OidcProvider, start: string): Promise<string> {
  const visitor = openBrowser({ url: issuer })
  let address = start
  for (let hop = 0; hop < 10 && address.startsWith(issuer); hop += 1) {
    const answer = await visitor.get(address)
    address = new URL(answer.location ?? '', issuer).href
  }
  return address
}
