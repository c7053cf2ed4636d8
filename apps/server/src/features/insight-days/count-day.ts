import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { groupBy } from '../../platform/group-by.ts'
import { findDefaultBranch } from '../build-data/build-data.queries.ts'
import { median } from './figures.ts'
import { type BaseRun, selectBaseRuns } from './base-runs.queries.ts'

const DAY_MS = 86_400_000
/** More base runs of one day are left out of its figures by series. */
const MAX_RUNS_OF_DAY = 1000

/** The base runs of one series on one day. */
export interface SeriesOfDay {
  base_runs: number
  executed: number
  passed: number
  /** Median of how long the tests of a run took together; null if no run says it. */
  median_ms: number | null
}

const toDay = (at: number): string => new Date(at).toISOString().slice(0, 10)

/**
 * Counts what cannot be counted later: how many tests are flaky, suspect, broken and quarantined today, and how many test cases are
 * automated. What runs say of yesterday is counted again, because they are settled later.
 */
export async function countDay(db: Database, projectId: string, now: Date): Promise<void> {
  const today = toDay(now.getTime())
  const yesterday = toDay(now.getTime() - DAY_MS)
  const { branch } = await findDefaultBranch(db, projectId)
  const counts = { ...(await countTests(db, projectId)), ...(await countCases(db, projectId)) }
  await sql`
    insert into insight_days as d (
      project_id, day, flaky_count, suspect_count, broken_count, quarantined_count, automated_case_count, case_count, is_limited,
      series
    )
    select p.id, ${today}::date, ${counts.flaky}::int, ${counts.suspect}::int, ${counts.broken}::int, (
        select count(*) from quarantines q where q.project_id = p.id and q.ended_at is null and q.expires_at > now()
      ), ${counts.automated}::int, p.test_case_count, p.auto_quarantine_limited_at is not null,
      ${JSON.stringify(await countSeries(db, projectId, branch, today))}::json
    from projects p where p.id = ${projectId}
    on conflict (project_id, day) do update set flaky_count = excluded.flaky_count, suspect_count = excluded.suspect_count,
      broken_count = excluded.broken_count, quarantined_count = excluded.quarantined_count,
      automated_case_count = excluded.automated_case_count, case_count = excluded.case_count,
      is_limited = d.is_limited or excluded.is_limited, series = excluded.series`.execute(db)
  await sql`
    update insight_days set series = ${JSON.stringify(await countSeries(db, projectId, branch, yesterday))}::json
    where project_id = ${projectId} and day = ${yesterday}::date`.execute(db)
}

async function countTests(db: Database, projectId: string) {
  const { rows } = await sql<{ flaky: number; suspect: number; broken: number }>`
    select count(*) filter (where stability = 'flaky')::int as flaky,
      count(*) filter (where stability = 'suspect')::int as suspect,
      count(*) filter (where stability = 'broken')::int as broken
    from unstable_tests where project_id = ${projectId}`.execute(db)
  return rows[0] ?? { flaky: 0, suspect: 0, broken: 0 }
}

/** Counts the test cases that are not archived and have a test. */
async function countCases(db: Database, projectId: string): Promise<{ automated: number }> {
  const { rows } = await sql<{ automated: number }>`
    select count(*)::int as automated from (
      select distinct case_number from test_links where project_id = ${projectId}
    ) l join test_cases c on c.project_id = ${projectId} and c.number = l.case_number and c.archived_at is null`.execute(
    db,
  )
  return rows[0] ?? { automated: 0 }
}

async function countSeries(
  db: Database,
  projectId: string,
  branch: string | null,
  day: string,
): Promise<Record<string, SeriesOfDay>> {
  const from = new Date(day)
  const until = new Date(from.getTime() + DAY_MS)
  const runs = await selectBaseRuns(db, projectId, { branch, from, until, limit: MAX_RUNS_OF_DAY })
  const bySeries = groupBy(runs, ({ series }) => series)
  return Object.fromEntries([...bySeries].map(([series, ofSeries]) => [series, summarize(ofSeries)]))
}

function summarize(runs: readonly BaseRun[]): SeriesOfDay {
  const sum = (get: (run: BaseRun) => number) => runs.reduce((total, run) => total + get(run), 0)
  return {
    base_runs: runs.length,
    executed: sum(({ executed }) => executed),
    passed: sum(({ passed }) => passed),
    median_ms: median(runs.flatMap(({ test_ms: elapsed }) => elapsed ?? [])),
  }
}
