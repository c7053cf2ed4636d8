import type pg from 'pg'

/**
 * Any number: held by the one server that looks at or changes the schema, ours or the job queue's. Kysely, before it
 * takes a lock of its own, asks about every table of the database, which fails when another server is renaming one.
 */
export const SCHEMA_LOCK = 4_812_078

/**
 * Does this while no other server looks at or changes the schema.
 * @param stop ends the wait for the others, but not the work
 */
export async function withSchemaLock<T>(pool: pg.Pool, work: () => Promise<T>, stop?: AbortSignal): Promise<T> {
  const connection = await pool.connect()
  try {
    await lock(connection, stop)
    try {
      return await work()
    } finally {
      await connection.query('select pg_advisory_unlock($1)', [SCHEMA_LOCK])
    }
  } finally {
    connection.release()
  }
}

async function lock(connection: pg.PoolClient, stop: AbortSignal | undefined): Promise<void> {
  stop?.throwIfAborted()
  // A connection that waits for a lock hears nothing until it has it.
  const giveUp = () => void connection.end()
  stop?.addEventListener('abort', giveUp)
  try {
    await connection.query('select pg_advisory_lock($1)', [SCHEMA_LOCK])
  } finally {
    stop?.removeEventListener('abort', giveUp)
  }
}
