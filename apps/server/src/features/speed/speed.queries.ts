import { MAX_SLOW_TESTS, MIN_SPEED_VALUES, RECENT_SPEED_RUNS, type SpeedKind } from '@caseward/contract/speed'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'

/** How much longer a test must take, and how much more that is in milliseconds. */
const CHANGED = { ratio: 1.5, ms: 500 }

export interface SpeedRow {
  test_id: string
  median_ms: number
  p95_ms: number
  share: number
  now_ms: number | null
  before_ms: number | null
  runs: number
  kind: SpeedKind
  total: number
}

const hasChanged = (slower: string, faster: string) =>
  sql.raw(`recent >= ${MIN_SPEED_VALUES.recent} and earlier >= ${MIN_SPEED_VALUES.before}
    and ${slower} >= ${CHANGED.ratio} * ${faster} and ${slower} - ${faster} >= ${CHANGED.ms}`)

const MEDIAN = sql.raw('percentile_cont(0.5) within group (order by o.elapsed_ms)')
const [IS_RECENT, IS_EARLIER] = ['<=', '>'].map((operator) => sql.raw(`run.place ${operator} ${RECENT_SPEED_RUNS}`))

/**
 * Selects the slow, the slower and the faster tests of runs: those that come first of each kind, with the number of all.
 * @param runIds the newest first
 */
export async function selectSpeed(db: Database, projectId: string, runIds: readonly string[]): Promise<SpeedRow[]> {
  const { rows } = await sql<SpeedRow>`${plannedAnew}
    with stats as materialized (
      select o.test_id, ${MEDIAN} as median_ms, percentile_cont(0.95) within group (order by o.elapsed_ms) as p95_ms,
        sum(o.elapsed_ms) as elapsed, count(*)::int as runs,
        ${MEDIAN} filter (where ${IS_RECENT}) as now_ms, count(*) filter (where ${IS_RECENT}) as recent,
        ${MEDIAN} filter (where ${IS_EARLIER}) as before_ms, count(*) filter (where ${IS_EARLIER}) as earlier
      from unnest(${[...runIds]}::uuid[]) with ordinality as run(id, place)
      join test_outcomes o on o.project_id = ${projectId} and o.run_id = run.id
      where o.project_id = ${projectId} and o.status = 'passed' and o.elapsed_ms is not null
      group by o.test_id
    ), listed as (
      select 'slow' as kind, stats.*, row_number() over (order by median_ms desc, test_id) as place, count(*) over () as total
      from stats
      union all
      select 'slower', stats.*, row_number() over (order by now_ms - before_ms desc, test_id), count(*) over ()
      from stats where ${hasChanged('now_ms', 'before_ms')}
      union all
      select 'faster', stats.*, row_number() over (order by before_ms - now_ms desc, test_id), count(*) over ()
      from stats where ${hasChanged('before_ms', 'now_ms')}
    )
    select kind, total::int as total, test_id, round(median_ms)::int as median_ms, round(p95_ms)::int as p95_ms,
      (elapsed / greatest((select sum(elapsed) from stats), 1))::float8 as share,
      round(now_ms)::int as now_ms, round(before_ms)::int as before_ms, runs
    from listed where place <= ${sql.lit(MAX_SLOW_TESTS)} order by kind, place`.execute(db)
  return rows
}
