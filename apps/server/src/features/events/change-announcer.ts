import { setTimeout as sleep } from 'node:timers/promises'

import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { runAfterCommit } from '../../platform/database/request-transaction.ts'
import { withTimeout } from '../../platform/with-timeout.ts'
import { formatResults, formatSync, type RunChange } from './change-notifications.ts'
import { addAttachmentChanges, addResultChanges, hasChanges, type ResultChanges } from './result-changes.ts'
import type { IdSet } from './id-set.ts'

/**
 * Tells all servers which results this one has written. Writers do not notify in their own transactions, because
 * PostgreSQL lets those commit only one after another.
 */
export interface ChangeAnnouncer {
  /** Announces what a transaction has written, if anything, soon. Call this after its commit. */
  add(changes: ResultChanges): void
  /** Announces that a server that has died may have left changes without an announcement. */
  start(): Promise<void>
  /** Announces what is left. */
  close(): Promise<void>
}

/** Changes of this time are announced together. The first one after a pause is announced at once. */
const INTERVAL_MS = 100
/** An announcement is repeated after these times. Then clients are told to read everything since. */
const RETRY_DELAYS_MS = [50, 500]
/** Until the database is available again. */
const FIRST_SYNC_DELAY_MS = 250
const LONGEST_SYNC_DELAY_MS = 5000
const TIMEOUT_MS = 5000
/** A server that died is started again, or replaced, within this time. */
const RESTART_MS = 15 * 60_000

/** Announces over the pool, in transactions of its own, one at a time. */
export function createChangeAnnouncer({ db, log }: { db: Database; log: FastifyBaseLogger }): ChangeAnnouncer {
  const pending = new Map<string, ResultChanges>()
  /** The first change that could not be announced. */
  let missedSince: Date | null = null
  let syncDelayMs = FIRST_SYNC_DELAY_MS
  let announcing: Promise<void> | null = null
  const closing = new AbortController()

  function addCommitted(changes: ResultChanges): void {
    const { at, runId, results, attachments } = changes
    if (!hasChanges(changes)) return
    const known = pending.get(runId)
    if (known === undefined) pending.set(runId, changes)
    else {
      if (at !== null) addResultChanges(known, at, toList(results))
      if (attachments.at !== null) {
        addAttachmentChanges(known, attachments.at, {
          resultIds: toList(attachments.results),
          testIds: toList(attachments.tests),
        })
      }
    }
    wake()
  }

  const isDone = () => pending.size === 0 && missedSince === null

  function wake(): void {
    announcing ??= announceAll().finally(() => {
      announcing = null
      // Added by the last callbacks of the pause.
      if (!isDone() && !closing.signal.aborted) wake()
    })
  }

  async function announceAll(): Promise<void> {
    while (!isDone()) {
      const isAnnounced = await announce()
      if (closing.signal.aborted) return
      await pause(isAnnounced ? INTERVAL_MS : syncDelayMs)
      syncDelayMs = isAnnounced ? FIRST_SYNC_DELAY_MS : Math.min(2 * syncDelayMs, LONGEST_SYNC_DELAY_MS)
    }
  }

  /** Returns whether all servers know of what was pending. If not, they will have to be told to read it. */
  async function announce(): Promise<boolean> {
    const since = missedSince
    const changes = [...pending.values()].flatMap(toNotifiedChanges)
    pending.clear()
    missedSince = null
    try {
      await sendWithRetries([...(since === null ? [] : [formatSync(since.toISOString())]), ...formatResults(changes)])
      return true
    } catch (error) {
      log.warn({ err: error }, 'could not announce changes to event streams')
      const times = [...(since === null ? [] : [since]), ...changes.map(({ at }) => new Date(at))]
      missedSince = times.reduce((first, time) => (time < first ? time : first))
      return false
    }
  }

  async function sendWithRetries(payloads: readonly string[]): Promise<void> {
    for (const delayMs of RETRY_DELAYS_MS) {
      try {
        return await send(payloads)
      } catch {
        await pause(delayMs)
      }
    }
    await send(payloads)
  }

  const send = async (payloads: readonly string[]) =>
    void (await withTimeout(sql`select announce_changes(${payloads}::text[])`.execute(db), TIMEOUT_MS))

  /** Ends early when the server stops. */
  const pause = (delayMs: number) => sleep(delayMs, undefined, { ref: false, signal: closing.signal }).catch(() => {})

  return {
    add(changes) {
      runAfterCommit(() => addCommitted(changes))
    },
    async start() {
      missedSince = new Date(Date.now() - RESTART_MS)
      if (!(await announce())) wake()
    },
    async close() {
      closing.abort()
      const announceRest = async () => {
        await announcing
        if (!isDone()) await announce()
      }
      // What is still missing then is announced by the next server that starts.
      await withTimeout(announceRest(), TIMEOUT_MS).catch(() => {})
    },
  }
}

const toList = ({ ids, more }: IdSet): string[] | null => (more ? null : [...ids])

/** Attachments are notified beside results: both together could exceed the size of a notification. */
function toNotifiedChanges({ projectId, runId, at, results, attachments }: ResultChanges): RunChange[] {
  const run = { projectId, runId }
  return [
    ...(at === null ? [] : [{ kind: 'results' as const, ...run, at: at.toISOString(), ids: toList(results) }]),
    ...(attachments.at === null
      ? []
      : [
          {
            kind: 'attachments' as const,
            ...run,
            at: attachments.at.toISOString(),
            ids: toList(attachments.results),
            testIds: toList(attachments.tests),
          },
        ]),
  ]
}
