import type { FlakeKind, Stability } from '@caseward/contract/stability'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import { IS_SETTLED } from '../evaluation/evaluated-run.queries.ts'
import { type BaseOutcome, QUIET_EXECUTIONS, type QuietPeriod, WINDOW_DAYS } from './derive-stability.ts'

/** The newest runs that commits are counted over. */
const MAX_RUNS = 500
/** The newest base runs of each series that tests are looked for in. */
export const BASE_RUNS_PER_SERIES = 20
/** Flake events are kept for so long. */
const EVENT_DAYS = 400

/** A run that says something of the test: of a fork, or when nearly everything failed, it does not. */
const COUNTS = sql.raw('r.is_trusted and not r.is_imported and r.excluded is null')

export interface FlakeEventRow {
  test_id: string
  kind: FlakeKind
  commit_key: string
  run_id: string
  other_run_id: string | null
  signature: string | null
  at: Date
}

/** Selects the flake events of tests, the newest first. */
export async function selectFlakeEvents(
  db: Database,
  projectId: string,
  testIds: readonly string[],
  now: Date,
): Promise<FlakeEventRow[]> {
  const { rows } = await sql<FlakeEventRow>`
    select test_id, kind, commit_key, run_id, other_run_id, signature, at from flake_events
    where project_id = ${projectId} and test_id = any(${[...testIds]}::uuid[])
      and at > ${now}::timestamptz - make_interval(days => ${sql.lit(EVENT_DAYS)})
    order by at desc, run_id desc`.execute(db)
  return rows
}

/**
 * Counts the commits of the window on which tests were executed. A run without a commit is one of its own. The runs are chosen
 * first: then each test costs one look into the primary key for each of them.
 */
export async function countCommits(
  db: Database,
  projectId: string,
  testIds: readonly string[],
  now: Date,
): Promise<Map<string, number>> {
  if (testIds.length === 0) return new Map()
  const { rows } = await sql<{ test_id: string; count: number }>`${plannedAnew}
    with newest as materialized (
      select r.id, coalesce(r.commit_sha || coalesce(' ' || r.target, ''), r.id::text) as commit_key
      from runs r
      where r.project_id = ${projectId} and ${COUNTS} and r.created_at <= ${now}
        and r.created_at > ${now}::timestamptz - make_interval(days => ${sql.lit(WINDOW_DAYS)})
      order by r.id desc limit ${sql.lit(MAX_RUNS)}
    )
    select o.test_id, count(distinct newest.commit_key)::int as count
    from newest join test_outcomes o on o.project_id = ${projectId} and o.run_id = newest.id
    where o.test_id = any(${[...testIds]}::uuid[]) and o.status in ('passed', 'failed')
    group by o.test_id`.execute(db)
  return new Map(rows.map(({ test_id: testId, count }) => [testId, count]))
}

/** A period in which a test did not flake. */
export interface TestPeriod extends QuietPeriod {
  readonly testId: string
}

/**
 * Counts in how many runs tests were executed within periods, as far as that matters, in the order of the periods. The runs are
 * chosen in a query of their own, which Citus requires of tables that are not distributed.
 */
export async function countExecutions(
  db: Database,
  projectId: string,
  periods: readonly TestPeriod[],
): Promise<number[]> {
  if (periods.length === 0) return []
  const { rows } = await sql<{ count: number }>`${plannedAnew}
    with period as materialized (
      select test_id, place, array(
        select r.id from runs r
        where r.project_id = ${projectId} and ${COUNTS} and r.created_at > since and r.created_at < until
        order by r.id desc limit ${sql.lit(MAX_RUNS)}
      ) as run_ids
      from unnest(
        ${periods.map(({ testId }) => testId)}::uuid[], ${periods.map(({ from }) => from)}::timestamptz[],
        ${periods.map(({ to }) => to)}::timestamptz[]
      ) with ordinality as listed (test_id, since, until, place)
    )
    select (
      select count(*)::int from (
        select from test_outcomes o
        where o.project_id = ${projectId} and o.run_id = any(period.run_ids) and o.test_id = period.test_id
          and o.status in ('passed', 'failed')
        limit ${sql.lit(QUIET_EXECUTIONS)}
      ) executed
    ) as count
    from period order by period.place`.execute(db)
  return rows.map(({ count }) => count)
}

/** An outcome in a base run of the default branch. */
export interface BaseOutcomeRow extends BaseOutcome {
  readonly runId: string
}

/** Selects the outcomes of tests in the newest base runs of the default branch in which they were executed, the newest first. */
export async function selectBaseOutcomes(
  db: Database,
  projectId: string,
  { defaultBranch, testIds }: { defaultBranch: string | null; testIds: readonly string[] },
): Promise<Map<string, BaseOutcomeRow[]>> {
  if (testIds.length === 0 || defaultBranch === null) return new Map()
  const { rows } = await sql<{ test_id: string; run_ids: string[]; failed: boolean[]; flaky: boolean[] }>`${plannedAnew}
    with base as materialized (
      select id from (
        select runs.id, row_number() over (partition by runs.series order by runs.id desc) as place
        from (
          select * from runs
          where project_id = ${projectId} and branch = ${defaultBranch} and pull_request is null
            and is_trusted and not is_imported and excluded is null
          order by id desc limit ${sql.lit(MAX_RUNS)}
        ) runs join projects p on p.id = runs.project_id
        where ${sql.raw(IS_SETTLED)}
      ) newest
      where place <= ${sql.lit(BASE_RUNS_PER_SERIES)}
    )
    select o.test_id, array_agg(base.id::text order by base.id desc) as run_ids,
      array_agg(o.status = 'failed' order by base.id desc) as failed,
      array_agg(o.is_flaky order by base.id desc) as flaky
    from base join test_outcomes o on o.project_id = ${projectId} and o.run_id = base.id
    where o.test_id = any(${[...testIds]}::uuid[]) and o.status in ('passed', 'failed')
    group by o.test_id`.execute(db)
  return new Map(
    rows.map(({ test_id: testId, run_ids: runIds, failed, flaky }) => [
      testId,
      runIds.map((runId, index) => ({
        runId,
        hasFailed: failed[index] === true,
        isFlaky: flaky[index] === true,
      })),
    ]),
  )
}

/** What is stored of a test that is not stable, or was not lately. */
export interface UnstableTest {
  test_id: string
  stability: Stability
  since: Date
  flake_commits: number
  commits: number
  score: number
  last_event_at: Date | null
  consecutive_failures: number
  first_failing_run_id: string | null
}

export async function selectUnstableTests(
  db: Database,
  projectId: string,
  testIds: readonly string[],
): Promise<Map<string, UnstableTest>> {
  const { rows } = await sql<UnstableTest>`
    select test_id, stability, since, flake_commits, commits, score, last_event_at, consecutive_failures, first_failing_run_id
    from unstable_tests where project_id = ${projectId} and test_id = any(${[...testIds]}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.test_id, row]))
}

/** Stores what tests are. Tests that were deleted meanwhile are left out. */
export async function saveUnstableTests(
  tx: Database,
  projectId: string,
  tests: readonly UnstableTest[],
  now: Date,
): Promise<void> {
  if (tests.length === 0) return
  await sql`
    insert into unstable_tests (
      project_id, test_id, stability, since, flake_commits, commits, score, last_event_at, consecutive_failures,
      first_failing_run_id, updated_at
    )
    select ${projectId}::uuid, t.id, row.stability, row.since, row.flake_commits, row.commits, row.score, row.last_event_at,
      row.consecutive_failures, row.first_failing_run_id, ${now}
    from json_to_recordset(${JSON.stringify(tests)}) as row (
      test_id uuid, stability stability, since timestamptz, flake_commits integer, commits integer, score smallint,
      last_event_at timestamptz, consecutive_failures smallint, first_failing_run_id uuid
    )
    join tests t on t.project_id = ${projectId} and t.id = row.test_id
    order by t.id
    on conflict (project_id, test_id) do update set stability = excluded.stability, since = excluded.since,
      flake_commits = excluded.flake_commits, commits = excluded.commits, score = excluded.score,
      last_event_at = excluded.last_event_at, consecutive_failures = excluded.consecutive_failures,
      first_failing_run_id = excluded.first_failing_run_id, updated_at = excluded.updated_at`.execute(tx)
}
