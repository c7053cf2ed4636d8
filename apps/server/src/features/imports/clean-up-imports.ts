import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import type { ScheduledJob } from '../../platform/jobs/scheduled-jobs.ts'
import { insertFileCandidate } from '../files/file-candidates.queries.ts'

const DAYS = 30
const IMPORTS_PER_LIST = 100
const RECORDS_PER_BATCH = 10_000

/**
 * The job that deletes the files and records of imports that ended, or were not touched, 30 days ago. Their reports stay, and so
 * does the way from ids of other tools to test cases.
 */
export const cleanUpImportsJob: ScheduledJob = {
  name: 'clean_up_imports',
  schedule: '41 3 * * *',
  maxDelayMs: 24 * 60 * 60 * 1000,
  async run(db, signal) {
    for (;;) {
      const ended = await selectEnded(db)
      for (const { project_id: projectId, id } of ended) {
        if (signal.aborted) return
        while (await deleteBatch(db, projectId, id)) if (signal.aborted) return
        await endImport(db, projectId, id)
      }
      if (ended.length < IMPORTS_PER_LIST) return
    }
  },
}

async function selectEnded(db: Database): Promise<{ project_id: string; id: string }[]> {
  const { rows } = await sql<{ project_id: string; id: string }>`
    select project_id, id from imports
    where cleaned_at is null and state in ('planned', 'done', 'differs', 'cancelled', 'failed', 'undone')
      and greatest(created_at, planned_at, applied_at, undone_at) < now() - make_interval(days => ${DAYS})
    order by project_id, id limit ${IMPORTS_PER_LIST}`.execute(db)
  return rows
}

/** Deletes some records. Returns whether there may be more. */
async function deleteBatch(db: Database, projectId: string, id: string): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`${plannedAnew}
    with deleted as (
      delete from import_records where project_id = ${projectId} and import_id = ${id} and seq in (
        select seq from import_records where project_id = ${projectId} and import_id = ${id} order by seq limit ${RECORDS_PER_BATCH}
      ) returning seq
    ) select count(*)::int as count from deleted`.execute(db)
  return rows[0]?.count === RECORDS_PER_BATCH
}

/** What waits to be applied or resumed cannot be any more. */
async function endImport(db: Database, projectId: string, id: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ file_id: string }>`
      delete from import_files where project_id = ${projectId} and import_id = ${id} returning file_id`.execute(tx)
    for (const fileId of rows.map((row) => row.file_id).toSorted()) await insertFileCandidate(tx, projectId, fileId)
    await sql`
      update imports set cleaned_at = now(), plan = null, failed_state = null,
        state = case when state = 'planned' then 'cancelled' else state end
      where project_id = ${projectId} and id = ${id}`.execute(tx)
  })
}
