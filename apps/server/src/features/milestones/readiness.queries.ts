import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { resultCount, testedCount } from '../runs/run-counts.ts'
import type { ReadinessCounts } from './milestone-readiness.ts'

/** The runs of a milestone and of its sub-milestones. */
export const selectRunsOfMilestone = (projectId: string, id: string) => sql`
  select r.* from milestones m join runs r on r.project_id = m.project_id and r.milestone_id = m.id
  where m.project_id = ${projectId} and (m.id = ${id} or m.parent_id = ${id})`

/**
 * Counts the results of the runs of a milestone and of its sub-milestones. Undefined when there is no such milestone.
 * Statuses come from the counters of the runs; results are read only for what the counters do not know.
 */
export async function selectReadinessCounts(
  db: Database,
  projectId: string,
  id: string,
  paceDays: number,
): Promise<ReadinessCounts | undefined> {
  if (!isUuid(id)) return undefined
  const { rows } = await sql<ReadinessCounts>`
    with linked as materialized (${selectRunsOfMilestone(projectId, id)}), counted as (
      select coalesce(sum(${testedCount}), 0) as tested, coalesce(sum(${resultCount}), 0) as total,
        coalesce(sum(r.failed_count), 0) as failed, coalesce(sum(r.blocked_count), 0) as blocked,
        min(r.created_at) as first_run_at
      from linked r
    ), critical as (
      select count(*) as failed_critical
      from linked r
      join test_results t on t.project_id = ${projectId} and t.run_id = r.id and t.status = 'failed'
      join test_cases c on c.project_id = ${projectId} and c.number = t.case_number and c.priority = 'critical'
      where r.failed_count > 0
    ), recent as (
      select count(*) as executed
      from linked r
      join test_results t on t.project_id = ${projectId} and t.run_id = r.id and t.status <> 'not_tested'
        and t.tested_at > now() - make_interval(days => ${paceDays}::int)
    )
    select counted.*, critical.failed_critical, recent.executed
    from milestones m, counted, critical, recent
    where m.project_id = ${projectId} and m.id = ${id}`.execute(db)
  return rows[0]
}
