import * as oidc from 'openid-client'

/** What the browser keeps in a cookie while its user is at the provider. */
export interface AuthorizationRequest {
  state: string
  nonce: string
  verifier: string
  /** The path to open after sign-in. */
  next: string
  /** Whether a signed-in user confirms who they are, and is asked for it by the provider again. */
  isConfirmation: boolean
}

/** A server of before did not know confirmations. */
type StoredRequest = Omit<AuthorizationRequest, 'isConfirmation'> & { isConfirmation?: boolean }

/** State, nonce and the PKCE verifier bind the provider's response to this browser and this sign-in. */
export const createAuthorizationRequest = (next: string, isConfirmation: boolean): AuthorizationRequest => ({
  state: oidc.randomState(),
  nonce: oidc.randomNonce(),
  verifier: oidc.randomPKCECodeVerifier(),
  next,
  isConfirmation,
})

export const formatAuthorizationRequest = (request: AuthorizationRequest): string =>
  Buffer.from(JSON.stringify(request)).toString('base64url')

/** Parses the cookie; returns null when it is missing or was not written by {@link formatAuthorizationRequest}. */
export function parseAuthorizationRequest(cookie: string | null): AuthorizationRequest | null {
  if (cookie === null) return null
  try {
    const parsed = JSON.parse(Buffer.from(cookie, 'base64url').toString()) as StoredRequest
    const { state, nonce, verifier, next, isConfirmation = false } = parsed
    const isComplete = [state, nonce, verifier, next].every((part) => typeof part === 'string')
    return isComplete ? { state, nonce, verifier, next, isConfirmation } : null
  } catch {
    return null
  }
}
