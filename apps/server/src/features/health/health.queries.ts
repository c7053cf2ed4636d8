import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import type { CountedDay, JobUpload } from './days.ts'

/** Selects what was counted on days. */
export async function selectCountedDays(
  db: Database,
  projectId: string,
  days: readonly string[],
): Promise<CountedDay[]> {
  const { rows } = await sql<CountedDay>`
    select day::text, flaky_count as flaky, quarantined_count as quarantined, is_limited
    from insight_days where project_id = ${projectId} and day = any(${[...days]}::date[])`.execute(db)
  return rows
}

const MAX_JOB_UPLOADS = 20_000

/** Selects the uploads of jobs in runs since a time in which a test flaked, of jobs with several build attempts. */
export async function selectJobUploads(
  db: Database,
  projectId: string,
  { from, series }: { from: Date; series: string | undefined },
): Promise<JobUpload[]> {
  const { rows } = await sql<JobUpload>`
    select u.run_id, u.job, u.build_attempt, u.failed_count, u.elapsed_ms, u.is_excluded, u.uploaded_at as at,
      json_build_array(u.instance, u.shard, u.variant, u.report)::text as source
    from (
      select id from runs
      where project_id = ${projectId} and created_at >= ${from} and is_trusted and flaky_test_count > 0 and not is_imported
        ${series === undefined ? sql`` : sql`and series = ${series}`}
      order by created_at desc
    ) r
    join run_uploads u on u.project_id = ${projectId} and u.run_id = r.id
    where u.build_attempt is not null and exists (
      select from run_uploads other
      where other.project_id = ${projectId} and other.run_id = u.run_id and other.job = u.job
        and other.build_attempt <> u.build_attempt
    )
    order by u.uploaded_at desc, u.number desc limit ${sql.lit(MAX_JOB_UPLOADS)}`.execute(db)
  return rows.toReversed()
}

const DAYS_UNTIL_NOT_RUN = 14

export interface AutomationRow {
  folder_id: string | null
  name: string
  passing: number
  failing: number
  not_run: number
  by_hand: number
}

/**
 * Counts the test cases that are not archived by the folder at the top, those without a folder last. A new test has run,
 * even before the job of each hour has stored when.
 * @param failing the tests that failed when they were executed last
 */
export async function countAutomation(
  db: Database,
  projectId: string,
  failing: readonly string[],
  now: Date,
): Promise<AutomationRow[]> {
  const { rows } = await sql<AutomationRow>`${plannedAnew}
    with recursive tree as (
      select id, id as top from folders where project_id = ${projectId} and parent_id is null
      union all
      select f.id, tree.top from tree join folders f on f.project_id = ${projectId} and f.parent_id = tree.id
    ), automated as materialized (
      select l.case_number, bool_or(t.id = any(${[...failing]}::uuid[])) as is_failing,
        coalesce(max(greatest(t.last_seen_on, (t.created_at at time zone 'utc')::date)) >= (${now}::timestamptz at time zone 'utc')::date - ${sql.lit(DAYS_UNTIL_NOT_RUN)}::int, false) as has_run
      from test_links l join tests t on t.project_id = ${projectId} and t.id = l.test_id
      where l.project_id = ${projectId} group by l.case_number
    )
    select tree.top as folder_id, coalesce(min(f.name), '') as name,
      count(*) filter (where a.has_run and not a.is_failing)::int as passing,
      count(*) filter (where a.has_run and a.is_failing)::int as failing,
      count(*) filter (where not a.has_run)::int as not_run,
      count(*) filter (where a.case_number is null)::int as by_hand
    from test_cases c
    left join tree on tree.id = c.folder_id
    left join folders f on f.project_id = ${projectId} and f.id = tree.top
    left join automated a on a.case_number = c.number
    where c.project_id = ${projectId} and c.archived_at is null
    group by tree.top order by tree.top is null, min(f.position), min(f.name)`.execute(db)
  return rows
}
