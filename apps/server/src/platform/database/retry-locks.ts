import { setTimeout as sleep } from 'node:timers/promises'

import type pg from 'pg'

import { StartError } from '../start-error.ts'
import { isDatabaseBusy } from './failures.ts'

/** How long a migration waits for a lock. All requests for the same table wait behind it meanwhile. */
export const LOCK_TIMEOUT_MS = 500
const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 5000
/** Longer than a backup of a large database, which keeps its tables from being changed. */
const GIVE_UP_AFTER_MS = 10 * 60_000

export interface MigrationLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

export interface LockRetryOptions {
  /** Completes "… cannot lock its tables": `the migration 0036_totp`. */
  subject: string
  /** To find out which transaction is in the way. */
  client: Pick<pg.ClientBase, 'query'> | pg.Pool
  log?: MigrationLog | undefined
  stopSignal?: AbortSignal | undefined
  giveUpAfterMs?: number
}

/**
 * Repeats work that gave up because others hold its locks, and lets their requests pass in between.
 * @throws {StartError} when the locks are not free within ten minutes
 */
export async function retryLocks<T>(work: () => Promise<T>, options: LockRetryOptions): Promise<T> {
  const { subject, client, log, stopSignal, giveUpAfterMs = GIVE_UP_AFTER_MS } = options
  const end = Date.now() + giveUpAfterMs
  for (let attempt = 1; ; attempt += 1) {
    stopSignal?.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseBusy(error)) throw error
      if (Date.now() >= end) throw createLockError(subject, giveUpAfterMs)
      const longestDelayMs = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1))
      const delayMs = Math.round(longestDelayMs * (0.5 + Math.random() / 2))
      const oldest = await selectOldestTransaction(client)
      log?.warn(
        { attempt, delay_ms: delayMs, oldest_transaction: oldest },
        `${subject} did not get a lock in time and will try again`,
      )
      // Ends early when the server is stopped, which is noticed above.
      await sleep(delayMs, undefined, stopSignal === undefined ? {} : { signal: stopSignal }).catch(() => {})
    }
  }
}

const createLockError = (subject: string, waitedMs: number) =>
  new StartError(
    `${subject} cannot lock its tables: other transactions have held them for ${Math.round(waitedMs / 1000)} seconds. ` +
      'End the long transactions in pg_stat_activity, then start again.',
  )

/** Describes the transaction that may hold the locks. What it runs is left out: the text can contain data. */
async function selectOldestTransaction(client: LockRetryOptions['client']): Promise<object | null> {
  const { rows } = await client.query<{ pid: number; application: string; seconds: number }>(
    `select pid, application_name as application, extract(epoch from now() - xact_start)::int as seconds
     from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
     order by xact_start limit 1`,
  )
  return rows[0] ?? null
}
