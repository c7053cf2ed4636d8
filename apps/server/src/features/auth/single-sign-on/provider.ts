import * as oidc from 'openid-client'

import type { AuthorizationRequest } from './authorization-request.ts'
import { type Identity, parseIdentity } from './parse-identity.ts'

export interface ProviderSettings {
  oidcIssuer: string | null
  oidcClientId: string | null
  oidcClientSecret: string | null
}

/** An OpenID Connect provider. */
export interface Provider {
  /** Returns the URL at the provider to which the browser is redirected for sign-in. */
  getAuthorizationUrl(request: AuthorizationRequest, redirectUri: string): Promise<URL>
  /** Exchanges the code in the callback URL for the user's identity. Rejects when the response is for another request. */
  fetchIdentity(request: AuthorizationRequest, callbackUrl: URL): Promise<Identity>
}

/**
 * Creates the provider of the settings; null when none is configured. Its metadata is fetched at the first sign-in, so
 * that the server can start while the provider is unavailable.
 */
export function createProvider({ oidcIssuer, oidcClientId, oidcClientSecret }: ProviderSettings): Provider | null {
  if (oidcIssuer === null || oidcClientId === null) return null
  const issuer = new URL(oidcIssuer)
  let configurationPromise: Promise<oidc.Configuration> | null = null

  function getConfiguration(): Promise<oidc.Configuration> {
    configurationPromise ??= oidc
      .discovery(
        issuer,
        oidcClientId ?? '',
        undefined,
        oidcClientSecret === null ? oidc.None() : oidc.ClientSecretPost(oidcClientSecret),
        issuer.protocol === 'http:' ? { execute: [oidc.allowInsecureRequests] } : {},
      )
      .catch((error: unknown) => {
        configurationPromise = null
        throw error
      })
    return configurationPromise
  }

  return {
    async getAuthorizationUrl({ state, nonce, verifier, isConfirmation }, redirectUri) {
      return oidc.buildAuthorizationUrl(await getConfiguration(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
        // Otherwise the provider may return at once, for a user who is signed in there.
        ...(isConfirmation ? { prompt: 'login' } : {}),
      })
    },
    async fetchIdentity({ state, nonce, verifier }, callbackUrl) {
      const configuration = await getConfiguration()
      const tokens = await oidc.authorizationCodeGrant(configuration, callbackUrl, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (claims === undefined) throw new Error('The provider returned no ID token')
      // Many providers put the email address into the ID token; the others return it from the UserInfo endpoint.
      const isEmailMissing = claims['email'] === undefined
      const profile = isEmailMissing ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub) : claims
      return parseIdentity(claims, profile)
    },
  }
}
