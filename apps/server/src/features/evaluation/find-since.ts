import { sql } from 'kysely'

import type { AttemptStatus } from '@caseward/contract/test-fields'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'

/** The first of the runs in a row in which a test failed, and how many these are. */
export interface Since {
  runId: string
  runs: number
}

/** So many earlier runs are looked at. */
export const MAX_EARLIER_RUNS = 50
/** Most failures have begun lately: most tests are done after the first of these steps. */
const STEPS = [3, 12, MAX_EARLIER_RUNS - 15]
const TESTS_PER_STATEMENT = 5000

/**
 * Finds for tests that failed in a run the first of the runs in a row in which they did. Runs in which a test was not executed
 * neither end the row nor count.
 * @param earlierRuns of the same branch and series, the newest first
 */
export async function findSince(
  db: Database,
  projectId: string,
  { runId, earlierRuns, testIds }: { runId: string; earlierRuns: readonly string[]; testIds: readonly string[] },
): Promise<Map<string, Since>> {
  const since = new Map(testIds.map((testId) => [testId, { runId, runs: 1 }]))
  let open = new Set(testIds)
  let first = 0
  for (const step of STEPS) {
    const runs = earlierRuns.slice(first, first + step)
    first += step
    if (open.size === 0 || runs.length === 0) break
    const statuses = await selectStatuses(db, projectId, runs, [...open])
    const failing = new Set<string>()
    for (const testId of open) {
      const known = since.get(testId)
      const row = statuses.get(testId) ?? []
      const end = row.findIndex(({ status }) => status === 'passed')
      const failed = (end === -1 ? row : row.slice(0, end)).filter(({ status }) => status === 'failed')
      const oldest = failed.at(-1)
      if (known !== undefined && oldest !== undefined) {
        known.runId = oldest.runId
        known.runs += failed.length
      }
      if (end === -1) failing.add(testId)
    }
    open = failing
  }
  return since
}

interface StatusInRun {
  runId: string
  status: AttemptStatus
}

/** Selects the outcomes of tests in runs, by test in the order of the runs. */
async function selectStatuses(
  db: Database,
  projectId: string,
  runIds: readonly string[],
  testIds: readonly string[],
): Promise<Map<string, StatusInRun[]>> {
  const byTest = new Map<string, StatusInRun[]>()
  for (let start = 0; start < testIds.length; start += TESTS_PER_STATEMENT) {
    const page = testIds.slice(start, start + TESTS_PER_STATEMENT)
    const { rows } = await sql<{ test_id: string; run_id: string; status: AttemptStatus }>`${plannedAnew}
      select test_id, run_id, status from test_outcomes
      where project_id = ${projectId} and run_id = any(${[...runIds]}::uuid[]) and test_id = any(${page}::uuid[])
      order by array_position(${[...runIds]}::uuid[], run_id)`.execute(db)
    for (const { test_id: testId, run_id: runId, status } of rows) {
      byTest.set(testId, [...(byTest.get(testId) ?? []), { runId, status }])
    }
  }
  return byTest
}
