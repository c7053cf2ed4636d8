import { sql } from 'kysely'

import type { ScheduledJob } from '../../platform/jobs/scheduled-jobs.ts'
import type { Database } from '../../platform/database/connect.ts'
import { NO_JOB_IS_MISSING } from './run-jobs.queries.ts'

const RUNS_PER_STATEMENT = 200

/**
 * The job that completes runs of CI: those that were found by their key, whose CI jobs are all done, and for which no report
 * has come for as long as their project says.
 */
export const completeQuietRunsJob: ScheduledJob = {
  name: 'complete_quiet_runs',
  schedule: '* * * * *',
  async run(db, signal) {
    for (let count = RUNS_PER_STATEMENT; count === RUNS_PER_STATEMENT;) {
      signal.throwIfAborted()
      count = await completeQuietRuns(db)
    }
  },
}

/** Completes some of them, and returns how many. A run that is being written to is left for the next minute. */
async function completeQuietRuns(db: Database): Promise<number> {
  const { rows } = await sql`
    update runs set status = 'completed', completed_at = now(), completed_itself = true, completed_by = null,
      updated_at = now()
    where id in (
      select runs.id from runs join projects p on p.id = runs.project_id
      where runs.status = 'in_progress' and runs.run_key is not null
        and runs.last_upload_at <= now() - make_interval(mins => p.complete_after_minutes)
        and ${sql.raw(NO_JOB_IS_MISSING)}
      order by runs.id limit ${sql.lit(RUNS_PER_STATEMENT)} for no key update of runs skip locked
    )
    returning id`.execute(db)
  return rows.length
}
