import { sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { lookUpEach, plannedAnew } from '../../platform/database/plans.ts'

/** What an upload must know of its run. */
export interface RunState {
  adds_test_cases: boolean
  has_outcomes: boolean
  has_suite_errors: boolean
  /** Whether the outcomes without a test case are counted by their status. */
  counts_unmatched: boolean
}

/** A run that is gone adds nothing; locking it reports that. */
export async function selectRunState(db: Database, id: string): Promise<RunState> {
  const { rows } = await sql<RunState>`
    select adds_test_cases, passed_test_count + failed_test_count + skipped_test_count > 0 as has_outcomes,
      suite_error_count > 0 as has_suite_errors, coalesce(
        unmatched_passed_count + unmatched_failed_count + unmatched_skipped_count = unmatched_test_count, false
      ) as counts_unmatched
    from runs where id = ${id}`.execute(db)
  return rows[0] ?? { adds_test_cases: false, has_outcomes: false, has_suite_errors: false, counts_unmatched: true }
}

/** Returns those of the numbers that are not in a run. */
export async function selectCasesNotInRun(
  db: Database,
  { id, group, project }: RunRef,
  numbers: readonly number[],
): Promise<number[]> {
  if (numbers.length === 0) return []
  const { rows } = await sql<{ number: number }>`${plannedAnew}
    select number from unnest(${`{${numbers.join(',')}}`}::int[]) number
    where not exists (
      select from test_results r
      where r.project_id = ${project.id} and r.run_group = ${group} and r.case_number = number and r.run_id = ${id}
      ${lookUpEach}
    )`.execute(db)
  return rows.map(({ number }) => number)
}
