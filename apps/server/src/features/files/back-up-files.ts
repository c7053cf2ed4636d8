import type { Database } from '../../platform/database/connect.ts'
import { createDirectoryStore } from '../../platform/files/directory-store.ts'
import { type FileStore, FileStoreError } from '../../platform/files/file-store.ts'
import type { OwnFileStore } from '../../platform/files/open-file-store.ts'
import { selectLocations } from './check-files.queries.ts'
import { copyDeletedFiles, type CopiedFiles, copyFiles, type CopyOptions } from './copy-files.ts'

/** A transaction that deletes files, and began before what it deletes was copied, may commit so much later. */
const DELETION_MARGIN_MS = 60 * 60 * 1000

/** Opens a directory of copies, which has the layout of a file store. */
export const openCopies = (directory: string): FileStore => createDirectoryStore({ directory, minFreeBytes: 0 })

/**
 * Copies the attached files of a database that a directory lacks, from all stores that have some.
 * @param since when the copy of the database was begun: it knows files that were deleted afterwards
 * @returns null if there are no attached files
 * @throws {FileStoreError} when a store is unavailable, or is the directory
 */
export async function backUpFiles(
  db: Database,
  fileStore: Pick<OwnFileStore, 'getAt'>,
  { target, since }: { target: FileStore; since: Date },
  options: CopyOptions,
): Promise<CopiedFiles | null> {
  const deletedSince = new Date(since.getTime() - DELETION_MARGIN_MS)
  const locations = await selectLocations(db, deletedSince)
  if (locations.length === 0) return null
  const sources: FileStore[] = []
  for (const location of locations) sources.push(await fileStore.getAt(location))
  if (sources.some(({ description }) => description === target.description)) {
    throw new FileStoreError(
      'unavailable',
      `${target.description} is the directory of the service's files itself. Choose another one.`,
    )
  }
  const total: CopiedFiles = { copied: 0, bytes: 0, missing: 0 }
  for (const source of sources) {
    const marker = await source.readMarker()
    if (marker !== null) await target.writeMarker(marker)
    const stores = { source, target, location: source.location }
    const { missing, ...copied } = await copyFiles(db, stores, options)
    const deleted = await copyDeletedFiles(db, stores, { since: deletedSince, signal: options.signal })
    total.copied += copied.copied + deleted.copied
    total.bytes += copied.bytes + deleted.bytes
    total.missing += missing
  }
  return total
}
