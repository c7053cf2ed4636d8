import type { Database } from '../../platform/database/connect.ts'
import type { ScheduledJob } from '../../platform/jobs/scheduled-jobs.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { addMissingValues } from './case-field-values.queries.ts'

const BATCH_SIZE = 2000
/** So long after an upgrade, no server of the earlier version writes any more. */
const UPGRADE_MS = 60 * 60 * 1000

/** The job that adds values of test cases that are older than the table of values. */
export const fieldValuesJob: ScheduledJob = {
  name: 'fill_case_field_values',
  schedule: '*/5 * * * *',
  async run(db, signal) {
    const projects = await db
      .selectFrom('unfilled_case_field_values')
      .select('project_id')
      .where('since', '<', new Date(Date.now() - UPGRADE_MS))
      .execute()
    for (const { project_id: projectId } of projects) await fillProject(db, projectId, signal)
  },
}

/** Holds the lock on the project for a batch at a time, so that requests wait for less than a second. */
async function fillProject(db: Database, projectId: string, signal: AbortSignal): Promise<void> {
  for (let after: number | null = 0; after !== null;) {
    signal.throwIfAborted()
    const from: number = after
    after = await db.transaction().execute(async (tx) => {
      await requireLockedProject(tx, projectId)
      return await addMissingValues(tx, projectId, from, BATCH_SIZE)
    })
  }
  await db.deleteFrom('unfilled_case_field_values').where('project_id', '=', projectId).execute()
}
