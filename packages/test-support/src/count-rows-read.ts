import { sql } from 'kysely'

import { getPool } from '@caseward/server/platform/database/connect'
import type { TestServer } from './test-server.ts'

/**
 * Counts the rows and index entries of a table that PostgreSQL reads during `work`, from its statistics. Unlike time, this
 * is the same on every machine.
 */
export async function countRowsRead({ db }: TestServer, table: string, work: () => Promise<unknown>): Promise<number> {
  return await countDuring(db, () => selectRowsRead(db, table), work)
}

/** Counts how often PostgreSQL looks into a table or its indexes during `work`, whether it finds rows or not. */
export async function countScans({ db }: TestServer, table: string, work: () => Promise<unknown>): Promise<number> {
  const selectScans = async () => {
    const { rows } = await sql<{ count: number }>`
      select seq_scan + idx_scan as count from pg_stat_user_tables where relname = ${table}`.execute(db)
    return rows[0]?.count ?? Number.NaN
  }
  return await countDuring(db, selectScans, work)
}

async function countDuring(
  db: TestServer['db'],
  select: () => Promise<number>,
  work: () => Promise<unknown>,
): Promise<number> {
  await flushStatistics(db)
  const before = await select()
  await work()
  await flushStatistics(db)
  return (await select()) - before
}

/** Each connection reports its statistics once its query ends. The wait makes each query use a connection of its own. */
async function flushStatistics(db: TestServer['db']): Promise<void> {
  const flush = () => sql`select pg_stat_force_next_flush(), pg_sleep(0.1)`.execute(db)
  await Promise.all(Array.from({ length: getPool(db).options.max }, flush))
}

async function selectRowsRead(db: TestServer['db'], table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select seq_tup_read from pg_stat_user_tables where relname = ${table})
      + (select sum(idx_tup_read)::bigint from pg_stat_user_indexes where relname = ${table}) as count`.execute(db)
  return rows[0]?.count ?? Number.NaN
}
