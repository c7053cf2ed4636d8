import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import type { ScheduledJob } from '../../platform/jobs/scheduled-jobs.ts'
import { countDay } from './count-day.ts'
import { seeTests } from './see-tests.ts'

/** Projects without a run for longer get no rows: nothing changes there. */
const ACTIVE_DAYS = 90

/** The job that tells tests when they were seen last, and counts the day. */
export const insightJob: ScheduledJob = {
  name: 'count_insight_days',
  schedule: '47 * * * *',
  maxDelayMs: 3_600_000,
  async run(db, signal) {
    await seeTests(db, signal)
    for (const projectId of await selectActiveProjects(db)) {
      signal.throwIfAborted()
      await countDay(db, projectId, new Date())
    }
  },
}

/** The projects that had a run of CI lately, or have quarantines. */
async function selectActiveProjects(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select p.id from projects p
    where exists (
      select from runs r
      where r.project_id = p.id and r.evaluated_at is not null
        and r.created_at > now() - make_interval(days => ${sql.lit(ACTIVE_DAYS)})
    ) or exists (select from quarantines q where q.project_id = p.id and q.ended_at is null)
    order by p.id`.execute(db)
  return rows.map(({ id }) => id)
}
