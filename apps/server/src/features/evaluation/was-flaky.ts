import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { deriveStability, listQuietPeriods, type QuietPeriod } from '../stability/derive-stability.ts'
import { countExecutions } from '../stability/stability.queries.ts'
import type { EarlierFlake } from './write-evaluation.queries.ts'

/**
 * Returns the tests that are flaky by their events on other commits alone. A test that is broken is not: its failures need no
 * explanation.
 */
export async function selectFlakyTests(
  db: Database,
  projectId: string,
  flakes: ReadonlyMap<string, readonly EarlierFlake[]>,
  now: Date,
): Promise<ReadonlySet<string>> {
  // Fewer events make no test flaky.
  const several = [...flakes].filter(([, events]) => events.length >= 2)
  if (several.length === 0) return new Set()
  const testIds = several.map(([testId]) => testId)
  const { rows } = await sql<{ test_id: string }>`
    select test_id from unstable_tests
    where project_id = ${projectId} and stability = 'broken' and test_id = any(${testIds}::uuid[])`.execute(db)
  const broken = new Set(rows.map((row) => row.test_id))
  const candidates = several
    .filter(([testId]) => !broken.has(testId))
    .map(([testId, events]) => ({ testId, events: events.map(({ at }) => at) }))
  const periods = candidates.flatMap(({ testId, events }) =>
    listQuietPeriods(events, now).map((period) => ({ ...period, testId })),
  )
  const counts = await countExecutions(db, projectId, periods)
  const executions = new Map(periods.map((period, index) => [toKey(period), counts[index] ?? 0]))
  const isFlaky = ({ testId, events }: (typeof candidates)[number]) => {
    const count = (period: QuietPeriod) => executions.get(toKey({ ...period, testId })) ?? 0
    return deriveStability({ events, baseOutcomes: [], countExecutions: count }, now) === 'flaky'
  }
  return new Set(candidates.filter(isFlaky).map(({ testId }) => testId))
}

const toKey = ({ testId, from }: { testId: string; from: Date }): string => `${testId} ${from.getTime()}`
