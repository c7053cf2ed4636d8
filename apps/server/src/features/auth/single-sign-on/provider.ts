import * as oidc from 'openid-client'

import type { AuthorizationRequest } from './authorization-request.ts'
import { createKeyFinder } from './key-finder.ts'
import { findClaim, parseGroups } from './parse-groups.ts'
import { LogoutTokenError, type ProviderLogout, verifyLogoutToken } from './logout-token.ts'
import { type Identity, parseIdentity } from './parse-identity.ts'

export interface ProviderSettings {
  oidcIssuer: string | null
  oidcClientId: string | null
  oidcClientSecret: string | null
  oidcSessionHours: number
  oidcScopes: string
  oidcGroupsClaim: string | null
}

/** An OpenID Connect provider. */
export interface Provider {
  /** Returns the URL at the provider to which the browser is redirected for sign-in. */
  getAuthorizationUrl(request: AuthorizationRequest, redirectUri: string): Promise<URL>
  /** Exchanges the code in the callback URL for the user's identity. Rejects when the response is for another request. */
  fetchIdentity(request: AuthorizationRequest, callbackUrl: URL): Promise<Identity>
  /** Validates a logout token of this provider. @throws {LogoutTokenError} */
  verifyLogoutToken(token: string): Promise<ProviderLogout>
}

/**
 * Creates the provider of the settings; null when none is configured. Its metadata is fetched at the first sign-in, so
 * that the server can start while the provider is unavailable.
 */
export function createProvider(settings: ProviderSettings): Provider | null {
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcSessionHours, oidcScopes, oidcGroupsClaim } = settings
  if (oidcIssuer === null || oidcClientId === null) return null
  const issuer = new URL(oidcIssuer)
  const clientId = oidcClientId
  let configurationPromise: Promise<oidc.Configuration> | null = null
  const keys = createKeyFinder(async () => (await getConfiguration()).serverMetadata().jwks_uri)

  function getConfiguration(): Promise<oidc.Configuration> {
    configurationPromise ??= oidc
      .discovery(
        issuer,
        clientId,
        undefined,
        oidcClientSecret === null ? oidc.None() : oidc.ClientSecretPost(oidcClientSecret),
        {
          execute: [
            // The library trusts ID tokens without it, because they come from the token endpoint.
            oidc.enableNonRepudiationChecks,
            ...(issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : []),
          ],
        },
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
        scope: oidcScopes,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
        // Otherwise the provider may return at once, for a user who is signed in there.
        ...(isConfirmation ? { prompt: 'login' } : {}),
        // Makes the provider return `auth_time`: when the user has proved there who they are.
        max_age: isConfirmation ? '0' : String(oidcSessionHours * 3600),
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
      const areGroupsMissing = oidcGroupsClaim !== null && findClaim(claims, oidcGroupsClaim) === undefined
      const userInfo =
        isEmailMissing || areGroupsMissing
          ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : claims
      const groups = oidcGroupsClaim === null ? null : parseGroups([claims, userInfo], oidcGroupsClaim)
      return parseIdentity(claims, isEmailMissing ? userInfo : claims, groups)
    },
    async verifyLogoutToken(token) {
      const metadata = await keys.limit(getConfiguration).catch(() => null)
      if (metadata === null) throw new LogoutTokenError('The provider is unreachable')
      return await verifyLogoutToken(token, {
        issuer: metadata.serverMetadata().issuer,
        clientId,
        getKey: keys.findKey,
      })
    },
  }
}
