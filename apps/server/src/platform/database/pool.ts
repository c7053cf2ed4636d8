import { setTimeout as sleep } from 'node:timers/promises'

import pg from 'pg'

/** A host that disappeared is noticed this long, plus ten seconds, after its last packet. */
const KEEP_ALIVE_MS = 30_000
/** How long to wait until PostgreSQL closes its end of the connections. */
const CLOSE_TIMEOUT_MS = 2000

export interface OpenPool {
  pool: pg.Pool
  /** Waits for running queries, then until every connection is closed. */
  close(): Promise<void>
}

/** @param onConnectionError called once for each connection that breaks */
export function openPool(options: pg.PoolConfig, onConnectionError: (error: Error) => void): OpenPool {
  const pool = new pg.Pool({ keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MS, ...options })
  const ends = new Set<Promise<unknown>>()
  pool.on('connect', (client) => {
    // A broken connection rejects its query and is replaced. Unhandled, the event would end the process.
    client.once('error', onConnectionError).on('error', () => {})
    const end = new Promise<void>((resolve) => {
      client.once('end', resolve)
    })
    ends.add(end)
    void end.then(() => ends.delete(end))
  })
  // The pool emits the errors of its idle connections again.
  pool.on('error', () => {})
  return {
    pool,
    async close() {
      await pool.end()
      // The connections are only closing: if PostgreSQL stopped before they are closed, they would be logged as lost.
      await Promise.race([Promise.all(ends), sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })])
    },
  }
}

/** Describes a broken connection for the log. The error itself contains the connection with its password. */
export function describeConnectionError(error: Error): { reason: string; code?: string } {
  const { code } = error as NodeJS.ErrnoException
  return code === undefined ? { reason: error.message } : { reason: error.message, code }
}
