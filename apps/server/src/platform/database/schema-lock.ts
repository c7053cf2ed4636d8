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

async function acquireLock(connection: pg.PoolClient, stopSignal: AbortSignal | undefined): Promise<void> {
  stopSignal?.throwIfAborted()
  // The wait for a lock ends only with the connection.
  const abort = () => void connection.end()
  stopSignal?.addEventListener('abort', abort)
  try {
    await connection.query('select pg_advisory_lock($1)', [SCHEMA_LOCK])
  } finally {
    stopSignal?.removeEventListener('abort', abort)
  }
}
