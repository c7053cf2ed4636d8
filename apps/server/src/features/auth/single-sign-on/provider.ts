import * as oidc from 'openid-client'

import { type Identity, parseIdentity } from './parse-identity.ts'

export interface ProviderSettings {
  oidcIssuer: string | null
  oidcClientId: string | null
  oidcClientSecret: string | null
}

/** What the browser keeps while its user is away at the provider. */
export interface AuthorizationRequest {
  state: string
  nonce: string
  verifier: string
  next: string
}

export interface Provider {
  /** Where to send the browser. */
  getAuthorizationUrl(errand: AuthorizationRequest, redirectUri: string): Promise<URL>
  /** Who came back with this address. Rejects for an answer that is not to this errand. */
  fetchIdentity(errand: AuthorizationRequest, callbackUrl: URL): Promise<Identity>
}

/** A new errand: PKCE, state and nonce bind the answer to this browser and this try. */
export const createAuthorizationRequest = (next: string): AuthorizationRequest => ({
  state: oidc.randomState(),
  nonce: oidc.randomNonce(),
  verifier: oidc.randomPKCECodeVerifier(),
  next,
})

/** The OpenID Connect provider of the settings; null without one. It is asked when first needed: it may be down at our start. */
export function createProvider({ oidcIssuer, oidcClientId, oidcClientSecret }: ProviderSettings): Provider | null {
  if (oidcIssuer === null || oidcClientId === null) return null
  const issuer = new URL(oidcIssuer)
  let found: Promise<oidc.Configuration> | null = null

  function discover(): Promise<oidc.Configuration> {
    found ??= oidc
      .discovery(
        issuer,
        oidcClientId ?? '',
        undefined,
        oidcClientSecret === null ? oidc.None() : oidc.ClientSecretPost(oidcClientSecret),
        issuer.protocol === 'http:' ? { execute: [oidc.allowInsecureRequests] } : {},
      )
      .catch((error: unknown) => {
        found = null
        throw error
      })
    return found
  }

  return {
    async getAuthorizationUrl({ state, nonce, verifier }, redirectUri) {
      return oidc.buildAuthorizationUrl(await discover(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      })
    },
    async fetchIdentity({ state, nonce, verifier }, callbackUrl) {
      const configuration = await discover()
      const tokens = await oidc.authorizationCodeGrant(configuration, callbackUrl, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (claims === undefined) throw new Error('The provider sent no ID token')
      // Many providers tell the address in the ID token; the others when they are asked.
      const told =
        claims['email'] === undefined
          ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : claims
      return parseIdentity(told)
    },
  }
}
