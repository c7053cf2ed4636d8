import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 62^43 is the first power of 62 above 2^256. */
const BODY_LENGTH = 43
const CHECKSUM_LENGTH = 6

const PREFIX = { personal: 'cwp_', ci: 'cwc_', share: 'cws_' } as const
/** What a secret gives access to: the tokens of users and projects, or the address of a shared report. */
export type TokenKind = keyof typeof PREFIX

function toBase62(value: bigint, length: number): string {
  let text = ''
  for (let remaining = value; text.length < length; remaining /= 62n) {
    text = ALPHABET.charAt(Number(remaining % 62n)) + text
  }
  return text
}

const computeChecksum = (text: string) => toBase62(BigInt(crc32(text)), CHECKSUM_LENGTH)

/** Generates a token or the secret of a shared report: a prefix, 32 random bytes in base62, and a CRC32 checksum of both. */
export function generateTokenSecret(kind: TokenKind): string {
  const body = PREFIX[kind] + toBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), BODY_LENGTH)
  return body + computeChecksum(body)
}

const tokenFormat = /^(?:cwp|cwc|cws)_[0-9A-Za-z]{49}$/

/**
 * Whether a text has the format of a token but a wrong checksum, so that a typing error is rejected without a query.
 * False for any other text: `ADMIN_TOKEN` may have another format.
 */
export function hasInvalidChecksum(secret: string): boolean {
  if (!tokenFormat.test(secret)) return false
  const body = secret.slice(0, -CHECKSUM_LENGTH)
  return computeChecksum(body) !== secret.slice(-CHECKSUM_LENGTH)
}

/** Whether a text may be the secret of a shared report: anything else is refused without a query. */
export const isShareSecret = (text: string): boolean =>
  text.startsWith(PREFIX.share) && tokenFormat.test(text) && !hasInvalidChecksum(text)

/** Generates the secret of a session or link: 32 random bytes. */
export const generateSecret = (): string => randomBytes(32).toString('base64url')

/** Returns the SHA-256 hash of a secret, which is stored instead of it. */
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer')
