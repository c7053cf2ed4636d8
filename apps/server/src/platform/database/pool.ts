import { setTimeout as sleep } from 'node:timers/promises'

import pg from 'pg'

/** A host that is gone without a word is noticed this long after its last one, and ten seconds more. */
const KEEP_ALIVE_MS = 30_000
/** How long a server may take to close its end when we have closed ours. */
const CLOSE_MS = 2000

export interface OpenPool {
  pool: pg.Pool
  /** Waits for the queries under way, then until every connection is closed. */
  close(): Promise<void>
}

/** @param onConnectionError is told of each connection that breaks, once */
export function openPool(options: pg.PoolConfig, onConnectionError: (error: Error) => void): OpenPool {
  const pool = new pg.Pool({ keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MS, ...options })
  const ends = new Set<Promise<unknown>>()
  pool.on('connect', (client) => {
    // A broken connection fails the query under way, and is replaced at the next; unhandled it would end the process.
    client.once('error', onConnectionError).on('error', () => {})
    const end = new Promise<void>((resolve) => {
      client.once('end', resolve)
    })
    ends.add(end)
    void end.then(() => ends.delete(end))
  })
  // The pool listens while a connection is idle, and says again what its connection has said.
  pool.on('error', () => {})
  return {
    pool,
    async close() {
      await pool.end()
      // The pool has only asked them to: one that PostgreSQL ends first, since it stops as well, would count as lost.
      await Promise.race([Promise.all(ends), sleep(CLOSE_MS, undefined, { ref: false })])
    },
  }
}

/** What a log says of a connection that broke; the error itself carries the whole connection with its keys. */
export function describeConnectionError(error: Error): { reason: string; code?: string } {
  const { code } = error as NodeJS.ErrnoException
  return code === undefined ? { reason: error.message } : { reason: error.message, code }
}
