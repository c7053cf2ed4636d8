import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { resultCount } from '../runs/run-counts.ts'
import type { BurnUpCounts } from './burn-up.ts'
import { selectRunsOfMilestone } from './readiness.queries.ts'

/**
 * Counts the tested results of the runs of a milestone and of its sub-milestones by quarter of an hour: every time zone
 * begins its days at one. Undefined when there is no such milestone.
 */
export async function selectBurnUpCounts(
  db: Database,
  projectId: string,
  id: string,
): Promise<BurnUpCounts | undefined> {
  if (!isUuid(id)) return undefined
  const { rows } = await sql<{ total: number; times: BurnUpCounts['times'] | null }>`
    with linked as materialized (${selectRunsOfMilestone(projectId, id)}), quarters as (
      select extract(epoch from date_bin('15 minutes', t.tested_at, timestamptz 'epoch'))::float8 * 1000 as at,
        count(*) as executed, count(*) filter (where t.status = 'failed') as failed
      from linked r cross join lateral (
        select tested_at, status from test_results
        where project_id = ${projectId} and run_id = r.id and status <> 'not_tested' and tested_at is not null
      ) t
      group by 1
    )
    select (select coalesce(sum(${resultCount}), 0) from linked)::int as total,
      (select json_agg(json_build_array(at, executed, failed) order by at) from quarters) as times
    from milestones where project_id = ${projectId} and id = ${id}`.execute(db)
  const [row] = rows
  return row === undefined ? undefined : { total: row.total, times: row.times ?? [] }
}
