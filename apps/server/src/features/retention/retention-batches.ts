import { setTimeout as sleep } from 'node:timers/promises'

import { sql } from 'kysely'

import { type Database, getPostgresErrorCode } from '../../platform/database/connect.ts'

/** Requests come first: a batch does not wait for them, nor they for long. */
const LOCK_TIMEOUT_MS = 1000
const PAUSE_MS = 20

/** How far the retention may go on. */
export interface RetentionLimits {
  /** Aborted when the service stops. */
  signal: AbortSignal
  /** When it must stop, as `performance.now()` has it. The next run continues. */
  deadline: number
}

/** Whether the time of this run is over. */
export function isOver({ signal, deadline }: RetentionLimits): boolean {
  signal.throwIfAborted()
  return performance.now() > deadline
}

/**
 * Runs one batch in a transaction of its own, then pauses. Returns undefined when another request holds a lock for long: the
 * next run tries again.
 */
export async function runBatch<T>(db: Database, work: (tx: Database) => Promise<T>): Promise<T | undefined> {
  try {
    return await db.transaction().execute(async (tx) => {
      await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(tx)
      return await work(tx)
    })
  } catch (error) {
    const code = getPostgresErrorCode(error)
    if (code === LOCK_NOT_AVAILABLE || code === DEADLOCK_DETECTED) return undefined
    throw error
  } finally {
    await sleep(PAUSE_MS)
  }
}

const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK_DETECTED = '40P01'

const DAY_MS = 24 * 60 * 60 * 1000

/** Returns midnight UTC some days ago: within a day, all runs of the job delete the same. */
export function getRetentionStart(days: number, now = Date.now()): Date {
  return new Date(Math.floor(now / DAY_MS) * DAY_MS - days * DAY_MS)
}
