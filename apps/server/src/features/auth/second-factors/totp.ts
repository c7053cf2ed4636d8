import { Secret, TOTP } from 'otpauth'

const ISSUER = 'Caseward'
/** The parameters that all authenticator apps support (RFC 6238). */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Codes of one time step before and after are accepted, because clocks differ and typing takes time. */
const WINDOW = 1
/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20

/** Other digits than those of ASCII would make the library throw. */
const codeFormat = /^[0-9]{6}$/

export const generateTotpSecret = (): Uint8Array => new Secret({ size: SECRET_BYTES }).bytes

/** Returns a secret as people type it: base32. */
export const formatTotpSecret = (secret: Uint8Array): string => toSecret(secret).base32

/** Returns the URI that authenticator apps read from a QR code. */
export const formatOtpauthUri = (secret: Uint8Array, email: string): string =>
  new TOTP({ ...PARAMETERS, issuer: ISSUER, label: email, secret: toSecret(secret) }).toString()

/**
 * Returns the time step of a code, for which it is right; null when it is wrong, or not newer than the last code that was
 * used, so that a code that was seen by others is worthless.
 */
export function findTimeStep(secret: Uint8Array, code: string, lastStep: number | null): number | null {
  if (!codeFormat.test(code)) return null
  const delta = TOTP.validate({ ...PARAMETERS, token: code, secret: toSecret(secret), window: WINDOW })
  if (delta === null) return null
  const step = TOTP.counter({ period: PARAMETERS.period }) + delta
  return lastStep === null || step > lastStep ? step : null
}

const toSecret = (bytes: Uint8Array): Secret =>
  new Secret({ buffer: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer })
