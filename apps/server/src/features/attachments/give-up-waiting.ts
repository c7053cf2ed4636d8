import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import type { ScheduledJob } from '../../platform/jobs/scheduled-jobs.ts'
import { FIRST_ID } from '../../platform/http/ids.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** A content that has not arrived by then never does. */
const WAITING_DAYS = 7
const RUNS_PER_BATCH = 100

/** The job that gives up contents that were declared a week ago and have not arrived: their attachments say so. */
export const giveUpWaitingJob: ScheduledJob = {
  name: 'give_up_waiting_files',
  schedule: '37 * * * *',
  async run(db, signal) {
    const before = new Date(Date.now() - WAITING_DAYS * DAY_MS)
    for (let after = FIRST_ID; ;) {
      const runs = await selectWaitingRuns(db, { before, after })
      for (const run of runs) {
        signal.throwIfAborted()
        await db.transaction().execute((tx) => giveUpWaiting(tx, run, before))
      }
      const last = runs.at(-1)
      if (last === undefined) return
      after = last.id
    }
  },
}

interface WaitingRun {
  id: string
  projectId: string
}

/** Selects some runs that are old enough, and wait for contents. */
async function selectWaitingRuns(
  db: Database,
  { before, after }: { before: Date; after: string },
): Promise<WaitingRun[]> {
  const { rows } = await sql<WaitingRun>`
    select id, project_id as "projectId" from runs
    where waiting_file_count > 0 and id > ${after}::uuid and created_at < ${before}
    order by id limit ${sql.lit(RUNS_PER_BATCH)}`.execute(db)
  return rows
}

/** Gives up what a run waits for since before a time. Locks the run first, as uploads do. */
async function giveUpWaiting(tx: Database, { id, projectId }: WaitingRun, before: Date): Promise<void> {
  await sql`select from runs where project_id = ${projectId} and id = ${id} for no key update`.execute(tx)
  await sql`
    with given_up as (
      update run_attachments a set removed_at = now()
      where a.project_id = ${projectId} and a.run_id = ${id} and a.file_id is null and a.removed_at is null
        and a.created_at < ${before}
      returning 1
    )
    update runs set waiting_file_count = nullif(waiting_file_count - (select count(*)::int from given_up), 0)
    where project_id = ${projectId} and id = ${id}`.execute(tx)
}
