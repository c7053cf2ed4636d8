import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'

import { hashSecret } from '../../../access/secret.ts'
import { toSessionDigest } from './parse-identity.ts'

/** What the provider has ended. */
export interface ProviderLogout {
  issuer: string
  /** The user; null when the token names only a session. */
  subject: string | null
  /** The digest of the session; null when all sessions of the user ended. */
  sessionDigest: Buffer | null
  /** The digest of the token's id, and until when the token could be sent again. */
  tokenDigest: Buffer
  replayableUntil: Date
}

/** A logout token that does not end anything; the message says why. */
export class LogoutTokenError extends Error {
  override readonly name = 'LogoutTokenError'
}

/** How old a token may be. Not every provider sets `exp`, and used tokens are remembered for this long. */
const MAX_AGE_SECONDS = 5 * 60
/** How much the clocks of the provider and of this server may differ. */
const TOLERANCE_SECONDS = 60
const MAX_TOKEN_LENGTH = 12_000
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** Signed with a private key: everybody who knows a shared secret could sign with it. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const TYPES = new Set<unknown>([undefined, 'JWT', 'logout+jwt', 'application/logout+jwt'])

export interface LogoutTokenRules {
  issuer: string
  clientId: string
  /** Finds the provider's key for a token, which may fetch the keys. */
  getKey: JWTVerifyGetKey
}

/**
 * Validates a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6). The claims are checked first, so that only a
 * token that names this service can make it fetch the keys of the provider.
 * @throws {LogoutTokenError}
 */
export async function verifyLogoutToken(
  token: string,
  { issuer, clientId, getKey }: LogoutTokenRules,
): Promise<ProviderLogout> {
  if (token.length > MAX_TOKEN_LENGTH) throw new LogoutTokenError('The token is too long')
  const { header, claims } = decodeToken(token)
  if (header.alg === undefined || !ALGORITHMS.includes(header.alg)) {
    throw new LogoutTokenError('The algorithm of the signature is not accepted')
  }
  if (!TYPES.has(header.typ)) throw new LogoutTokenError('The type of the token is not that of a logout token')
  const logout = parseLogout(claims, { issuer, clientId })
  try {
    await jwtVerify(token, getKey, {
      algorithms: ALGORITHMS,
      issuer,
      audience: clientId,
      clockTolerance: TOLERANCE_SECONDS,
    })
  } catch (error) {
    throw new LogoutTokenError(
      `The signature was not verified: ${error instanceof errors.JOSEError ? error.code : 'the keys of the provider are not available'}`,
    )
  }
  return logout
}

function decodeToken(token: string) {
  try {
    return { header: decodeProtectedHeader(token), claims: decodeJwt(token) }
  } catch {
    throw new LogoutTokenError('The token is not a signed JWT')
  }
}

function parseLogout(claims: JWTPayload, { issuer, clientId }: { issuer: string; clientId: string }): ProviderLogout {
  const { iss, aud, iat, exp, jti, sub, nonce, sid, events } = claims as Record<string, unknown>
  const now = Date.now() / 1000
  if (iss !== issuer) throw new LogoutTokenError('The issuer (iss) is another one')
  if (!(Array.isArray(aud) ? aud : [aud]).includes(clientId))
    throw new LogoutTokenError('The audience (aud) is another one')
  if (typeof iat !== 'number' || !Number.isFinite(iat)) throw new LogoutTokenError('The time of issue (iat) is missing')
  if (iat > now + TOLERANCE_SECONDS) throw new LogoutTokenError('The time of issue (iat) is in the future')
  if (iat < now - MAX_AGE_SECONDS - TOLERANCE_SECONDS) throw new LogoutTokenError('The token is too old (iat)')
  if (exp !== undefined && !(typeof exp === 'number' && exp > now - TOLERANCE_SECONDS)) {
    throw new LogoutTokenError('The token has expired (exp)')
  }
  if (!isText(jti)) throw new LogoutTokenError('The id of the token (jti) is missing')
  if (!isObject(events) || !isObject(events[LOGOUT_EVENT]))
    throw new LogoutTokenError('The token is not about a logout (events)')
  if (nonce !== undefined) throw new LogoutTokenError('The token contains a nonce, as ID tokens do')
  if (sub !== undefined && !isText(sub)) throw new LogoutTokenError('The user (sub) is not valid')
  if (sid !== undefined && !isText(sid)) throw new LogoutTokenError('The session (sid) is not valid')
  if (sub === undefined && sid === undefined)
    throw new LogoutTokenError('The token names no user and no session (sub, sid)')
  return {
    issuer,
    subject: sub ?? null,
    sessionDigest: sid === undefined ? null : toSessionDigest(issuer, sid),
    tokenDigest: hashSecret(`${issuer}\0${jti}`),
    replayableUntil: new Date((iat + MAX_AGE_SECONDS + 2 * TOLERANCE_SECONDS) * 1000),
  }
}

const isText = (claim: unknown): claim is string => typeof claim === 'string' && claim !== '' && !claim.includes('\0')
const isObject = (claim: unknown): claim is Record<string, unknown> =>
  typeof claim === 'object' && claim !== null && !Array.isArray(claim)
