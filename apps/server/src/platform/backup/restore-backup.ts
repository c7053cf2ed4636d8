import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import pg from 'pg'
import copyStreams from 'pg-copy-streams'

import { listMigrations, migrateInTransaction } from '../database/migrate.ts'
import { SCHEMA_LOCK } from '../database/schema-lock.ts'
import { migrateJobQueue } from '../jobs/worker.ts'
import { BackupError } from './backup-error.ts'
import { type BackupHeader, type BackupTable, quoteColumns, quoteName } from './backup-format.ts'
import { isDatabaseEmpty, requireTables, selectIndexes, selectTables } from './catalog.queries.ts'
import { type CompleteBackup, readBackup, type ReadOptions, verifyBackup } from './read-backup.ts'
import { prepareSession } from './session.ts'

/** What PostgreSQL may use to sort the rows of an index. */
const INDEX_MEMORY = '256MB'

/**
 * Checks a backup before anything is written: it is complete, and this version can restore it.
 * @throws {BackupError} otherwise
 */
export async function requireRestorableBackup(file: string, options: ReadOptions = {}): Promise<CompleteBackup> {
  const backup = await verifyBackup(file, options)
  const migrations = new Set(await listMigrations())
  const unknown = backup.header.migrations.find((name) => !migrations.has(name))
  if (unknown !== undefined) {
    throw new BackupError(
      `${file} was written by a newer version of Caseward (${backup.header.caseward_version}), with the migration ${unknown}: ` +
        'restore it with that version or a later one.',
    )
  }
  return backup
}

export interface RestoreOptions extends ReadOptions {
  /** Runs in the transaction of the restore, when the database is migrated. */
  beforeCommit?(client: pg.ClientBase, backup: CompleteBackup): Promise<void>
}

/**
 * Restores a backup into an empty database, in one transaction, and migrates it to this version. Call
 * {@link requireRestorableBackup} first.
 * @throws {BackupError} when the database is not empty, or the file does not fit
 */
export async function restoreBackup(
  connection: pg.PoolConfig,
  file: string,
  options: RestoreOptions = {},
): Promise<CompleteBackup> {
  const client = new pg.Client({ ...connection, application_name: 'caseward restore' })
  // A broken connection rejects its own query.
  client.on('error', () => {})
  await client.connect()
  try {
    await prepareSession(client)
    await requireEmptyDatabase(client)
    // It creates the tables of the queue in transactions of its own; they stay empty if the restore fails.
    await migrateJobQueue(connection)
    await client.query('begin')
    // A server that starts meanwhile waits, and then finds the restored database.
    await client.query('select pg_advisory_xact_lock($1)', [SCHEMA_LOCK])
    await requireEmptyDatabase(client)
    const backup = await loadBackup(client, file, options)
    await migrateInTransaction(client)
    await options.beforeCommit?.(client, backup)
    await client.query('analyze')
    options.signal?.throwIfAborted()
    await client.query('commit')
    return backup
  } finally {
    await client.end()
  }
}

async function requireEmptyDatabase(client: pg.ClientBase): Promise<void> {
  if (await isDatabaseEmpty(client)) return
  throw new BackupError(
    'The database is not empty: nothing was restored. Restore into a new database, or into a DATA_DIR that does not exist.',
  )
}

/** Creates the tables as they were in the version of the backup, and fills them. */
async function loadBackup(client: pg.ClientBase, file: string, options: ReadOptions): Promise<CompleteBackup> {
  let finishTables = async () => {}
  const backup = await readBackup(
    file,
    {
      async onHeader(header) {
        finishTables = await createTables(client, header)
      },
      onTable: (table, rows) => copyRows(client, table, rows),
    },
    options,
  )
  await finishTables()
  for (const sequence of backup.header.sequences) {
    const values = [quoteName(sequence), sequence.last_value, sequence.is_called]
    await client.query('select setval($1::regclass, $2::bigint, $3)', values)
  }
  return backup
}

/** Creates the tables without indexes and triggers; returns a function that creates these once the tables are filled. */
async function createTables(client: pg.ClientBase, { migrations, tables }: BackupHeader): Promise<() => Promise<void>> {
  await migrateInTransaction(client, migrations)
  await requireTables(client, tables)
  const existing = await selectTables(client)
  // Migrations insert rows, such as the settings of the instance and the list of migrations.
  await client.query(`truncate ${existing.map(quoteName).join(', ')}`)
  // The rows that triggers write are in the backup, and nobody waits for notifications.
  for (const table of existing) await client.query(`alter table ${quoteName(table)} disable trigger user`)
  // Creating an index from all rows takes a fraction of the time of adding them one by one.
  const indexes = await selectIndexes(client, existing)
  for (const index of indexes) await client.query(`drop index ${quoteName(index)}`)
  return async () => {
    await client.query(`set local maintenance_work_mem = '${INDEX_MEMORY}'`)
    for (const { definition } of indexes) await client.query(definition)
    for (const table of existing) await client.query(`alter table ${quoteName(table)} enable trigger user`)
  }
}

/** Returns the number of rows. */
async function copyRows(client: pg.ClientBase, table: BackupTable, rows: AsyncGenerator<Buffer>): Promise<number> {
  // Rows of a table that was truncated in the same transaction need no later vacuum.
  const target = client.query(
    copyStreams.from(`copy ${quoteName(table)} (${quoteColumns(table)}) from stdin with (freeze)`),
  )
  await pipeline(Readable.from(rows, { objectMode: false }), target).catch((error: unknown) => {
    if (!(error instanceof pg.DatabaseError)) throw error
    throw new BackupError(
      `PostgreSQL does not accept the rows of the table ${table.schema}.${table.name}: ${error.message}.`,
    )
  })
  return target.rowCount
}
