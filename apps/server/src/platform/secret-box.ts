import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'

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

interface SecretKeySettings {
  secretKey: string | null
  /** Where the key is kept if `SECRET_KEY` is not set; null if it must be set. */
  keyFile: string | null
}

/** There is neither `SECRET_KEY` nor a place for a key of the service. */
export class SecretKeyMissingError extends Error {
  override readonly name = 'SecretKeyMissingError'
}

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32
/** Enough that the derived key is as strong as AES-256. */
const KEY_FILE_BYTES = 32
/** The first byte of every ciphertext, for a later format. */
const VERSION = 1
const HEADER_BYTES = 1 + IV_BYTES + TAG_BYTES

/** Creates a box whose key is read, and if need be created, when it is first used. */
export function createSecretBox({ secretKey, keyFile }: SecretKeySettings): SecretBox {
  let keyPromise: Promise<Buffer> | null = null

  function getKey(): Promise<Buffer> {
    keyPromise ??= readKey().catch((error: unknown) => {
      keyPromise = null
      throw error
    })
    return keyPromise
  }

  async function readKey(): Promise<Buffer> {
    if (secretKey !== null) return deriveKey(secretKey)
    if (keyFile === null) throw new SecretKeyMissingError('SECRET_KEY is not set')
    return deriveKey(await readOrCreateKeyFile(keyFile))
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

/** `SECRET_KEY` may serve further purposes later, each with a key of its own. */
const deriveKey = (secretKey: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, '', 'caseward stored secrets 1', KEY_BYTES))

async function readOrCreateKeyFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  await createKeyFile(path)
  return await readFile(path, 'utf8')
}

/** The file appears complete or not at all, also when the process is killed or another one creates it at the same time. */
async function createKeyFile(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const temporaryPath = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  const file = await open(temporaryPath, 'wx', 0o600)
  try {
    await file.writeFile(`${randomBytes(KEY_FILE_BYTES).toString('base64url')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await link(temporaryPath, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await unlink(temporaryPath)
  }
}
