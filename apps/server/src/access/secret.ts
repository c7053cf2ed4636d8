import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 62^43 is the first power of 62 above 2^256. */
const BODY_LENGTH = 43
const CHECKSUM_LENGTH = 6

const PREFIX = { personal: 'cwp_', ci: 'cwc_' } as const
export type TokenKind = keyof typeof PREFIX

function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = ALPHABET.charAt(Number(rest % 62n)) + text
  return text
}

const checksum = (text: string) => base62(BigInt(crc32(text)), CHECKSUM_LENGTH)

/** A new token: its prefix, 32 random bytes in base62 and a CRC32 checksum over both. */
export function generateTokenSecret(kind: TokenKind): string {
  const body = PREFIX[kind] + base62(BigInt(`0x${randomBytes(32).toString('hex')}`), BODY_LENGTH)
  return body + checksum(body)
}

const ours = /^(?:cwp|cwc)_[0-9A-Za-z]{49}$/

/**
 * Whether a text looks like one of our tokens and its checksum is wrong, so that a typo is refused without a look-up.
 * False for anything of another form: `ADMIN_TOKEN` may be any text.
 */
export function hasInvalidChecksum(secret: string): boolean {
  if (!ours.test(secret)) return false
  const body = secret.slice(0, -CHECKSUM_LENGTH)
  return checksum(body) !== secret.slice(-CHECKSUM_LENGTH)
}

/** The secret of a session or link: 32 random bytes. */
export const generateSecret = (): string => randomBytes(32).toString('base64url')

/** What is stored of a secret: SHA-256. */
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer')
