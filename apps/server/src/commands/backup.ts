import { basename, dirname, resolve } from 'node:path'

import { sql } from 'kysely'
import pg from 'pg'

import type { Config } from '../config.ts'
import { recordAudit, SYSTEM_ACTOR } from '../features/audit/record-audit.ts'
import { BackupError } from '../platform/backup/backup-error.ts'
import { removeIncompleteFiles } from '../platform/backup/create-file-atomically.ts'
import { type CompleteBackup, type ReadOptions, verifyBackup } from '../platform/backup/read-backup.ts'
import { requireRestorableBackup, restoreBackup } from '../platform/backup/restore-backup.ts'
import { writeBackup } from '../platform/backup/write-backup.ts'
import { connect, createClient, type Database, toDatabase } from '../platform/database/connect.ts'
import { hasPendingMigrations } from '../platform/database/migrate.ts'
import { backUpFilesTo, restoreFiles } from './backup-files.ts'
import { openDatabaseToRestore, openServiceDatabase } from './open-service-database.ts'

export const BACKUP_HELP = `  admin backup <file>           writes all data to a new file
  admin backup <file> --files <directory>   copies the attached files that the directory lacks, too
  admin verify-backup <file>    checks that a backup is complete and undamaged
  admin restore <file>          restores a backup into an empty database; stop the service before
  admin restore <file> --files <directory>  copies the attached files back, too`

export interface BackupCommand {
  name: 'backup' | 'verify-backup' | 'restore'
  file: string
  /** Where attached files are copied to, or come from; null to leave them alone. */
  filesDirectory: string | null
}

export interface BackupCommandOptions {
  signal: AbortSignal
  /** Replaces the last line of a terminal; does nothing elsewhere. */
  showProgress(text: string): void
}

const NAMES: readonly BackupCommand['name'][] = ['backup', 'verify-backup', 'restore']

/** Parses the arguments of a command; returns null when they are those of another one, or wrong. */
export function parseBackupCommand([noun, verb, file, ...options]: readonly string[]): BackupCommand | null {
  const name = NAMES.find((known) => known === verb)
  if (noun !== 'admin' || name === undefined || file === undefined || file === '' || file.startsWith('-')) return null
  const [option, directory, ...others] = options
  if (option === undefined) return { name, file, filesDirectory: null }
  const isDirectory = option === '--files' && directory !== undefined && directory !== '' && !directory.startsWith('-')
  if (!isDirectory || others.length > 0 || name === 'verify-backup') return null
  return { name, file, filesDirectory: directory }
}

/**
 * Runs a command and returns what to print.
 * @throws {BackupError} when the file or the database does not allow it
 */
export async function runBackupCommand(
  config: Config,
  command: BackupCommand,
  options: BackupCommandOptions,
): Promise<string> {
  try {
    return await runCommand(config, command, options)
  } catch (error) {
    throw isDatabaseError(error) ? new BackupError(`PostgreSQL reports an error: ${error.message}.`) : error
  }
}

/** Lost connections have errors without a class of their own. */
const isDatabaseError = (error: unknown): error is Error =>
  error instanceof pg.DatabaseError || (error instanceof Error && error.message.startsWith('Connection terminated'))

async function runCommand(
  config: Config,
  { name, file, filesDirectory }: BackupCommand,
  options: BackupCommandOptions,
): Promise<string> {
  switch (name) {
    case 'backup':
      return await backUp(config, { file: resolve(file), filesDirectory }, options)
    case 'verify-backup':
      return `${file} is complete.\n${describeBackup(await verifyBackup(file, toReadOptions('Checking', options)))}`
    case 'restore':
      return await restore(config, { file, filesDirectory }, options)
    default:
      return name satisfies never
  }
}

type BackupPlace = Pick<BackupCommand, 'file' | 'filesDirectory'>

async function backUp(
  config: Config,
  { file, filesDirectory }: BackupPlace,
  { signal, showProgress }: BackupCommandOptions,
): Promise<string> {
  // An update migrates the database: a backup before it is made with the older version, or with the newer one.
  const { db, close } = await openServiceDatabase(config, { canBeOlder: true })
  const client = createClient(db, 'caseward backup')
  client.on('error', () => {})
  try {
    await client.connect()
    await removeIncompleteFiles(dirname(file), (fileName) => fileName === basename(file)).catch(() => {})
    const since = await readTime(db)
    const { tableCount, rowCount, bytes } = await writeBackup(client, file, {
      signal,
      onProgress: ({ table, bytes: copied }) => showProgress(`Copying ${table}: ${formatBytes(copied)} in total`),
    })
    // The schema of an earlier version may have no audit log.
    if (!(await hasPendingMigrations(db)))
      await recordCommand(db, 'instance.back_up', { command: 'admin backup', file })
    // After the database, so that every file that it knows is in the copy.
    const files =
      filesDirectory === null
        ? null
        : await backUpFilesTo(db, config, { directory: filesDirectory, since }, { signal, showProgress })
    return [
      `Wrote ${formatCount(rowCount)} rows of ${tableCount} tables to ${file} (${formatBytes(bytes)}).`,
      ...(files === null ? [] : [files]),
      'It contains password hashes and personal data: store it encrypted.',
    ].join('\n')
  } finally {
    await client.end().catch(() => {})
    await close()
  }
}

/** The time of the database: that of this machine may differ. */
async function readTime(db: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now()`.execute(db)
  return rows[0]?.now ?? new Date(0)
}

async function restore(
  config: Config,
  { file, filesDirectory }: BackupPlace,
  options: BackupCommandOptions,
): Promise<string> {
  // Before the database is opened, which creates the embedded one.
  await requireRestorableBackup(file, toReadOptions('Checking', options))
  const { connection, close } = await openDatabaseToRestore(config)
  try {
    const backup = await restoreBackup(connection, file, {
      ...toReadOptions('Restoring', options),
      beforeCommit: (client, { header }) => {
        const detail = { command: 'admin restore', file, backup_created_at: header.created_at }
        return recordCommand(toDatabase(client), 'instance.restore', detail)
      },
    })
    const files = filesDirectory === null ? null : await restoreFilesOf(connection, config, filesDirectory, options)
    return [`Restored ${file}.`, describeBackup(backup), ...(files === null ? [] : [files])].join('\n')
  } finally {
    await close()
  }
}

async function restoreFilesOf(
  connection: pg.PoolConfig,
  config: Config,
  filesDirectory: string,
  options: BackupCommandOptions,
): Promise<string> {
  const { db, close } = connect(connection, { poolSize: 1, onError: () => {} })
  try {
    return await restoreFiles(db, config, filesDirectory, options)
  } finally {
    await close()
  }
}

/** Only the name of the file is recorded: other administrators need not know the directories of the server. */
const recordCommand = (
  db: Database,
  action: 'instance.back_up' | 'instance.restore',
  { file, ...detail }: { command: string; file: string; backup_created_at?: string },
): Promise<void> =>
  recordAudit(db, SYSTEM_ACTOR, {
    action,
    subject: { kind: 'instance', id: null, name: 'Database' },
    detail: { ...detail, file: basename(file) },
  })

const toReadOptions = (activity: string, { signal, showProgress }: BackupCommandOptions): ReadOptions => ({
  signal,
  onProgress: (table, fraction) => showProgress(`${activity} ${table}: ${Math.floor(fraction * 100)} %`),
})

function describeBackup({ header, rowCount }: CompleteBackup): string {
  const time = `${header.created_at.slice(0, 16).replace('T', ' ')} UTC`
  const migration = header.migrations.at(-1) ?? 'none'
  return (
    `${formatCount(rowCount)} rows of ${header.tables.length} tables, from ${time}, written by Caseward ` +
    `${header.caseward_version} (migration ${migration}) with PostgreSQL ${header.postgres_version}`
  )
}

const formatCount = (count: number): string => count.toLocaleString('en')

const formatBytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`
