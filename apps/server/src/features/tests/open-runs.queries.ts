import { sql } from 'kysely'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { resultCount } from '../runs/run-counts.ts'
import type { OpenRun } from './derive-in-runs.ts'

/** The most runs in progress in which results are derived again after a link has changed. */
const MAX_RUNS = 100

interface LockedRow {
  id: string
  run_group: number
  adds_test_cases: boolean
  has_combinations: boolean
  result_count: number
}

/**
 * Locks the newest runs in progress that contain outcomes of one of the tests, in the order of their ids. The caller holds
 * the lock on the project.
 */
export async function lockOpenRunsOf(
  tx: Database,
  project: ProjectRef,
  testIds: readonly string[],
): Promise<OpenRun[]> {
  const { rows } = await sql<LockedRow>`
    with open_runs as materialized (
      select id from runs where project_id = ${project.id} and status = 'in_progress'
    )
    select id, run_group, adds_test_cases, combination_count is not null as has_combinations, ${resultCount} as result_count
    from runs where id = any(array(
      select r.id from open_runs r
      where exists (
        select from test_outcomes o
        where o.project_id = ${project.id} and o.run_id = r.id
          and o.test_id = any(${`{${testIds.join(',')}}`}::uuid[])
      )
      order by r.id desc limit ${sql.lit(MAX_RUNS)}
    )) order by id for no key update`.execute(tx)
  return rows.map((row) => ({
    id: row.id,
    group: row.run_group,
    project,
    addsTestCases: row.adds_test_cases,
    hasCombinations: row.has_combinations,
    resultCount: row.result_count,
  }))
}
