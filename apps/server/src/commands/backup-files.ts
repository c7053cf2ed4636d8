import { resolve } from 'node:path'

import { sql } from 'kysely'

import type { Config } from '../config.ts'
import { selectLocations } from '../features/files/check-files.queries.ts'
import { copyDeletedFiles, type CopiedFiles, copyFiles, type CopyOptions } from '../features/files/copy-files.ts'
import { BackupError } from '../platform/backup/backup-error.ts'
import type { Database } from '../platform/database/connect.ts'
import { adoptFileStores, checkBinding } from '../platform/files/bind-file-store.ts'
import { createDirectoryStore } from '../platform/files/directory-store.ts'
import type { FileStore } from '../platform/files/file-store.ts'
import { createOwnFileStore, openFileStore } from '../platform/files/open-file-store.ts'

/** A transaction that deletes files, and began before what it deletes was copied, may commit so much later. */
const DELETION_MARGIN_MS = 60 * 60 * 1000

/**
 * Copies the attached files of a database to a directory, which has the layout of a file store.
 * @param since when the copy of the database was begun: it knows files that were deleted afterwards
 * @returns what to print
 */
export async function backUpFiles(
  db: Database,
  config: Config,
  { directory, since }: { directory: string; since: Date },
  options: CopyOptions,
): Promise<string> {
  const deletedSince = new Date(since.getTime() - DELETION_MARGIN_MS)
  const locations = (await hasTables(db)) ? await selectLocations(db, deletedSince) : []
  if (locations.length === 0) return 'There are no attached files.'
  const fileStore = createOwnFileStore(db, config)
  const target = openDirectory(directory)
  const sources: FileStore[] = []
  for (const location of locations) sources.push(await fileStore.getAt(location))
  if (sources.some(({ description }) => description === target.description)) {
    throw new BackupError(`${directory} is the directory of the service's files itself. Choose another one.`)
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
  return describeCopy(total, target)
}

/**
 * Copies attached files from a directory into the file store of the service, and binds this to the restored database.
 * @returns what to print
 * @throws {BackupError} when the store belongs to another database
 */
export async function restoreFiles(
  db: Database,
  config: Config,
  directory: string,
  options: CopyOptions,
): Promise<string> {
  if (!(await hasFiles(db))) return 'The backup contains no attached files.'
  const source = openDirectory(directory)
  if ((await source.readMarker()) === null) {
    throw new BackupError(
      `${directory} has no store.json: it is not a directory of files that admin backup has written.`,
    )
  }
  const target = await openFileStore(config)
  const binding = await checkBinding(db, target, [])
  if (binding === 'other') {
    throw new BackupError(
      `The data was restored, and no file: the file store ${target.description} belongs to another database. Set FILES_DIR to an empty directory, or run: admin adopt-files`,
    )
  }
  if (binding !== 'own') await adoptFileStores(db, [target])
  // The service may have kept them elsewhere before.
  await sql`update instance_settings set file_locations = array[${target.location}::smallint]`.execute(db)
  await sql`update files set location = ${target.location} where location <> ${target.location}`.execute(db)
  return describeCopy(await copyFiles(db, { source, target, location: target.location }, options), target)
}

const openDirectory = (directory: string): FileStore =>
  createDirectoryStore({ directory: resolve(directory), minFreeBytes: 0 })

/** A database of an earlier version has none. */
async function hasTables(db: Database): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`select to_regclass('files') is not null as exists`.execute(db)
  return rows[0]?.exists === true
}

const hasFiles = async (db: Database): Promise<boolean> =>
  (await hasTables(db)) && (await sql`select from files limit 1`.execute(db)).rows.length > 0

function describeCopy({ copied, bytes, missing }: CopiedFiles, target: FileStore): string {
  const count = copied.toLocaleString('en')
  const text = `Copied ${count} attached ${copied === 1 ? 'file' : 'files'} (${(bytes / 1_000_000).toFixed(1)} MB) to ${target.description}.`
  return missing === 0 ? text : `${text} ${missing.toLocaleString('en')} were missing: run admin verify-files.`
}
