import { resolve } from 'node:path'

import { sql } from 'kysely'

import type { Config } from '../config.ts'
import { backUpFiles, openCopies } from '../features/files/back-up-files.ts'
import { type CopiedFiles, copyFiles, type CopyOptions } from '../features/files/copy-files.ts'
import { BackupError } from '../platform/backup/backup-error.ts'
import type { Database } from '../platform/database/connect.ts'
import { adoptFileStores, checkBinding } from '../platform/files/bind-file-store.ts'
import type { FileStore } from '../platform/files/file-store.ts'
import { createOwnFileStore, openFileStore } from '../platform/files/open-file-store.ts'

/**
 * Copies the attached files of a database to a directory, which has the layout of a file store.
 * @param since when the copy of the database was begun: it knows files that were deleted afterwards
 * @returns what to print
 */
export async function backUpFilesTo(
  db: Database,
  config: Config,
  { directory, since }: { directory: string; since: Date },
  options: CopyOptions,
): Promise<string> {
  const target = openCopies(resolve(directory))
  const copied = (await hasTables(db))
    ? await backUpFiles(db, createOwnFileStore(db, config), { target, since }, options)
    : null
  return copied === null ? 'There are no attached files.' : describeCopy(copied, target)
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
  const source = openCopies(resolve(directory))
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
