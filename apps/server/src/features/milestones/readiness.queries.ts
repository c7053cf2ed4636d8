import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { CASE_KEY, COUNTED_FIRST } from '../reruns/combined-results.queries.ts'
import { resultCount, testedCount } from '../runs/run-counts.ts'
import type { ReadinessCounts } from './milestone-readiness.ts'

const caseKey = sql.raw(CASE_KEY)

/** The runs of a milestone and of its sub-milestones. */
export const selectRunsOfMilestone = (projectId: string, id: string) => sql`
  select r.* from milestones m join runs r on r.project_id = m.project_id and r.milestone_id = m.id
  where m.project_id = ${projectId} and (m.id = ${id} or m.parent_id = ${id})`

/**
 * Counts the results of the runs of a milestone and of its sub-milestones: a test case that was tested again in a rerun counts
 * once. Undefined when there is no such milestone. Statuses come from the counters of the runs; results are read only for
 * what the counters do not know.
 */
export async function selectReadinessCounts(
  db: Database,
  projectId: string,
  id: string,
  paceDays: number,
): Promise<ReadinessCounts | undefined> {
  if (!isUuid(id)) return undefined
  const { rows } = await sql<ReadinessCounts>`
    with linked as materialized (${selectRunsOfMilestone(projectId, id)}), chains as materialized (
      select coalesce(r.root_run_id, r.id) as root from linked r group by 1 having count(*) > 1
    ), alone as materialized (
      select r.* from linked r where coalesce(r.root_run_id, r.id) not in (select root from chains)
    ), counted as (
      select coalesce(sum(${testedCount}), 0) as tested, coalesce(sum(${resultCount}), 0) as total,
        coalesce(sum(r.failed_count), 0) as failed, coalesce(sum(r.blocked_count), 0) as blocked
      from alone r
    ), critical as (
      select count(*) as failed_critical
      from alone r
      join test_results t on t.project_id = ${projectId} and t.run_id = r.id and t.status = 'failed'
      join test_cases c on c.project_id = ${projectId} and c.number = t.case_number and c.priority = 'critical'
      where r.failed_count > 0
    ), recent as (
      select count(*) as executed
      from alone r
      join test_results t on t.project_id = ${projectId} and t.run_id = r.id and t.status <> 'not_tested'
        and t.tested_at > now() - make_interval(days => ${paceDays}::int)
    ), newest as (
      select distinct on (chains.root, ${caseKey}) t.status, t.tested_at, t.case_number
      from chains
      join linked r on coalesce(r.root_run_id, r.id) = chains.root
      join test_results t on t.project_id = ${projectId} and t.run_id = r.id
      order by chains.root, ${caseKey}, ${sql.raw(COUNTED_FIRST)}
    ), chained as (
      select count(*) filter (where t.status <> 'not_tested') as tested, count(*) as total,
        count(*) filter (where t.status = 'failed') as failed, count(*) filter (where t.status = 'blocked') as blocked,
        count(*) filter (where t.status = 'failed' and c.priority = 'critical') as failed_critical,
        count(*) filter (
          where t.status <> 'not_tested' and t.tested_at > now() - make_interval(days => ${paceDays}::int)
        ) as executed
      from newest t
      left join test_cases c on c.project_id = ${projectId} and c.number = t.case_number
    )
    select counted.tested + chained.tested as tested, counted.total + chained.total as total,
      counted.failed + chained.failed as failed, counted.blocked + chained.blocked as blocked,
      critical.failed_critical + chained.failed_critical as failed_critical,
      recent.executed + chained.executed as executed, (select min(created_at) from linked) as first_run_at
    from milestones m, counted, critical, recent, chained
    where m.project_id = ${projectId} and m.id = ${id}`.execute(db)
  return rows[0]
}
