import { ImportProblem } from '@caseward/importers/import-problem'

import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/connect.ts'
import { FileStoreError } from '../../platform/files/file-store.ts'
import { detectType } from '../files/detect-type.ts'
import { requireFileQuota } from '../files/file-quota.ts'
import { type FileType, selectFileIds, storeFile } from '../files/files.queries.ts'
import { discardContent, type ReceivedFile, writeContent } from '../files/receive-file.ts'
import type { BundleFiles } from './bundle-files.ts'
import type { PlannedAttachment } from './plan-attachments.ts'

export type StoreDeps = Pick<Deps, 'db' | 'fileStore' | 'fileLimitBytes'>

/** A content of a bundle in the store, for which no file is stored yet; or why it is not there. */
type WrittenContent = { received: ReceivedFile; type: FileType } | { loss: string }

/**
 * Writes contents that the project does not have into the store, one after another: only a piece is in memory.
 * @throws {Problem} 422 if the files of the project would take more than they may
 */
export async function writeContents(
  deps: StoreDeps,
  projectId: string,
  attachments: readonly PlannedAttachment[],
  getFiles: () => Promise<BundleFiles>,
): Promise<Map<string, WrittenContent>> {
  const written = new Map<string, WrittenContent>()
  const wanted = attachments.filter(({ has_content: has, sha256 }) => has && sha256 !== null)
  const here = await selectFileIds(
    deps.db,
    projectId,
    wanted.map(({ sha256 }) => sha256 ?? ''),
  )
  for (const { sha256, name, is_trace: isTrace, byte_count: bytes } of wanted) {
    if (sha256 === null || here.has(sha256) || written.has(sha256)) continue
    // A quota may have been lowered since the plan.
    await requireFileQuota(deps.db, projectId, bytes ?? 0)
    written.set(sha256, await writeOne(deps, projectId, await getFiles(), { sha256, name, isTrace }))
  }
  return written
}

async function writeOne(
  deps: StoreDeps,
  projectId: string,
  files: BundleFiles,
  { sha256, name, isTrace }: { sha256: string; name: string; isTrace: boolean },
): Promise<WrittenContent> {
  const content = files.open(sha256)
  if (content === null) return { loss: 'attachment_without_content' }
  let received: ReceivedFile
  try {
    received = await writeContent(deps, await deps.fileStore.getForWriting(), projectId, content)
  } catch (error) {
    if (error instanceof FileStoreError && error.code === 'too_large') return { loss: 'attachment_too_large' }
    if (error instanceof ImportProblem) return { loss: 'attachment_damaged' }
    throw error
  }
  if (received.digest.toString('hex') !== sha256) {
    await discardContent(deps, received)
    return { loss: 'attachment_damaged' }
  }
  return { received, type: await detectType(received.head, received.byteCount, name, isTrace ? { isTrace } : {}) }
}

/** Stores the files of contents that were written. @returns ids by their digests, also of those that were there */
export async function storeContents(
  tx: Database,
  projectId: string,
  digests: readonly string[],
  written: ReadonlyMap<string, WrittenContent>,
): Promise<Map<string, string>> {
  const ids = await selectFileIds(tx, projectId, digests)
  for (const digest of new Set(digests)) {
    const content = written.get(digest)
    if (ids.has(digest) || content === undefined || 'loss' in content) continue
    const { id, isNew } = await storeFile(tx, projectId, content.received, content.type)
    content.received.isKept = isNew
    ids.set(digest, id)
  }
  return ids
}

/** Removes contents for which no file was stored. */
export async function discardContents(deps: StoreDeps, written: ReadonlyMap<string, WrittenContent>): Promise<void> {
  for (const content of written.values()) if ('received' in content) await discardContent(deps, content.received)
}
