import type { Database } from '../../platform/database/connect.ts'
import { findDefaultBranch } from '../build-data/build-data.queries.ts'
import {
  type BaseOutcome,
  computeScore,
  countRecent,
  deriveStability,
  listQuietPeriods,
  type QuietPeriod,
} from './derive-stability.ts'
import * as queries from './stability.queries.ts'

/** Bounds the memory and the time of one statement. */
const TESTS_PER_BATCH = 1000

/**
 * Derives what tests are and stores it. Call it for tests that failed or flaked in a run, and for those of base runs that were not
 * stable, after the flake events of the run are stored. A test that nothing is known against gets no row.
 */
export async function updateStability(
  tx: Database,
  projectId: string,
  testIds: readonly string[],
  now = new Date(),
): Promise<void> {
  if (testIds.length === 0) return
  const { branch: defaultBranch } = await findDefaultBranch(tx, projectId)
  for (let start = 0; start < testIds.length; start += TESTS_PER_BATCH) {
    const ids = testIds.slice(start, start + TESTS_PER_BATCH)
    const stored = await queries.selectUnstableTests(tx, projectId, ids)
    const derived = await deriveTests(tx, projectId, { ids, defaultBranch, stored, now })
    await queries.saveUnstableTests(tx, projectId, derived, now)
  }
}

interface Batch {
  ids: readonly string[]
  defaultBranch: string | null
  stored: ReadonlyMap<string, queries.UnstableTest>
  now: Date
}

async function deriveTests(
  db: Database,
  projectId: string,
  { ids, defaultBranch, stored, now }: Batch,
): Promise<queries.UnstableTest[]> {
  const events = new Map<string, Date[]>()
  for (const { test_id: id, at } of await queries.selectFlakeEvents(db, projectId, ids, now))
    events.set(id, [...(events.get(id) ?? []), at])
  const periods = [...events].flatMap(([testId, times]) =>
    listQuietPeriods(times, now).map((period) => ({ ...period, testId })),
  )
  const counts = await queries.countExecutions(db, projectId, periods)
  const executions = new Map(periods.map((period, index) => [toKey(period.testId, period), counts[index] ?? 0]))
  const commits = await queries.countCommits(
    db,
    projectId,
    ids.filter((id) => events.has(id) || stored.has(id)),
    now,
  )
  const outcomes = await queries.selectBaseOutcomes(db, projectId, { defaultBranch, testIds: ids })
  return ids.flatMap((id) => {
    const times = events.get(id) ?? []
    const baseOutcomes = outcomes.get(id) ?? []
    const stability = deriveStability(
      { events: times, baseOutcomes, countExecutions: (period) => executions.get(toKey(id, period)) ?? 0 },
      now,
    )
    const before = stored.get(id)
    if (stability === 'stable' && before === undefined) return []
    const flakeCommits = countRecent(times, now)
    const commitCount = Math.max(flakeCommits, commits.get(id) ?? 0)
    const failing = listFailing(baseOutcomes)
    return {
      test_id: id,
      stability,
      since: before?.stability === stability ? before.since : now,
      flake_commits: flakeCommits,
      commits: commitCount,
      score: computeScore(flakeCommits, commitCount),
      last_event_at: times[0] ?? null,
      consecutive_failures: failing.length,
      first_failing_run_id: failing.at(-1)?.runId ?? null,
    }
  })
}

const toKey = (testId: string, { from }: QuietPeriod): string => `${testId} ${from.getTime()}`

/** Returns the newest outcomes in a row that failed. */
function listFailing<T extends BaseOutcome>(outcomes: readonly T[]): T[] {
  const end = outcomes.findIndex(({ hasFailed }) => !hasFailed)
  return outcomes.slice(0, end === -1 ? outcomes.length : end)
}
