import { MAX_COPIED_FILE_BYTES, type CopySkipReason } from '@caseward/contract/copies'
import { FILE_KINDS } from '@caseward/contract/attachment-schemas'

import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/connect.ts'
import { FileStoreError } from '../../platform/files/file-store.ts'
import { toFileProblem } from '../files/file-problems.ts'
import { selectFileQuota } from '../files/file-quota.ts'
import { type FileType, selectFileIds, storeFile } from '../files/files.queries.ts'
import { openContent } from '../files/read-content.ts'
import { discardContent, type ReceivedFile, writeContent } from '../files/receive-file.ts'
import type { CopiedFile } from './copied-cases.queries.ts'

/*
 * Contents of files in another project. Each project has contents of its own, so that it can be deleted alone; one that the other
 * project has already is not written again.
 */

type ContentDeps = Pick<Deps, 'db' | 'fileStore' | 'fileBodies' | 'fileLimitBytes'>

/** A content that was written for another project, or why it was not. */
type WrittenContent = { received: ReceivedFile; type: FileType } | { reason: CopySkipReason }

/** By digest. */
export type WrittenContents = ReadonlyMap<string, WrittenContent>

/**
 * Writes the contents that another project does not have into the store, one after another. No transaction waits for them.
 * @param ownerId whose load it is
 * @throws {Problem} 503 when too many files are being written, or the store is unavailable; 507 when there is no space
 */
export async function writeContents(
  deps: ContentDeps,
  { sourceId, targetId, ownerId }: { sourceId: string; targetId: string; ownerId: string },
  files: readonly CopiedFile[],
): Promise<WrittenContents> {
  const written = new Map<string, WrittenContent>()
  const here = await selectFileIds(
    deps.db,
    targetId,
    files.map(({ digest }) => digest),
  )
  const missing = new Map(files.filter(({ digest }) => !here.has(digest)).map((file) => [file.digest, file]))
  if (missing.size === 0) return written
  const quota = await selectFileQuota(deps.db, targetId)
  let room = quota === null ? Infinity : quota.quota - quota.used
  let left = MAX_COPIED_FILE_BYTES
  let release = () => {}
  try {
    const store = await deps.fileStore.getForWriting()
    release = await deps.fileBodies.take(store.location, ownerId)
    for (const [digest, file] of missing) {
      const { byteCount } = file
      if (byteCount > left || byteCount > room) {
        written.set(digest, { reason: byteCount > left ? 'too_large' : 'quota' })
        continue
      }
      const received = file.isLost ? null : await writeOne(deps, store, { sourceId, targetId }, file)
      if (received === null) {
        written.set(digest, { reason: 'lost' })
        continue
      }
      const { mediaType, width, height } = file
      written.set(digest, { received, type: { kind: FILE_KINDS[file.kind] ?? 'other', mediaType, width, height } })
      left -= byteCount
      room -= byteCount
    }
    return written
  } catch (error) {
    await discardContents(deps, written)
    throw toFileProblem(error)
  } finally {
    release()
  }
}

/** Returns null for a content that is gone, or is no longer what it was. */
async function writeOne(
  deps: ContentDeps,
  store: Awaited<ReturnType<Deps['fileStore']['getForWriting']>>,
  { sourceId, targetId }: { sourceId: string; targetId: string },
  { fileId: id, location, byteCount, digest }: CopiedFile,
): Promise<ReceivedFile | null> {
  let received: ReceivedFile
  try {
    const content = await openContent(deps, sourceId, { id, location })
    received = await writeContent(deps, store, targetId, content, { limitBytes: byteCount })
  } catch (error) {
    // A content can only be longer than its file says if it is damaged.
    if (error instanceof FileStoreError && (error.code === 'missing' || error.code === 'too_large')) return null
    throw error
  }
  if (received.digest.toString('hex') === digest) return received
  await discardContent(deps, received)
  return null
}

/** Stores the files of contents that were written. @returns ids by their digests, also of those that were there */
export async function storeContents(
  tx: Database,
  projectId: string,
  digests: readonly string[],
  written: WrittenContents,
): Promise<Map<string, string>> {
  const ids = await selectFileIds(tx, projectId, digests)
  for (const digest of new Set(digests)) {
    const content = written.get(digest)
    if (ids.has(digest) || content === undefined || 'reason' in content) continue
    ids.set(digest, (await storeFile(tx, projectId, content.received, content.type)).id)
  }
  return ids
}

/** Removes contents for which no file was stored. */
export async function discardContents(deps: Pick<Deps, 'db' | 'fileStore'>, written: WrittenContents): Promise<void> {
  for (const content of written.values()) if ('received' in content) await discardContent(deps, content.received)
}
