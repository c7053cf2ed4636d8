import { basename, dirname, resolve } from 'node:path'

import pg from 'pg'

import type { Config } from '../config.ts'
import { recordAudit, SYSTEM_ACTOR } from '../features/audit/record-audit.ts'
import { BackupError } from '../platform/backup/backup-error.ts'
import { removeIncompleteFiles } from '../platform/backup/create-file-atomically.ts'
import { type CompleteBackup, type ReadOptions, verifyBackup } from '../platform/backup/read-backup.ts'
import { requireRestorableBackup, restoreBackup } from '../platform/backup/restore-backup.ts'
import { writeBackup } from '../platform/backup/write-backup.ts'
import { createClient, type Database, toDatabase } from '../platform/database/connect.ts'
import { hasPendingMigrations } from '../platform/database/migrate.ts'
import { openDatabaseToRestore, openServiceDatabase } from './open-service-database.ts'

export const BACKUP_HELP = `  admin backup <file>           writes all data to a new file
  admin verify-backup <file>    checks that a backup is complete and undamaged
  admin restore <file>          restores a backup into an empty database; stop the service before`

export interface BackupCommand {
  name: 'backup' | 'verify-backup' | 'restore'
  file: string
}

export interface BackupCommandOptions {
  signal: AbortSignal
  /** Replaces the last line of a terminal; does nothing elsewhere. */
  showProgress(text: string): void
}

const NAMES: readonly string[] = ['backup', 'verify-backup', 'restore'] satisfies BackupCommand['name'][]

/** Parses the arguments of a command; returns null when they are those of another one, or wrong. */
export function parseBackupCommand([noun, verb, file, ...others]: readonly string[]): BackupCommand | null {
  if (noun !== 'admin' || verb === undefined || !NAMES.includes(verb) || others.length > 0) return null
  return file === undefined || file === '' || file.startsWith('-')
    ? null
    : { name: verb as BackupCommand['name'], file }
}

/**
 * Runs a command and returns what to print.
 * @throws {BackupError} when the file or the database does not allow it
 */
export async function runBackupCommand(
  config: Config,
  { name, file }: BackupCommand,
  options: BackupCommandOptions,
): Promise<string> {
  try {
    return await runCommand(config, { name, file }, options)
  } catch (error) {
    throw isDatabaseError(error) ? new BackupError(`PostgreSQL reports an error: ${error.message}.`) : error
  }
}

/** Lost connections have errors without a class of their own. */
const isDatabaseError = (error: unknown): error is Error =>
  error instanceof pg.DatabaseError || (error instanceof Error && error.message.startsWith('Connection terminated'))

async function runCommand(
  config: Config,
  { name, file }: BackupCommand,
  options: BackupCommandOptions,
): Promise<string> {
  switch (name) {
    case 'backup':
      return await backUp(config, resolve(file), options)
    case 'verify-backup':
      return `${file} is complete.\n${describeBackup(await verifyBackup(file, toReadOptions('Checking', options)))}`
    case 'restore':
      return await restore(config, file, options)
    default:
      return name satisfies never
  }
}

async function backUp(config: Config, file: string, { signal, showProgress }: BackupCommandOptions): Promise<string> {
  // An update migrates the database: a backup before it is made with the older version, or with the newer one.
  const { db, close } = await openServiceDatabase(config, { canBeOlder: true })
  const client = createClient(db, 'caseward backup')
  client.on('error', () => {})
  try {
    await client.connect()
    await removeIncompleteFiles(dirname(file), (fileName) => fileName === basename(file)).catch(() => {})
    const { tableCount, rowCount, bytes } = await writeBackup(client, file, {
      signal,
      onProgress: ({ table, bytes: copied }) => showProgress(`Copying ${table}: ${formatBytes(copied)} in total`),
    })
    // The schema of an earlier version may have no audit log.
    if (!(await hasPendingMigrations(db)))
      await recordCommand(db, 'instance.back_up', { command: 'admin backup', file })
    return (
      `Wrote ${formatCount(rowCount)} rows of ${tableCount} tables to ${file} (${formatBytes(bytes)}).\n` +
      'It contains password hashes and personal data: store it encrypted.'
    )
  } finally {
    await client.end().catch(() => {})
    await close()
  }
}

async function restore(config: Config, file: string, options: BackupCommandOptions): Promise<string> {
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
    return `Restored ${file}.\n${describeBackup(backup)}`
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
