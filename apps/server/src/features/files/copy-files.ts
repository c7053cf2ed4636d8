import type { Database } from '../../platform/database/connect.ts'
import { FileStoreError, type FileStore, isProjectName, LOCATION, toFileName } from '../../platform/files/file-store.ts'
import { linkContent } from '../../platform/files/link-content.ts'
import { selectAllFiles } from './check-files.queries.ts'
import { selectNamesDeletedSince } from './file-candidates.queries.ts'
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
      const name = toFileName(file.projectId, file.id)
      await copyFile(source, target, { name, limitBytes: file.byteCount })
      result.copied += 1
      result.bytes += file.byteCount
    }
    showProgress(`Copying files: ${result.copied.toLocaleString('en')}`)
  }
  return result
}

/**
 * Copies the contents that a store lacks and whose files were deleted since a time: a copy of the database from then knows these
 * files. They stay in the store for FILE_DELETE_DAYS.
 */
export async function copyDeletedFiles(
  db: Database,
  { source, target, location }: { source: FileStore; target: FileStore; location: FileStore['location'] },
  { since, signal }: { since: Date; signal: AbortSignal },
): Promise<Pick<CopiedFiles, 'copied' | 'bytes'>> {
  const result = { copied: 0, bytes: 0 }
  for await (const queued of selectNamesDeletedSince(db, location, since)) {
    for await (const name of expandNames(source, queued)) {
      signal.throwIfAborted()
      if (await hasName(target, name)) continue
      const byteCount = await unlessMissing(copyFile(source, target, { name, limitBytes: Number.MAX_SAFE_INTEGER }))
      if (byteCount === null) continue
      result.copied += 1
      result.bytes += byteCount
    }
  }
  return result
}

/** The names of contents; the name of a project stands for all of its own. */
async function* expandNames(store: FileStore, names: readonly string[]): AsyncGenerator<string> {
  for (const name of names) {
    if (!isProjectName(name)) {
      yield name
      continue
    }
    for (let after = name; ;) {
      const page = await store.list(after)
      yield* page.filter((listed) => listed.startsWith(name))
      const last = page.at(-1)
      if (last === undefined || !last.startsWith(name)) break
      after = last
    }
  }
}

const hasName = async (store: FileStore, name: string): Promise<boolean> => {
  const content = await unlessMissing(store.read(name))
  content?.destroy()
  return content !== null
}

/** @returns null for a content that is not there, because its time was over */
const unlessMissing = <T>(operation: Promise<T>): Promise<T | null> =>
  operation.catch((error: unknown) => {
    if (error instanceof FileStoreError && error.code === 'missing') return null
    throw error
  })

/** @returns how many bytes were written; none where both share them */
async function copyFile(
  source: FileStore,
  target: FileStore,
  { name, limitBytes }: { name: string; limitBytes: number },
): Promise<number> {
  const areDirectories = source.location === LOCATION.directory && target.location === LOCATION.directory
  if (areDirectories && (await linkContent(source.description, target.description, name))) return 0
  return (await target.write(name, await source.read(name), limitBytes)).byteCount
}
