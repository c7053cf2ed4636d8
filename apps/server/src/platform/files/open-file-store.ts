import type { Database } from '../database/connect.ts'
import { bindFileStore, type Binding, checkBinding, describeBindingProblem } from './bind-file-store.ts'
import { createDirectoryStore } from './directory-store.ts'
import { type FileStore, FileStoreError } from './file-store.ts'

export interface FileStoreSettings {
  filesDir: string
  filesMinFreeMb: number
  /** Where new contents go; null for the bucket if there is one. */
  filesStore: 'directory' | 's3' | null
  s3BucketUrl: string | null
  s3Region: string
  s3AccessKeyId: string | null
  s3SecretAccessKey: string | null
  s3Prefix: string
}

/** The stores that the settings name. */
export interface FileStores {
  /** Where new contents are written. */
  target: FileStore
  /** Where else contents can be. */
  other: FileStore | null
}

const MEBIBYTE = 1024 * 1024

/** Opens the stores that the settings name, whichever database they belong to. */
export async function openFileStores(settings: FileStoreSettings): Promise<FileStores> {
  const directory = createDirectoryStore({
    directory: settings.filesDir,
    minFreeBytes: settings.filesMinFreeMb * MEBIBYTE,
  })
  const { s3BucketUrl, s3AccessKeyId, s3SecretAccessKey } = settings
  if (s3BucketUrl === null || s3AccessKeyId === null || s3SecretAccessKey === null) {
    return { target: directory, other: null }
  }
  const { createS3Store } = await import('./s3-store.ts')
  const bucket = createS3Store({
    bucketUrl: s3BucketUrl,
    region: settings.s3Region,
    accessKeyId: s3AccessKeyId,
    secretAccessKey: s3SecretAccessKey,
    prefix: settings.s3Prefix,
  })
  return settings.filesStore === 'directory'
    ? { target: directory, other: bucket }
    : { target: bucket, other: directory }
}

/** Opens the store to which the settings let new contents be written. */
export const openFileStore = async (settings: FileStoreSettings): Promise<FileStore> =>
  (await openFileStores(settings)).target

/** The file stores of a server, which are used only when they belong to the server's database. */
export interface OwnFileStore {
  /** Returns the store that a content is in. @throws {FileStoreError} `unavailable`, also when the settings name no such one */
  getAt(location: number): Promise<FileStore>
  /** Returns the store to write contents, and binds it to the database for the first one. @throws {FileStoreError} */
  getForWriting(): Promise<FileStore>
  /** Returns the stores that have contents of this database and are available, with what is wrong with others. */
  getAll(): Promise<{ stores: FileStore[]; problems: FileStoreError[] }>
  /** @throws {FileStoreError} when no content could be written now */
  check(): Promise<void>
}

/** Opens the stores when they are first used, so that a server without files needs none. */
export function createOwnFileStore(db: Database, settings: FileStoreSettings): OwnFileStore {
  let opening: Promise<FileStores> | null = null
  const own = new Set<FileStore>()

  const open = (): Promise<FileStores> => {
    opening ??= openFileStores(settings).catch((error: unknown) => {
      opening = null
      throw error
    })
    return opening
  }

  async function requireOwn(store: FileStore, stores: FileStores, canBind: boolean): Promise<FileStore> {
    if (own.has(store)) return store
    const others = listStores(stores).filter((other) => other !== store)
    const binding = canBind ? await bindFileStore(db, store, others) : await checkBinding(db, store, others)
    if (binding !== 'own') throw new FileStoreError('unavailable', describeBindingProblem(binding, store))
    own.add(store)
    return store
  }

  async function getTarget(canBind: boolean): Promise<FileStore> {
    const stores = await open()
    return await requireOwn(stores.target, stores, canBind)
  }

  return {
    getForWriting: () => getTarget(true),
    async getAt(location) {
      const stores = await open()
      const store = listStores(stores).find((candidate) => candidate.location === location)
      if (store !== undefined) return await requireOwn(store, stores, false)
      throw new FileStoreError('unavailable', `the file is not in the file store ${stores.target.description}`)
    },
    async getAll() {
      const opened = await open()
      const stores: FileStore[] = []
      const problems: FileStoreError[] = []
      for (const store of listStores(opened)) {
        const binding = await checkAvailable(db, store, opened)
        if (binding === 'own') stores.push(store)
        else if (binding instanceof FileStoreError) problems.push(binding)
        else if (binding !== 'new') problems.push(toError(binding, store))
      }
      return { stores, problems }
    },
    async check() {
      const stores = await open()
      const binding = await checkBinding(db, stores.target, [])
      if (binding !== 'own' && binding !== 'new') throw toError(binding, stores.target)
      await stores.target.check()
    },
  }
}

/** All stores that the settings name. */
export const listStores = ({ target, other }: FileStores): FileStore[] => (other === null ? [target] : [target, other])

/** Whose a store is, or why it is not known. */
export async function checkAvailable(
  db: Database,
  store: FileStore,
  stores: FileStores,
): Promise<Binding | FileStoreError> {
  try {
    return await checkBinding(
      db,
      store,
      listStores(stores).filter((other) => other !== store),
    )
  } catch (error) {
    if (error instanceof FileStoreError) return error
    throw error
  }
}

const toError = (binding: Exclude<Binding, 'own'>, store: FileStore) =>
  new FileStoreError('unavailable', describeBindingProblem(binding, store))
