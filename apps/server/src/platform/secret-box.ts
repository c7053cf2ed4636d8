import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

import type { SecretKey } from './secret-key.ts'

/** Encrypts the few secrets that the service must be able to read again. All others are hashed. */
export interface SecretBox {
  /**
   * @param context what the secret belongs to, such as an id. Only the same context decrypts it, so that a ciphertext is
   *   worthless in another row
   * @throws {SecretKeyMissingError}
   */
  encrypt(secret: Uint8Array, context: string): Promise<Buffer>
  /** Returns null when the secret was encrypted with another key or context. @throws {SecretKeyMissingError} */
  decrypt(ciphertext: Uint8Array, context: string): Promise<Buffer | null>
}

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
/** The first byte of every ciphertext, for a later format. */
const VERSION = 1
const HEADER_BYTES = 1 + IV_BYTES + TAG_BYTES

const PURPOSE = 'caseward stored secrets 1'

/** Creates a box with a key of its own. */
export function createSecretBox(secretKey: SecretKey): SecretBox {
  let derived: Promise<Buffer> | null = null
  const getKey = (): Promise<Buffer> => {
    derived ??= secretKey.derive(PURPOSE).catch((error: unknown) => {
      derived = null
      throw error
    })
    return derived
  }

  return {
    async encrypt(secret, context) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(ALGORITHM, await getKey(), iv)
      cipher.setAAD(Buffer.from(context))
      const encrypted = Buffer.concat([cipher.update(secret), cipher.final()])
      return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), encrypted])
    },
    async decrypt(ciphertext, context) {
      const bytes = Buffer.from(ciphertext)
      if (bytes[0] !== VERSION || bytes.length < HEADER_BYTES) return null
      const decipher = createDecipheriv(ALGORITHM, await getKey(), bytes.subarray(1, 1 + IV_BYTES))
      decipher.setAAD(Buffer.from(context))
      decipher.setAuthTag(bytes.subarray(1 + IV_BYTES, HEADER_BYTES))
      const start = decipher.update(bytes.subarray(HEADER_BYTES))
      try {
        return Buffer.concat([start, decipher.final()])
      } catch {
        return null
      }
    },
  }
}
