import type { TaskList } from 'graphile-worker'
import { sql } from 'kysely'

import type { Database } from '../database/connect.ts'

/** Work on one row that does not have to be done before a response. `app.ts` lists all kinds. */
export interface QueuedJob {
  /** Stored in the queue: must not change while jobs of this kind are waiting. */
  name: string
  /** Safe to repeat: it runs again after it failed or its server died. */
  run(db: Database, id: string, signal: AbortSignal): Promise<void>
}

/** Retries wait e, e², … seconds: the last one is after some minutes. */
const MAX_ATTEMPTS = 6

/**
 * Enqueues a job in the caller's transaction: it runs if, and only if, the transaction is committed. One that waits for the same
 * id is the same job.
 * @param options.delayMs from now. A job that is due later joins one that waits already, and does not move it; one that is due at
 *   once moves it
 */
export async function enqueueJob(
  tx: Database,
  { name }: Pick<QueuedJob, 'name'>,
  id: string,
  { delayMs = 0 }: { delayMs?: number } = {},
): Promise<void> {
  const key = `${name}:${id}`
  const mode = delayMs === 0 ? 'replace' : 'preserve_run_at'
  const add = sql`
    graphile_worker.add_job(
      ${name}, json_build_object('id', ${id}::text), run_at => now() + make_interval(secs => ${delayMs / 1000}),
      max_attempts => ${sql.lit(MAX_ATTEMPTS)}, job_key => ${key}, job_key_mode => ${mode}
    )`
  if (delayMs === 0) await sql`select from ${add}`.execute(tx)
  else {
    // Adding a job again writes to its row and wakes all workers, which takes as long as a small upload. The lock does as much:
    // workers leave the job alone until this transaction ends. (They take jobs with "for update skip locked".)
    await sql`
      with waiting as materialized (
        select from graphile_worker._private_jobs where key = ${key} and attempts = 0 and is_available for key share
      )
      select ${add} where not exists (select from waiting)`.execute(tx)
  }
}

/** Returns the tasks that graphile-worker runs. */
export const createQueuedTasks = (jobs: readonly QueuedJob[], db: Database): TaskList =>
  Object.fromEntries(
    jobs.map(
      ({ name, run }) =>
        [name, async (payload, { abortSignal }) => await run(db, (payload as { id: string }).id, abortSignal)] as const,
    ),
  )
