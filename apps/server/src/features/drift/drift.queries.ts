import { MAX_DRIFT } from '@caseward/contract/drift'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import { IS_SETTLED } from '../evaluation/evaluated-run.queries.ts'

/*
 * No statement reads outcomes: tests know when they were seen last. What runs say is read first, because these stay on the
 * coordinator.
 */

/** A test that was not seen for longer is gone, and one that is known for longer is not new. */
const QUIET_DAYS = 7
/** Runs of its series without it that a gone test needs. */
const MISSED_RUNS = 10
const SAME_TITLE_DAYS = 30

/** The last part of the name of `tests t`: the titles of the blocks around it come before. */
const lastTitle = (alias: string) => sql.raw(`regexp_replace(${alias}.name, '^.*\\s+[>›»]\\s+', '')`)

export interface DriftRow {
  test_ids: string[]
  case_number: number | null
  case_title: string | null
  last_seen_on: string | null
  series: string | null
  similarity: number | null
  count: number | null
}

/** More series than these are no suites, but names made up by builds. */
const MAX_SERIES = 1000
/** A series in whose newest runs are no more reports is one of runs by hand. */
const MAX_RUNS = 5000

/** What the newest settled runs of a series say of when its tests are gone. */
export interface NewestRuns {
  series: string
  /** How many they are; no more than a gone test needs. */
  count: number
  /** The day of the oldest of them. */
  since: string
  /** A test that was seen before is gone, if they are as many as it needs. */
  goneBefore: string
}

/** Selects the newest settled runs of each series, each by an index, however many runs the project has. */
export async function selectNewestRuns(db: Database, projectId: string, now: Date): Promise<NewestRuns[]> {
  const { rows } = await sql<NewestRuns>`${plannedAnew}
    with recursive names as (
      (select series from runs where project_id = ${projectId} order by series limit 1)
      union all
      select (
        select series from runs where project_id = ${projectId} and series > names.series order by series limit 1
      ) from names where names.series is not null
    )
    select names.series, newest.count, newest.since::text as since,
      least(newest.since, (${now}::timestamptz at time zone 'utc')::date - ${sql.lit(QUIET_DAYS)}::int)::text as "goneBefore"
    from (select series from names where series is not null limit ${sql.lit(MAX_SERIES)}) names cross join lateral (
      select count(*)::int as count, min((created_at at time zone 'utc')::date) as since from (
        select runs.created_at from (
          select * from runs where project_id = ${projectId} and series = names.series order by id desc limit ${sql.lit(MAX_RUNS)}
        ) runs join projects p on p.id = runs.project_id
        where runs.is_trusted and not runs.is_imported and runs.passed_test_count + runs.failed_test_count > 0
          and ${sql.raw(IS_SETTLED)}
        order by runs.id desc limit ${sql.lit(MISSED_RUNS)}
      ) settled
    ) newest where newest.count > 0`.execute(db)
  return rows
}

const areEnough = ({ count }: NewestRuns): boolean => count >= MISSED_RUNS

/** The day of the first settled run, if no series has enough of them to miss a test in; null else. */
export const findTooEarlySince = (newest: readonly NewestRuns[]): string | null =>
  newest.some(areEnough) ? null : (newest.map(({ since }) => since).toSorted()[0] ?? null)

const isGone = (projectId: string, newest: readonly NewestRuns[]) => sql`
  from tests t
  join unnest(
    ${newest.filter(areEnough).map(({ series }) => series)}::text[],
    ${newest.filter(areEnough).map(({ goneBefore }) => goneBefore)}::date[]
  ) as gone(series, before) on gone.series = t.last_series
  join test_links l on l.project_id = ${projectId} and l.test_id = t.id
  join test_cases c on c.project_id = ${projectId} and c.number = l.case_number and c.archived_at is null
  where t.project_id = ${projectId} and t.last_seen_on < gone.before`

/** Linked tests that do not run any more. */
export async function selectGone(db: Database, projectId: string, newest: readonly NewestRuns[]): Promise<DriftRow[]> {
  const { rows } = await sql<DriftRow>`${plannedAnew}
    select array[t.id] as test_ids, min(c.number) as case_number, min(c.title) as case_title,
      t.last_seen_on::text, t.last_series as series, null::float8 as similarity, null::int as count
    ${isGone(projectId, newest)}
    group by t.id, t.last_seen_on, t.last_series
    order by t.last_seen_on, t.id limit ${sql.lit(MAX_DRIFT)}`.execute(db)
  return rows
}

/** Tests without a test case that have run for a while. */
export async function selectUnmatched(db: Database, projectId: string, now: Date): Promise<DriftRow[]> {
  const { rows } = await sql<DriftRow>`${plannedAnew}
    select array[t.id] as test_ids, null::int as case_number, null as case_title, t.last_seen_on::text,
      t.last_series as series, null::float8 as similarity, null::int as count
    from tests t
    where t.project_id = ${projectId} and ${wasSeen('t', now)}
      and t.created_at < ${now}::timestamptz - make_interval(days => ${sql.lit(QUIET_DAYS)})
      and not exists (select from test_links l where l.project_id = ${projectId} and l.test_id = t.id)
    order by t.created_at, t.id limit ${sql.lit(MAX_DRIFT)}`.execute(db)
  return rows
}

const wasSeen = (alias: string, now: Date) =>
  sql`${sql.ref(`${alias}.last_seen_on`)} >= (${now}::timestamptz at time zone 'utc')::date - ${sql.lit(QUIET_DAYS)}::int`

/** A test case that tests may belong to. */
export interface SimilarCase {
  test_id: string
  case_number: number
  case_title: string
  similarity: number
}

/** Selects for tests the test case with the most similar title, if one is similar enough. */
export async function selectSimilarCases(
  db: Database,
  projectId: string,
  testIds: readonly string[],
): Promise<Map<string, SimilarCase>> {
  const { rows } = await sql<SimilarCase>`${plannedAnew}
    select t.id as test_id, similar_case.number as case_number, similar_case.title as case_title, similar_case.similarity
    from tests t cross join lateral (
      select c.number, c.title, similarity(c.title, ${lastTitle('t')})::float8 as similarity from test_cases c
      where c.project_id = ${projectId} and c.archived_at is null and c.title % ${lastTitle('t')}
      order by similarity desc, c.number limit 1
    ) similar_case
    where t.project_id = ${projectId} and t.id = any(${[...testIds]}::uuid[]) and similar_case.similarity >= 0.6`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.test_id, row]))
}

/** Test cases whose id is in tests of several places. Parameters at the end of a suite, and variants, make no other place. */
export async function selectTwice(db: Database, projectId: string, now: Date): Promise<DriftRow[]> {
  const { rows } = await sql<DriftRow>`${plannedAnew}
    select (array_agg(t.id order by t.id))[1:10] as test_ids, c.number as case_number, c.title as case_title,
      null as last_seen_on, null as series, null::float8 as similarity,
      count(distinct (t.module, t.file, regexp_replace(t.suite, '\\s*(\\[[^\\]]*\\]|\\([^)]*\\))$', '')))::int as count
    from test_links l
    join tests t on t.project_id = ${projectId} and t.id = l.test_id
    join test_cases c on c.project_id = ${projectId} and c.number = l.case_number and c.archived_at is null
    where l.project_id = ${projectId} and l.source = 'id' and ${wasSeen('t', now)}
    group by c.number, c.title
    having count(distinct (t.module, t.file, regexp_replace(t.suite, '\\s*(\\[[^\\]]*\\]|\\([^)]*\\))$', ''))) > 1
    order by c.number limit ${sql.lit(MAX_DRIFT)}`.execute(db)
  return rows
}

/** More new tests than these are an import, and no moves. */
const MAX_APPEARED = 1000

/** Pairs of a gone test and one that appeared about then, the most similar first. */
export async function selectMovedPairs(
  db: Database,
  projectId: string,
  newest: readonly NewestRuns[],
): Promise<(DriftRow & { test_ids: [string, string] })[]> {
  const { rows } = await sql<DriftRow & { test_ids: [string, string] }>`${plannedAnew}
    with gone as materialized (
      select t.id, min(c.number) as number, min(c.title) as title, t.last_seen_on, t.last_series, ${lastTitle('t')} as last_title
      ${isGone(projectId, newest)}
        and not exists (select from tests later where later.project_id = ${projectId} and later.continues_id = t.id)
      group by t.id, t.name, t.last_seen_on, t.last_series
      order by t.last_seen_on desc, t.id limit ${sql.lit(MAX_DRIFT)}
    ), appeared as materialized (
      select n.id, n.last_series, n.last_seen_on, (n.created_at at time zone 'utc')::date as day, ${lastTitle('n')} as last_title
      from tests n
      where n.project_id = ${projectId} and n.continues_id is null and n.last_seen_on is not null
        and n.created_at >= (select min(last_seen_on) from gone) - interval '8 days'
      order by n.created_at desc limit ${sql.lit(MAX_APPEARED)}
    ), pairs as (
      select gone.*, n.id as new_id, case when n.last_title = gone.last_title then 1
        -- Titles of so different lengths cannot be similar enough.
        when length(n.last_title) not between 0.6 * length(gone.last_title) and 1.7 * length(gone.last_title) then 0
        else similarity(n.last_title, gone.last_title) end::float8 as similarity
      from gone join appeared n on n.last_series = gone.last_series and n.id <> gone.id
        and n.last_seen_on > gone.last_seen_on and abs(n.day - gone.last_seen_on) <= ${sql.lit(QUIET_DAYS)}
    )
    select array[id, new_id] as test_ids, number as case_number, title as case_title, last_seen_on::text, last_series as series,
      similarity, null::int as count
    from pairs where similarity >= 0.8 order by similarity desc, last_seen_on, id, new_id`.execute(db)
  return rows
}

/** Tests with the id of a test case, and another title. */
export async function selectOtherTitles(db: Database, projectId: string, now: Date): Promise<DriftRow[]> {
  const { rows } = await sql<DriftRow>`${plannedAnew}
    select array[test_id] as test_ids, number as case_number, title as case_title, last_seen_on::text, series, similarity,
      null::int as count
    from (
      select t.id as test_id, t.created_at, t.last_seen_on, t.last_series as series, c.number, c.title,
        similarity(c.title, ${lastTitle('t')})::float8 as similarity
      from test_links l
      join tests t on t.project_id = ${projectId} and t.id = l.test_id
      join test_cases c on c.project_id = ${projectId} and c.number = l.case_number and c.archived_at is null
      where l.project_id = ${projectId} and l.source = 'id' and ${wasSeen('t', now)}
        and greatest(t.created_at, c.created_at) < ${now}::timestamptz - make_interval(days => ${sql.lit(SAME_TITLE_DAYS)})
    ) linked
    where similarity < 0.3 order by created_at, test_id limit ${sql.lit(MAX_DRIFT)}`.execute(db)
  return rows
}

/** Runs that are looked at for what is tested by hand, and how many results of them. */
const RECENT_RUNS = 100
const MAX_RESULTS = 200_000
const MIN_EXECUTIONS = 5

/** Test cases without a test that are often executed. */
export async function selectByHand(db: Database, projectId: string): Promise<DriftRow[]> {
  const { rows: runs } = await sql<{ id: string; size: number }>`
    select id, passed_count + failed_count + blocked_count + retest_count + not_tested_count as size from runs
    where project_id = ${projectId} order by id desc limit ${sql.lit(RECENT_RUNS)}`.execute(db)
  let results = 0
  const chosen = runs.filter(({ size }, index) => {
    results += size
    return index === 0 || results <= MAX_RESULTS
  })
  const { rows } = await sql<DriftRow>`${plannedAnew}
    select array[]::uuid[] as test_ids, c.number as case_number, c.title as case_title, null as last_seen_on, null as series,
      null::float8 as similarity, executed.count
    from (
      select r.case_number, count(*)::int as count from test_results r
      where r.project_id = ${projectId} and r.run_id = any(${chosen.map(({ id }) => id)}::uuid[])
        and r.status in ('passed', 'failed') and r.case_number is not null
      group by r.case_number having count(*) >= ${sql.lit(MIN_EXECUTIONS)}
    ) executed
    join test_cases c on c.project_id = ${projectId} and c.number = executed.case_number and c.archived_at is null
    where not exists (select from test_links l where l.project_id = ${projectId} and l.case_number = c.number)
    order by executed.count desc, c.number limit ${sql.lit(MAX_DRIFT)}`.execute(db)
  return rows
}
