import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import type { ScheduledJob } from '../../platform/jobs/scheduled-jobs.ts'

const EVENT_DAYS = 400
const SIGNATURE_DAYS = 90
/** Rows that one statement deletes. */
const ROWS_PER_STATEMENT = 2000

/** The job that forgets flake events that are too old to say anything, and signatures that no failure has any more. */
export const forgetEvidenceJob: ScheduledJob = {
  name: 'forget_evidence',
  schedule: '11 3 * * *',
  maxDelayMs: 24 * 3_600_000,
  async run(db, signal) {
    const { rows } = await sql<{ id: string }>`select id from projects order by id`.execute(db)
    for (const { id } of rows) {
      for (const deleteSome of [deleteSomeEvents, deleteSomeSignatures]) {
        while (await deleteSome(db, id)) signal.throwIfAborted()
      }
    }
  },
}

/** Returns whether there may be more. */
async function deleteSomeEvents(db: Database, projectId: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from flake_events where project_id = ${projectId} and (test_id, commit_key) in (
      select test_id, commit_key from flake_events
      where project_id = ${projectId} and at < now() - make_interval(days => ${sql.lit(EVENT_DAYS)})
      order by at limit ${sql.lit(ROWS_PER_STATEMENT)}
    )`.execute(db)
  return numAffectedRows === BigInt(ROWS_PER_STATEMENT)
}

/** Those of flake events stay: they explain failures. */
async function deleteSomeSignatures(db: Database, projectId: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from failure_signatures where project_id = ${projectId} and signature in (
      select s.signature from failure_signatures s
      where s.project_id = ${projectId} and s.first_seen_at < now() - make_interval(days => ${sql.lit(SIGNATURE_DAYS)})
        and not exists (
          select from test_failures f where f.project_id = ${projectId} and f.signature = s.signature
        )
        and not exists (
          select from flake_events e
          where e.project_id = ${projectId} and e.signature = s.signature
            and e.at > now() - make_interval(days => ${sql.lit(SIGNATURE_DAYS)})
        )
      limit ${sql.lit(ROWS_PER_STATEMENT)}
    )`.execute(db)
  return numAffectedRows === BigInt(ROWS_PER_STATEMENT)
}
