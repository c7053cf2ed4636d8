import { sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { QueuedJob } from '../../platform/jobs/queued-jobs.ts'
import type { ScheduledJob } from '../../platform/jobs/scheduled-jobs.ts'
import { EVALUATE_RUN, enqueueEvaluation } from './enqueue-evaluation.ts'
import { evaluateRun } from './evaluate-run.ts'
import { IS_SETTLED } from './evaluated-run.queries.ts'

/** The job that evaluates a run. */
export const evaluateRunJob: QueuedJob = {
  name: EVALUATE_RUN,
  async run(db, id) {
    const ref = await findRunRef(db, id)
    if (ref !== null) await evaluateRun(db, ref)
  },
}

async function findRunRef(db: Database, id: string): Promise<RunRef | null> {
  const { rows } = await sql<{ group: number; project_id: string; prefix: string }>`
    select r.run_group as group, r.project_id, p.prefix from runs r join projects p on p.id = r.project_id
    where r.id = ${id}`.execute(db)
  const [row] = rows
  return row === undefined ? null : { id, group: row.group, project: { id: row.project_id, prefix: row.prefix } }
}

const RUNS_PER_STATEMENT = 200

/** The job that evaluates runs again once they are settled: completed, or without a report for as long as their project says. */
export const settleRunsJob: ScheduledJob = {
  name: 'settle_runs',
  schedule: '* * * * *',
  async run(db, signal) {
    signal.throwIfAborted()
    await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ id: string }>`
        select runs.id from runs join projects p on p.id = runs.project_id
        where runs.evaluated_at is not null and runs.settled_at is null and ${sql.raw(IS_SETTLED)}
        order by runs.last_upload_at limit ${sql.lit(RUNS_PER_STATEMENT)}`.execute(tx)
      for (const run of rows) await enqueueEvaluation(tx, run)
    })
  },
}
