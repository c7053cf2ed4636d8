import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Connection } from '@caseward/embedded-postgres'
import { requireRestorableBackup, restoreBackup } from '@caseward/server/platform/backup/restore-backup'
import { withSnapshot } from '@caseward/server/platform/backup/session'
import { writeSnapshot } from '@caseward/server/platform/backup/write-backup'
import { computeDigests, readDigests } from '@caseward/test-support/table-digests'
import pg from 'pg'

import { median } from './measure.ts'
import type { SeededProject } from './seed.ts'
import type { Server } from './servers.ts'
import { createCiToken, createResults, upload } from './uploads.ts'

const RESULTS = 10_000
const IDLE_UPLOADS = 9

export interface BackupFigures {
  backupSeconds: number
  restoreSeconds: number
  fileMb: number
  /** Tables whose rows differ after the restore. */
  differingTables: number
  /** Median times of an upload, before the backup and while it ran. */
  idleMs: number
  busyMs: number
}

/** Backs up the database while results are uploaded, restores it into another one, and compares every row. */
export async function observeBackup(
  connection: Connection,
  client: pg.Client,
  caseward: Server,
  project: SeededProject,
): Promise<BackupFigures> {
  const directory = await mkdtemp(join(tmpdir(), 'caseward-bench-backup-'))
  const file = join(directory, 'backup.gz')
  const uploadOnce = await prepareUpload(caseward, project)
  const idle: number[] = []
  while (idle.length < IDLE_UPLOADS) idle.push(await uploadOnce())
  const copier = new pg.Client(connection)
  await copier.connect()
  await client.query('create database bench_restored')
  try {
    const { digests, backupSeconds, bytes, busy } = await withSnapshot(copier, async (tables) => {
      const startedAt = Date.now()
      const writing = writeSnapshot(copier, tables, file, {}).then(({ bytes: fileBytes }) => ({
        bytes: fileBytes,
        writtenAt: Date.now(),
      }))
      const busyUploads = await repeatUntilSettled(uploadOnce, writing)
      const written = await writing
      const seconds = (written.writtenAt - startedAt) / 1000
      return { digests: await computeDigests(copier), backupSeconds: seconds, bytes: written.bytes, busy: busyUploads }
    })
    const target = { ...connection, database: 'bench_restored' }
    const startedAt = Date.now()
    await requireRestorableBackup(file)
    await restoreBackup(target, file)
    const restoreSeconds = (Date.now() - startedAt) / 1000
    const restored = await readDigests(target)
    const names = Object.keys({ ...digests, ...restored })
    return {
      backupSeconds,
      restoreSeconds,
      fileMb: bytes / 1_000_000,
      differingTables: names.filter((name) => digests[name] !== restored[name]).length,
      idleMs: median(idle),
      busyMs: median(busy),
    }
  } finally {
    await copier.end()
    await client.query('drop database bench_restored')
    await rm(directory, { recursive: true, force: true })
  }
}

/** Repeats an upload until other work has ended, also when that fails, and returns how long each took. */
async function repeatUntilSettled(uploadOnce: () => Promise<number>, work: Promise<unknown>): Promise<number[]> {
  const end = new AbortController()
  const stop = () => end.abort()
  work.then(stop, stop)
  const durations: number[] = []
  while (!end.signal.aborted) durations.push(await uploadOnce())
  return durations
}

/** Returns a function that uploads other results each time, and returns how long that took in milliseconds. */
async function prepareUpload(caseward: Server, project: SeededProject): Promise<() => Promise<number>> {
  const token = await createCiToken(caseward, project)
  let round = 0
  return async () => {
    round += 1
    const body = JSON.stringify({ run_id: project.runId, results: createResults(RESULTS, round) })
    const startedAt = performance.now()
    await upload(caseward, token, body)
    return performance.now() - startedAt
  }
}
