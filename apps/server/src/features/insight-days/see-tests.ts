import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import { FIRST_ID } from '../../platform/http/ids.ts'

const RUNS_PER_LIST = 200
/** Tests that one transaction changes. */
const TESTS_PER_BATCH = 2000

interface UnseenRun {
  id: string
  project_id: string
  series: string
  day: string
  is_trusted: boolean
  is_imported: boolean
  evaluated_at: Date
}

/**
 * Stores with tests the day and the series of the newest settled run that has them, from runs that were settled since the last
 * call. A test is written at most once a day, in small batches: no upload waits for it, or pays for it.
 */
export async function seeTests(db: Database, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { rows: runs } = await sql<UnseenRun>`
      select id, project_id, series, (created_at at time zone 'utc')::date::text as day, is_trusted, is_imported,
        evaluated_at
      from runs where settled_at is not null and tests_seen_at is null and evaluated_at is not null
      order by settled_at, id limit ${sql.lit(RUNS_PER_LIST)}`.execute(db)
    for (const run of runs) {
      signal.throwIfAborted()
      // A fork, and what another service ran, say nothing about what the project still has.
      if (run.is_trusted && !run.is_imported) await seeTestsOf(db, run, signal)
      // An evaluation in the meantime lets it be done again.
      await sql`
        update runs set tests_seen_at = now()
        where id = ${run.id} and evaluated_at = ${run.evaluated_at}`.execute(db)
    }
    if (runs.length < RUNS_PER_LIST) return
  }
}

async function seeTestsOf(db: Database, { id, project_id: projectId, series, day }: UnseenRun, signal: AbortSignal) {
  for (let after: string | null = FIRST_ID; after !== null;) {
    signal.throwIfAborted()
    const page: { rows: { test_id: string }[] } = await sql<{ test_id: string }>`${plannedAnew}
      select test_id from test_outcomes
      where project_id = ${projectId} and run_id = ${id} and test_id > ${after}::uuid
      order by test_id limit ${sql.lit(TESTS_PER_BATCH)}`.execute(db)
    const testIds = page.rows.map((row) => row.test_id)
    // In the order of ids, as uploads lock them, so that neither waits for the other in a circle.
    await sql`${plannedAnew}
      with due as materialized (
        select t.id from tests t
        where t.project_id = ${projectId} and t.id = any(${testIds}::uuid[])
          and (t.last_seen_on is null or t.last_seen_on < ${day}::date)
        order by t.id for no key update
      )
      update tests t set last_seen_on = ${day}::date, last_series = ${series}
      from due where t.project_id = ${projectId} and t.id = due.id`.execute(db)
    after = testIds.length === TESTS_PER_BATCH ? (testIds.at(-1) ?? null) : null
  }
}
