import type { getHealth } from '@caseward/contract/health'
import {
  type Health,
  type HealthBand,
  MAX_BAND_RUNS,
  MAX_CAUSES,
  MAX_HEALTH_RUNS,
  MAX_MATRIX_RUNS,
} from '@caseward/contract/health-schemas'
import type { Static } from '@caseward/contract/static'

import type { Database } from '../../platform/database/connect.ts'
import { createLocalClock, type LocalClock, requireTimeZone } from '../../platform/http/time-zones.ts'
import { presentTime } from '../../platform/http/timestamps.ts'
import { findDefaultBranch } from '../build-data/build-data.queries.ts'
import { selectIssues } from '../evaluation/issues.queries.ts'
import { countTestsByDay, selectFailingRuns, selectGroups } from '../failures/failure-groups.queries.ts'
import { joinIssues } from '../failures/failure-groups.ts'
import { type BaseRun, selectBaseRuns } from '../insight-days/base-runs.queries.ts'
import { BAND_MS, buildBand, getRunState } from './band.ts'
import { buildDays, buildWeeks, findLostAttempts, listDays } from './days.ts'
import { readFailingTests } from './failing-tests.queries.ts'
import { countAutomation, selectCountedDays, selectJobUploads } from './health.queries.ts'
import { readMatrix, selectFailing } from './matrix.queries.ts'

/** The newest base runs that are looked into for how tests ended last. */
const MAX_LAST_RUNS = 40

type HealthQuery = Omit<Static<typeof getHealth.schema.querystring>, 'fields'>

/**
 * Reads whether a branch is and was green, and nothing else.
 * @throws {Problem} 400 for an unknown time zone
 */
export async function readHealthBand(
  db: Database,
  projectId: string,
  query: HealthQuery,
  now: Date,
): Promise<HealthBand> {
  return (await readBand(db, projectId, query, now)).band
}

/** Reads the base runs of a branch, and what they say about it. */
async function readBand(
  db: Database,
  projectId: string,
  { branch, series, days: dayCount = 30, time_zone: timeZone }: HealthQuery,
  now: Date,
) {
  const clock = createLocalClock(requireTimeZone(timeZone))
  const days = listDays(clock, now, dayCount)
  const from = clock.findMidnight(days[0] ?? '')
  const ofBranch = branch ?? (await findDefaultBranch(db, projectId)).branch
  const selected = await selectBaseRuns(db, projectId, {
    branch: ofBranch,
    series,
    from: new Date(from.getTime() - BAND_MS),
    until: new Date(now.getTime() + 1),
    withExcluded: true,
    limit: MAX_BAND_RUNS + 1,
  })
  const newest = selected.slice(0, MAX_BAND_RUNS)
  const band = {
    branch: ofBranch,
    from: presentTime(from),
    to: presentTime(now),
    is_cut: selected.length > MAX_BAND_RUNS,
    band: buildBand(newest.toReversed(), { from, to: now }),
  }
  return { band, clock, days, from, newest }
}

/**
 * Reads everything that shows how a branch is.
 * @throws {Problem} 400 for an unknown time zone
 */
export async function readHealth(db: Database, projectId: string, query: HealthQuery, now: Date): Promise<Health> {
  const { series } = query
  const { band, clock, days, from, newest } = await readBand(db, projectId, query, now)
  const shown = newest.filter(({ created_at: at }) => at >= from)
  const bases = shown.filter(({ excluded }) => excluded === null)
  const baseIds = bases.map(({ id }) => id)
  // The runs are sorted: the first of a suite is its newest.
  const newestOfSeries = [...new Map(bases.toReversed().map((run) => [run.series, run.id])).values()]
  const [counted, uploads, matrix, causes, failing, failingTests] = await Promise.all([
    selectCountedDays(db, projectId, days),
    selectJobUploads(db, projectId, { from, series }),
    readMatrix(db, projectId, baseIds.slice(0, MAX_MATRIX_RUNS).toReversed()),
    readCauses(db, projectId, { from, branch: band.branch ?? undefined, series, clock }),
    selectFailing(db, projectId, baseIds.slice(0, MAX_LAST_RUNS)),
    readFailingTests(db, projectId, newestOfSeries),
  ])
  return {
    ...band,
    ...failingTests,
    runs: shown.slice(0, MAX_HEALTH_RUNS).map(presentRun),
    days: buildDays(days, clock, { runs: bases, counted }),
    weeks: buildWeeks(
      days,
      clock,
      findLostAttempts(uploads).filter(({ at }) => at >= from),
    ),
    matrix,
    automation: await countAutomation(db, projectId, failing, now),
    causes,
  }
}

const presentRun = (run: BaseRun): Health['runs'][number] => ({
  id: run.id,
  name: run.name,
  series: run.series,
  commit: run.commit,
  at: presentTime(run.created_at),
  state: getRunState(run),
  executed: run.executed,
  passed: run.passed,
  blocking_count: run.blocking,
  test_ms: run.test_ms,
  clock_ms: run.clock_ms,
})

interface CauseFilter {
  from: Date
  branch: string | undefined
  series: string | undefined
  clock: LocalClock
}

/** Tests of a cause whose issues it has. */
const MAX_TESTS = 100

/** Reads the failure groups with most tests, with the days on which they occurred. */
async function readCauses(
  db: Database,
  projectId: string,
  { clock, ...filter }: CauseFilter,
): Promise<Health['causes']> {
  const runs = await selectFailingRuns(db, projectId, filter)
  const groups = await selectGroups(db, projectId, {
    runIds: [...runs.keys()],
    limit: MAX_CAUSES,
    testLimit: MAX_TESTS,
  })
  const dayOfRun = new Map([...runs].map(([id, at]) => [id, clock.formatDay(at)]))
  const [byDay, issues] = await Promise.all([
    countTestsByDay(
      db,
      projectId,
      groups.map(({ signature }) => signature),
      dayOfRun,
    ),
    selectIssues(db, projectId, { testIds: [...new Set(groups.flatMap((group) => group.test_ids))], runId: null }),
  ])
  return groups.map((group) => ({
    signature: group.signature,
    title: group.title,
    first_seen: presentTime(group.first_seen_at),
    test_count: group.test_count,
    issues: joinIssues(group.test_ids, issues),
    days: byDay.get(group.signature) ?? [],
  }))
}
