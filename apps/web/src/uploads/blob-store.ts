/** Contents of files that wait, in this browser. Nothing throws. */
export interface BlobStore {
  /** @returns whether it is stored; false if the storage is full or blocked */
  put(id: string, content: Blob): Promise<boolean>
  /** Returns null for an unknown id, and when the storage is blocked. */
  get(id: string): Promise<Blob | null>
  remove(id: string): Promise<void>
}

/** The page `/sign-out` knows both names. */
export const DATABASE_NAME = 'caseward-uploads'
const CONTENTS = 'contents'

/** Creates the store of contents, in IndexedDB: `localStorage` is too small for them. */
export function createBlobStore(factory: IDBFactory | undefined): BlobStore {
  let opened: Promise<IDBDatabase> | null = null

  function open(): Promise<IDBDatabase> {
    opened ??= new Promise<IDBDatabase>((resolve, reject) => {
      if (factory === undefined) throw new Error('This browser has no IndexedDB.')
      const request = factory.open(DATABASE_NAME, 1)
      request.addEventListener('upgradeneeded', () => request.result.createObjectStore(CONTENTS))
      request.addEventListener('success', () => {
        // Sign-out may delete the database.
        request.result.addEventListener('versionchange', () => {
          request.result.close()
          opened = null
        })
        resolve(request.result)
      })
      request.addEventListener('error', () => reject(toError(request.error)))
    })
    opened.catch(() => (opened = null))
    return opened
  }

  async function run<T>(mode: IDBTransactionMode, act: (contents: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    const transaction = (await open()).transaction(CONTENTS, mode)
    const request = act(transaction.objectStore(CONTENTS))
    return await new Promise<T>((resolve, reject) => {
      // Not when the request succeeds: the disk may still be full.
      transaction.addEventListener('complete', () => resolve(request.result))
      transaction.addEventListener('abort', () => reject(toError(transaction.error)))
    })
  }

  async function attempt<T>(action: () => Promise<T>, fallback: T): Promise<T> {
    try {
      return await action()
    } catch {
      return fallback
    }
  }

  return {
    put: (id, content) =>
      attempt(async () => {
        await run('readwrite', (contents) => contents.put(content, id))
        return true
      }, false),
    get: (id) =>
      attempt(async () => {
        const value = await run<unknown>('readonly', (contents) => contents.get(id) as IDBRequest<unknown>)
        return value instanceof Blob ? value : null
      }, null),
    remove: (id) => attempt(() => run('readwrite', (contents) => contents.delete(id)), undefined),
  }
}

const toError = (error: DOMException | null): Error => error ?? new Error('IndexedDB failed.')
