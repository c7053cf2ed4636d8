import { hkdfSync, randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The secret that all servers of a database share, from which each purpose has a key of its own. */
export interface SecretKey {
  /** @param purpose never changes, as what was made with the key would be worthless. @throws {SecretKeyMissingError} */
  derive(purpose: string): Promise<Buffer>
}

export interface SecretKeySettings {
  secretKey: string | null
  /** Where the key is kept if `SECRET_KEY` is not set; null if it must be set. */
  keyFile: string | null
}

/** There is neither `SECRET_KEY` nor a place for a key of the service. */
export class SecretKeyMissingError extends Error {
  override readonly name = 'SecretKeyMissingError'
}

const KEY_BYTES = 32
/** Enough that the derived key is as strong as AES-256. */
const KEY_FILE_BYTES = 32

/** Creates a key that is read, and if need be created, when it is first used. */
export function createSecretKey({ secretKey, keyFile }: SecretKeySettings): SecretKey {
  let reading: Promise<string> | null = null

  async function read(): Promise<string> {
    if (secretKey !== null) return secretKey
    if (keyFile === null) throw new SecretKeyMissingError('SECRET_KEY is not set')
    return await readOrCreateKeyFile(keyFile)
  }

  return {
    async derive(purpose) {
      reading ??= read().catch((error: unknown) => {
        reading = null
        throw error
      })
      return Buffer.from(hkdfSync('sha256', await reading, '', purpose, KEY_BYTES))
    },
  }
}

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
