import { randomBytes } from 'node:crypto'

import { hashSecret } from '../../../access/secret.ts'

export const RECOVERY_CODE_COUNT = 10

/** Without letters that look like digits (Crockford's base32). */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const LENGTH = 16

/** Generates recovery codes such as `x7kq-2mwd-90ra-hz4e`, with 80 random bits each. */
export const generateRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODE_COUNT }, () => {
    const characters = Array.from(randomBytes(LENGTH), (byte) => ALPHABET.charAt(byte % ALPHABET.length))
    return characters.join('').replaceAll(/.{4}(?=.)/g, '$&-')
  })

/** Returns the hash of a code, however it was typed. */
export function hashRecoveryCode(code: string): Buffer {
  const normalized = code.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1')
  return hashSecret(normalized)
}
