import type { Readable } from 'node:stream'

import pLimit, { type LimitFunction } from 'p-limit'

import type { Database } from '../../platform/database/connect.ts'
import { FileStoreError, type FileStore, toFileName } from '../../platform/files/file-store.ts'
import { type CheckedFile, selectAllFiles } from './check-files.queries.ts'
import type { CopyOptions } from './copy-files.ts'
import { deleteFileWrite, markFileLost } from './files.queries.ts'
import { finishMove, insertMove } from './move-files.queries.ts'

export interface MovedFiles {
  moved: number
  bytes: number
  /** Names of the contents that the source has not, or has otherwise than they were. They stay where they are. */
  missing: string[]
  damaged: string[]
}

/** Contents that are copied at the same time. Of a bucket, each has up to 16 MB in memory. */
const PARALLEL = 4

/**
 * Moves the contents of all files from one store to another, while the service runs. A content is in the target, and compared
 * with its SHA-256, before its file says so, and stays in the source for some days after it: a crash at any point leaves every
 * file readable, and the next move goes on.
 * @throws {FileStoreError} when a store is unavailable, or full
 */
export async function moveFiles(
  db: Database,
  stores: { source: FileStore; target: FileStore },
  { signal, showProgress }: CopyOptions,
): Promise<MovedFiles> {
  const limit = pLimit(PARALLEL)
  const result: MovedFiles = { moved: 0, bytes: 0, missing: [], damaged: [] }
  // A server may have stored more in the meantime.
  for (let before = -1; before < result.moved;) {
    before = result.moved
    result.missing = []
    result.damaged = []
    for await (const files of selectAllFiles(db, stores.source.location)) {
      await settleAll(limit, files, async (file) => {
        signal.throwIfAborted()
        const name = toFileName(file.projectId, file.id)
        const state = await moveFile(db, stores, file, name)
        if (state === 'missing' || state === 'damaged') result[state].push(name)
        if (state !== 'moved') return
        result.moved += 1
        result.bytes += file.byteCount
      })
      showProgress(`Moving files: ${result.moved.toLocaleString('en')}`)
    }
  }
  return result
}

/** After an error, begins no further item, and throws it once those that have begun have ended. */
async function settleAll<T>(
  limit: LimitFunction,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = []
  await Promise.all(
    items.map((item) =>
      limit(async () => {
        if (errors.length === 0) await work(item).catch((error: unknown) => void errors.push(error))
      }),
    ),
  )
  if (errors.length > 0) throw errors[0]
}

async function moveFile(
  db: Database,
  { source, target }: { source: FileStore; target: FileStore },
  file: CheckedFile,
  name: string,
): Promise<'moved' | 'gone' | 'missing' | 'damaged'> {
  await insertMove(db, name, target.location)
  const copied = await copyContent(source, target, name, file)
  if (copied !== 'copied') {
    await discardCopy(db, target, name)
    if (copied === 'missing') await markFileLost(db, file.projectId, file.id, source.location)
    return copied
  }
  const location = await finishMove(db, file, { source: source.location, target: target.location })
  if (location === target.location) return 'moved'
  // The file was deleted meanwhile.
  await discardCopy(db, target, name)
  return 'gone'
}

async function copyContent(
  source: FileStore,
  target: FileStore,
  name: string,
  { digest, byteCount }: CheckedFile,
): Promise<'copied' | 'missing' | 'damaged'> {
  let content: Readable | null = null
  try {
    content = await source.read(name)
    const written = await target.write(name, content, byteCount)
    return written.byteCount === byteCount && written.digest.equals(digest) ? 'copied' : 'damaged'
  } catch (error) {
    if (error instanceof FileStoreError && error.code === 'missing') return 'missing'
    // It is longer than it was.
    if (error instanceof FileStoreError && error.code === 'too_large') return 'damaged'
    throw error
  } finally {
    content?.destroy()
  }
}

async function discardCopy(db: Database, target: FileStore, name: string): Promise<void> {
  await target.remove([name])
  await deleteFileWrite(db, name)
}
