import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { IS_SETTLED } from '../evaluation/evaluated-run.queries.ts'

/** A settled run of a branch without a pull request, with at least one executed test. */
export interface BaseRun {
  id: string
  name: string
  series: string
  commit: string | null
  created_at: Date
  /** Null for a run that is compared with others, and makes tests flaky. */
  excluded: 'mass_failure' | 'by_hand' | null
  executed: number
  passed: number
  /** Failures and suite errors that block; of a run that was not evaluated, all of them. */
  blocking: number
  /** How long its tests took together; null if no report says it. */
  test_ms: number | null
  /** From its first to its last upload; null without one. */
  clock_ms: number | null
}

/** Which base runs are selected. */
export interface BaseRunFilter {
  /** Null if it is unknown: then there is none. */
  branch: string | null
  series?: string | undefined
  from: Date
  until?: Date | undefined
  /** Whether runs that are no base are selected, too. */
  withExcluded?: boolean
  limit: number
}

/** What says that a run may be compared with others, but for its exclusion. */
const isBase = (projectId: string, branch: string) => sql`
  runs.project_id = ${projectId} and runs.branch = ${branch} and runs.pull_request is null and runs.is_trusted
    and not runs.is_imported and runs.passed_test_count + runs.failed_test_count > 0 and ${sql.raw(IS_SETTLED)}`

/** Older base runs say nothing about a branch. */
const MAX_BASE_DAYS = 14

/** Selects the newest base run of each suite that was evaluated. */
export async function selectNewestBaseRuns(db: Database, projectId: string, branch: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct on (runs.series) runs.id from runs join projects p on p.id = runs.project_id
    where ${isBase(projectId, branch)} and runs.excluded is null and runs.evaluated_at is not null
      and runs.created_at > now() - make_interval(days => ${sql.lit(MAX_BASE_DAYS)})
    order by runs.series, runs.created_at desc, runs.id desc`.execute(db)
  return rows.map(({ id }) => id)
}

/** Selects the base runs of a branch, the newest first. */
export async function selectBaseRuns(
  db: Database,
  projectId: string,
  { branch, series, from, until, withExcluded = false, limit }: BaseRunFilter,
): Promise<BaseRun[]> {
  if (branch === null) return []
  const { rows } = await sql<BaseRun>`
    select runs.id, runs.name, runs.series, runs.commit_sha as commit, runs.created_at, runs.excluded,
      coalesce((runs.evaluation ->> 'executed_count')::int, runs.passed_test_count + runs.failed_test_count) as executed,
      runs.passed_test_count as passed,
      coalesce((runs.evaluation ->> 'blocking_count')::int, runs.failed_test_count) + runs.suite_error_count as blocking,
      (runs.evaluation ->> 'test_ms')::bigint as test_ms,
      (
        select (extract(epoch from max(u.uploaded_at) - min(u.uploaded_at)) * 1000)::bigint
        from run_uploads u where u.project_id = ${projectId} and u.run_id = runs.id
      ) as clock_ms
    from runs join projects p on p.id = runs.project_id
    where ${isBase(projectId, branch)} and runs.created_at >= ${from}
      ${until === undefined ? sql`` : sql`and runs.created_at < ${until}`}
      ${series === undefined ? sql`` : sql`and runs.series = ${series}`}
      ${withExcluded ? sql`` : sql`and runs.excluded is null`}
    order by runs.created_at desc, runs.id desc limit ${limit}`.execute(db)
  return rows
}
