import { setTimeout as sleep } from 'node:timers/promises'

import type pg from 'pg'

/**
 * Key of the advisory lock that a server holds while it reads or changes the schema of the service or of the job queue.
 * Kysely's own lock comes too late: before it, Kysely lists all tables, which fails while another server renames one.
 */
export const SCHEMA_LOCK = 4_812_078

/**
 * Runs work while no other server reads or changes the schema.
 * @param work receives the connection that holds the lock, for statements beside those of the work
 * @param stopSignal ends the wait for the lock, but not the work
 */
export async function withSchemaLock<T>(
  pool: pg.Pool,
  work: (lockHolder: pg.ClientBase) => Promise<T>,
  stopSignal?: AbortSignal,
): Promise<T> {
  const connection = await pool.connect()
  try {
    await acquireLock(connection, stopSignal)
    try {
      return await work(connection)
    } finally {
      // A lost connection has released the lock, and must not hide why the work failed.
      await connection.query('select pg_advisory_unlock($1)', [SCHEMA_LOCK]).catch(() => {})
    }
  } finally {
    connection.release()
  }
}

/** How long to wait before the lock is tried again. */
const RETRY_MS = 100

async function acquireLock(connection: pg.PoolClient, stopSignal: AbortSignal | undefined): Promise<void> {
  for (;;) {
    stopSignal?.throwIfAborted()
    // Not as a statement that waits: creating an index concurrently waits for all statements that began before, so that a
    // server which creates one and a server which waits for it would wait for each other.
    const { rows } = await connection.query<{ is_ours: boolean }>('select pg_try_advisory_lock($1) as is_ours', [
      SCHEMA_LOCK,
    ])
    if (rows[0]?.is_ours === true) return
    await sleep(RETRY_MS, undefined, stopSignal === undefined ? {} : { signal: stopSignal }).catch(() => {}) // aborted
  }
}
