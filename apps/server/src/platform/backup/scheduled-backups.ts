import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import type { FastifyBaseLogger } from 'fastify'

import { createClient, type Database } from '../database/connect.ts'
import type { ScheduledJob } from '../jobs/scheduled-jobs.ts'
import { BackupError, toFileError } from './backup-error.ts'
import { BACKUP_SCHEDULES } from './backup-schedules.ts'
import { removeIncompleteFiles } from './create-file-atomically.ts'
import { findOldestBackupTime, isScheduledBackup, listBackups } from './list-backups.ts'
import { writeBackup } from './write-backup.ts'

export interface ScheduledBackupOptions {
  backupDir: string
  backupEvery: keyof typeof BACKUP_SCHEDULES
  /** How many backups are kept. */
  backupKeep: number
  /** Copies attached files; null to leave them alone. */
  copyFiles: CopyFiles | null
  log: FastifyBaseLogger
}

/** Where the attached files of all backups of a directory are. */
const FILES_DIRECTORY = 'files'

/**
 * Copies the attached files that a directory lacks, and removes copies that no backup needs.
 * @param since when the copy of the database was begun
 * @param oldestBackup when the oldest backup that is kept was begun
 * @returns what to log
 */
export type CopyFiles = (
  db: Database,
  copy: { directory: string; since: Date; oldestBackup: Date; signal: AbortSignal },
) => Promise<Record<string, number>>

/** When no server runs at the time of a backup, it is made at the next start, if that is within a week. */
const MAX_DELAY_MS = 7 * 24 * 60 * 60 * 1000

/**
 * Key of the advisory lock that a server holds while it makes a backup. The queue gives a job that takes longer than five
 * minutes to another server, because the first one may have died.
 */
const BACKUP_LOCK = 4_812_079

/** Creates the job that writes a backup to a directory and deletes the oldest ones there. */
export const createBackupJob = (options: ScheduledBackupOptions): ScheduledJob => ({
  name: 'back_up_database',
  schedule: BACKUP_SCHEDULES[options.backupEvery],
  maxDelayMs: MAX_DELAY_MS,
  async run(db, signal) {
    const client = createClient(db, 'caseward backup')
    // A broken connection rejects its own query.
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query<{ hasLock: boolean }>('select pg_try_advisory_lock($1) as "hasLock"', [
        BACKUP_LOCK,
      ])
      if (rows[0]?.hasLock === true) await writeScheduledBackup(db, client, options, signal)
    } finally {
      await client.end()
    }
  },
})

async function writeScheduledBackup(
  db: Database,
  client: ReturnType<typeof createClient>,
  { backupDir: directory, backupKeep, copyFiles, log }: ScheduledBackupOptions,
  signal: AbortSignal,
): Promise<void> {
  const since = new Date()
  const file = join(directory, formatFileName(since))
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await removeIncompleteFiles(directory, isScheduledBackup)
    const { rowCount, bytes } = await writeBackup(client, file, { signal })
    log.info({ file, bytes, rows: rowCount }, 'wrote a backup')
    await deleteOldestBackups(directory, backupKeep)
  } catch (error) {
    const cause = toFileError('write', file, error)
    const reason = cause instanceof BackupError ? { reason: cause.message } : { err: cause }
    if (!signal.aborted) log.error(reason, 'could not make a backup')
    throw cause
  }
  if (copyFiles === null) return
  const copies = join(directory, FILES_DIRECTORY)
  try {
    // After the database, so that every file that it knows is copied.
    const oldestBackup = (await findOldestBackupTime(directory)) ?? since
    const copied = await copyFiles(db, { directory: copies, since, oldestBackup, signal })
    log.info({ directory: copies, ...copied }, 'copied attached files')
  } catch (error) {
    if (!signal.aborted) log.error({ err: error, directory: copies }, 'could not copy attached files')
    throw error
  }
}

const formatFileName = (time: Date): string =>
  `caseward-${time.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup.gz`

async function deleteOldestBackups(directory: string, keep: number): Promise<void> {
  const names = await listBackups(directory)
  for (const name of names.slice(0, -keep)) await rm(join(directory, name), { force: true })
}
