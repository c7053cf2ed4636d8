import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import type { ScheduledJob } from '../../platform/jobs/scheduled-jobs.ts'
import { announceQuarantines } from './announce-quarantines.ts'
import { endDeletedTests, endExpired } from './end-expired.ts'
import { forgetLimit } from './quarantine-automatically.ts'

/** The job that ends quarantines, and tells their owners before and then. */
export const quarantineJob: ScheduledJob = {
  name: 'end_quarantines',
  schedule: '7 * * * *',
  maxDelayMs: 3_600_000,
  async run(db, signal) {
    for (const projectId of await selectProjects(db)) {
      signal.throwIfAborted()
      await db.transaction().execute(async (tx) => {
        await endExpired(tx, projectId)
        await endDeletedTests(tx, projectId)
        await announceQuarantines(tx, projectId)
        await forgetLimit(tx, projectId)
      })
    }
  },
}

/** The projects with quarantines that are in effect or whose end is not announced, and those that had too many. */
async function selectProjects(db: Database): Promise<string[]> {
  const { rows } = await sql<{ project_id: string }>`
    select distinct project_id from quarantines
    where ended_at is null or (ended_at = expires_at and end_announced_at is null)
    union select id from projects where auto_quarantine_limited_at is not null
    order by 1`.execute(db)
  return rows.map(({ project_id: id }) => id)
}
