import type { Database } from '../../platform/database/connect.ts'
import { type FileStore, LOCATION, toFileName } from '../../platform/files/file-store.ts'
import { linkContent } from '../../platform/files/link-content.ts'
import { type CheckedFile, selectAllFiles } from './check-files.queries.ts'
import { hasContent } from './verify-files.ts'

export interface CopiedFiles {
  /** How many the target had not. */
  copied: number
  bytes: number
  /** How many the source has not. */
  missing: number
}

export interface CopyOptions {
  signal: AbortSignal
  showProgress(text: string): void
}

/**
 * Copies the contents of all files of a database that a store lacks. Names are never used twice, so that a copy goes on where
 * the last one ended. Within a file system, contents are linked and take no space.
 * @throws {FileStoreError} when a store is unavailable
 */
export async function copyFiles(
  db: Database,
  { source, target, location }: { source: FileStore; target: FileStore; location: FileStore['location'] },
  { signal, showProgress }: CopyOptions,
): Promise<CopiedFiles> {
  const result: CopiedFiles = { copied: 0, bytes: 0, missing: 0 }
  for await (const files of selectAllFiles(db, location)) {
    for (const file of files) {
      signal.throwIfAborted()
      if (await hasContent(target, file)) continue
      if (!(await hasContent(source, file))) {
        result.missing += 1
        continue
      }
      await copyFile(source, target, file)
      result.copied += 1
      result.bytes += file.byteCount
    }
    showProgress(`Copying files: ${result.copied.toLocaleString('en')}`)
  }
  return result
}

async function copyFile(
  source: FileStore,
  target: FileStore,
  { projectId, id, byteCount }: CheckedFile,
): Promise<void> {
  const name = toFileName(projectId, id)
  const areDirectories = source.location === LOCATION.directory && target.location === LOCATION.directory
  if (areDirectories && (await linkContent(source.description, target.description, name))) return
  await target.write(name, await source.read(name), byteCount)
}
