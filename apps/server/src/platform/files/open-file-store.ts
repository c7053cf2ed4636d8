import type { Database } from '../database/connect.ts'
import { bindFileStore, checkBinding, describeBindingProblem } from './bind-file-store.ts'
import { createDirectoryStore } from './directory-store.ts'
import { type FileStore, FileStoreError } from './file-store.ts'

export interface FileStoreSettings {
  filesDir: string
  filesMinFreeMb: number
  s3BucketUrl: string | null
  s3Region: string
  s3AccessKeyId: string | null
  s3SecretAccessKey: string | null
  s3Prefix: string
}

const MEBIBYTE = 1024 * 1024

/** Opens the store that the settings name, whichever database it belongs to. */
export async function openFileStore({
  filesDir,
  filesMinFreeMb,
  s3BucketUrl,
  s3Region,
  s3AccessKeyId,
  s3SecretAccessKey,
  s3Prefix,
}: FileStoreSettings): Promise<FileStore> {
  if (s3BucketUrl === null || s3AccessKeyId === null || s3SecretAccessKey === null) {
    return createDirectoryStore({ directory: filesDir, minFreeBytes: filesMinFreeMb * MEBIBYTE })
  }
  const { createS3Store } = await import('./s3-store.ts')
  return createS3Store({
    bucketUrl: s3BucketUrl,
    region: s3Region,
    accessKeyId: s3AccessKeyId,
    secretAccessKey: s3SecretAccessKey,
    prefix: s3Prefix,
  })
}

/** The file store of a server, which is used only when it belongs to the server's database. */
export interface OwnFileStore {
  /** Returns the store to read or remove contents. @throws {FileStoreError} `unavailable` */
  get(): Promise<FileStore>
  /** Returns the store that a content is in. @throws {FileStoreError} `unavailable`, also when the settings name another */
  getAt(location: number): Promise<FileStore>
  /** Returns the store to write contents, and binds it to the database for the first one. @throws {FileStoreError} */
  getForWriting(): Promise<FileStore>
}

/** Opens the store when it is first used, so that a server without files needs none. */
export function createOwnFileStore(db: Database, settings: FileStoreSettings): OwnFileStore {
  let opening: Promise<FileStore> | null = null
  let isOwn = false

  const open = (): Promise<FileStore> => {
    opening ??= openFileStore(settings).catch((error: unknown) => {
      opening = null
      throw error
    })
    return opening
  }

  async function get(canBind: boolean): Promise<FileStore> {
    const store = await open()
    if (isOwn) return store
    const binding = canBind ? await bindFileStore(db, store) : await checkBinding(db, store)
    if (binding !== 'own') throw new FileStoreError('unavailable', describeBindingProblem(binding, store))
    isOwn = true
    return store
  }

  async function getAt(location: number): Promise<FileStore> {
    const store = await get(false)
    if (store.location === location) return store
    throw new FileStoreError('unavailable', `the file is not in the file store ${store.description}`)
  }

  return { get: () => get(false), getAt, getForWriting: () => get(true) }
}
