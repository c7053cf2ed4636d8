import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { openExistingDatabase } from '@caseward/server/platform/database/embedded'
import { computeDigests, type TableDigests } from '@caseward/test-support/table-digests'
import pg from 'pg'

const quiet = { debug() {}, info() {}, warn: console.warn, error: console.error }
const main = fileURLToPath(import.meta.resolve('@caseward/server/main'))

/** Runs work with a connection to the embedded database of a data directory, whether or not a service uses it. */
export async function withDatabase<T>(dataDir: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const { connection, close } = await openExistingDatabase({ dataDir, dataDirIsDefault: false, log: quiet })
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
    await close()
  }
}

const listBackups = async (directory: string): Promise<string[]> =>
  (await readdir(directory).catch(() => [])).filter((name) => name.endsWith('.backup.gz')).toSorted()

/**
 * Lets the service make a scheduled backup now, and waits until it is complete.
 * @returns its file
 */
export async function makeScheduledBackup(client: pg.Client, directory: string): Promise<string> {
  const previous = (await listBackups(directory)).at(-1)
  await client.query(`select graphile_worker.add_job('back_up_database')`)
  for (const end = Date.now() + 120_000; Date.now() < end;) {
    const newest = (await listBackups(directory)).at(-1)
    if (newest !== undefined && newest !== previous) return join(directory, newest)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('The service made no backup within two minutes')
}

/** Restores a backup into a new data directory with the command of the service. */
export async function restoreBackup(file: string, dataDir: string): Promise<void> {
  await promisify(execFile)(process.execPath, [main, 'admin', 'restore', file], {
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir },
  })
}

/**
 * Returns the digests of the tables of the service. Its job queue is left out, because jobs run all the time, and so is the
 * entry of the restore in the audit log.
 */
export async function readServiceDigests(client: pg.Client): Promise<TableDigests> {
  await client.query(`delete from audit_log where action = 'instance.restore'`)
  const digests = Object.entries(await computeDigests(client))
  return Object.fromEntries(digests.filter(([name]) => !name.startsWith('"graphile_worker"')))
}
