import type { AliasSource } from '@caseward/matching/aliases'
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
  /** The tools of which the project has ids; null for none. */
  alias_sources: AliasSource[] | null
  aliases_first: boolean
  /** Moves with the tests and links of the project; null if nothing moves it. */
  tests_version: number | null
}

const GONE: RunState = {
  adds_test_cases: false,
  has_outcomes: false,
  has_suite_errors: false,
  counts_unmatched: true,
  alias_sources: null,
  aliases_first: false,
  tests_version: null,
}

/** A run that is gone adds nothing; locking it reports that. */
export async function selectRunState(db: Database, id: string): Promise<RunState> {
  const { rows } = await sql<RunState>`
    select r.adds_test_cases, p.alias_sources, p.aliases_first, p.tests_version,
      r.passed_test_count + r.failed_test_count + r.skipped_test_count > 0 as has_outcomes,
      r.suite_error_count > 0 as has_suite_errors, coalesce(
        r.unmatched_passed_count + r.unmatched_failed_count + r.unmatched_skipped_count = r.unmatched_test_count, false
      ) as counts_unmatched
    from runs r join projects p on p.id = r.project_id where r.id = ${id}`.execute(db)
  return rows[0] ?? GONE
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
