import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { lookUpEach, plannedAnew } from '../../platform/database/plans.ts'

const DAYS = 30
/** Retries repeat what failed: a few failures of some runs show whether there are any, however many there are. */
const RUNS = 200
const FAILURES_PER_RUN = 20

/**
 * Whether a test was attempted again after a failure in the last 30 days, or a commit was run twice. Without either, no test can
 * be found to be flaky.
 */
export async function hasRepetitions(db: Database, projectId: string): Promise<boolean> {
  const since = sql`now() - make_interval(days => ${sql.lit(DAYS)})`
  const { rows: commits } = await sql`
    select from runs where project_id = ${projectId} and commit_sha is not null and created_at > ${since}
    group by commit_sha, target, series having count(*) > 1 limit 1`.execute(db)
  if (commits.length > 0) return true
  const { rows: newest } = await sql<{ id: string }>`
    select id from runs where project_id = ${projectId} and created_at > ${since} order by id desc limit ${sql.lit(RUNS)}`.execute(
    db,
  )
  const { rows: attempts } = await sql`${plannedAnew}
    select from unnest(${newest.map(({ id }) => id)}::uuid[]) as newest(run_id)
    cross join lateral (
      select test_id from test_failures where project_id = ${projectId} and run_id = newest.run_id
      limit ${sql.lit(FAILURES_PER_RUN)}
    ) f
    cross join lateral (
      select attempt_count from test_outcomes
      where project_id = ${projectId} and run_id = newest.run_id and test_id = f.test_id ${lookUpEach}
    ) o
    where o.attempt_count > 1 limit 1`.execute(db)
  return attempts.length > 0
}
