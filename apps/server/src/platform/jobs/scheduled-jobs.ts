import { type CronItem, parseCronItems, type ParsedCronItem, type TaskList } from 'graphile-worker'

import type { Database } from '../database/connect.ts'

/** A job that runs at fixed times. Of several servers, one runs it. `app.ts` lists all of them. */
export interface ScheduledJob {
  /** Stored in the queue. */
  name: string
  /** When it runs, in UTC, as in a crontab: `23 * * * *`. */
  schedule: string
  /** When no server runs at that time, the job runs at the next start, if that is not later than this. Never by default. */
  maxDelayMs?: number
  /** @param signal aborted when the service stops */
  run(db: Database, signal: AbortSignal): Promise<void>
}

/** A failed run is not retried for long: the next one does the same. */
const MAX_ATTEMPTS = 3

/** Returns the times at which the jobs run, for graphile-worker. */
export const toCronItems = (jobs: readonly ScheduledJob[]): ParsedCronItem[] =>
  parseCronItems(
    jobs.map(({ name, schedule, maxDelayMs = 0 }): CronItem => ({
      task: name,
      match: schedule,
      // A run that has not started before the next one is due is replaced.
      options: { jobKey: name, maxAttempts: MAX_ATTEMPTS, backfillPeriod: maxDelayMs },
    })),
  )

/** Returns the tasks that graphile-worker runs. */
export const createScheduledTasks = (jobs: readonly ScheduledJob[], db: Database): TaskList =>
  Object.fromEntries(
    jobs.map(({ name, run }) => [name, async (_payload, { abortSignal }) => await run(db, abortSignal)] as const),
  )
