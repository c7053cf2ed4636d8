import type pg from 'pg'

import { createMigrationTables, insertExecutedMigration } from './executed-migrations.ts'
import { getConcurrentIndex, type MigrationFile, toTransactionText } from './migration-files.ts'
import { LOCK_TIMEOUT_MS } from './retry-locks.ts'

/** Runs migrations in one transaction, which gives up when it does not get a lock in half a second. */
export async function runInTransaction(client: pg.ClientBase, files: readonly MigrationFile[]): Promise<void> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
    // Citus refuses changes of tables and of their foreign keys over several connections. Without Citus it has no effect.
    await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`)
    await runAllMigrations(client, files)
    await client.query('commit')
  } catch (error) {
    // A lost connection has rolled back, and reports only that it is lost.
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** Runs migrations as a part of the transaction that the client has begun. */
export async function runAllMigrations(client: pg.ClientBase, files: readonly MigrationFile[]): Promise<void> {
  await createMigrationTables(client)
  for (const file of files) {
    await client.query(toTransactionText(file))
    await insertExecutedMigration(client, file.name)
  }
}

/** Runs statements that wait for other transactions, but keep none of them waiting. */
export async function runConcurrently(client: pg.PoolClient, { name, statements }: MigrationFile): Promise<void> {
  await client.query('set lock_timeout = 0')
  try {
    for (const statement of statements ?? []) {
      await dropInvalidIndex(client, getConcurrentIndex(statement))
      await client.query(statement)
    }
  } finally {
    await client.query('reset lock_timeout').catch(() => {})
  }
  await insertExecutedMigration(client, name)
}

/** An index whose creation was interrupted exists, but is not used. */
async function dropInvalidIndex(client: pg.ClientBase, name: string | undefined): Promise<void> {
  if (name === undefined) return
  const { rows } = await client.query(
    'select from pg_index where indexrelid = to_regclass($1) and not (indisvalid and indisready)',
    [name],
  )
  if (rows.length > 0) await client.query(`drop index concurrently ${name}`)
}
