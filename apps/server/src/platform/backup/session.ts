import type pg from 'pg'

import { SCHEMA_LOCK } from '../database/schema-lock.ts'
import { type BackupTable, quoteName } from './backup-format.ts'
import { selectTables } from './catalog.queries.ts'

/** Texts that every version of PostgreSQL reads as the same value, as `pg_dump` sets them. */
const TEXT_SETTINGS = {
  client_encoding: 'UTF8',
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  extra_float_digits: '1',
  bytea_output: 'hex',
  timezone: 'UTC',
}

/** Copying takes as long as it takes. `transaction_timeout` exists since PostgreSQL 17. */
const TIMEOUTS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout']

/** Prepares a new connection to copy tables. */
export async function prepareSession(client: pg.ClientBase): Promise<void> {
  await client.query('select set_config(name, setting, false) from json_each_text($1) as s (name, setting)', [
    JSON.stringify(TEXT_SETTINGS),
  ])
  await client.query(`select set_config(name, '0', false) from pg_settings where name = any($1)`, [TIMEOUTS])
}

/**
 * Runs work in a transaction that sees all tables at one moment, while others write to them. A migration by another server
 * waits until the work is done.
 */
export async function withSnapshot<T>(client: pg.ClientBase, work: (tables: BackupTable[]) => Promise<T>): Promise<T> {
  await prepareSession(client)
  await client.query('select pg_advisory_lock_shared($1)', [SCHEMA_LOCK])
  const tables = await selectTables(client)
  await client.query('begin transaction isolation level repeatable read, read only')
  // Before the first query, which takes the snapshot: the tables must not change between the two.
  await client.query(`lock table ${tables.map(quoteName).join(', ')} in access share mode`)
  await client.query('select pg_advisory_unlock_shared($1)', [SCHEMA_LOCK])
  const result = await work(tables)
  await client.query('commit')
  return result
}
