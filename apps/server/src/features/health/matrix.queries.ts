import { type Health, MAX_MATRIX_TESTS } from '@caseward/contract/health-schemas'
import { isExcusedBy } from '@caseward/failures/same-failure'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { lookUpEach, plannedAnew } from '../../platform/database/plans.ts'
import { groupBy } from '../../platform/group-by.ts'
import { selectFinalFailures } from '../evaluation/base-outcomes.queries.ts'
import { toOutcomeKey } from '../evaluation/failed-outcomes.queries.ts'
import { selectGroupTests } from '../failures/failure-groups.queries.ts'

type Matrix = Health['matrix']
type Cell = Matrix['cells'][number][number]

/** Selects the runs with an upload in which most tests failed: that such a test passed later does not make it unstable. */
async function selectMassFailures(db: Database, projectId: string, runIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ run_id: string }>`${plannedAnew}
    select distinct run_id from run_uploads
    where project_id = ${projectId} and run_id = any(${[...runIds]}::uuid[]) and is_excluded`.execute(db)
  return rows.map((row) => row.run_id)
}

/** Selects which tests flaked in runs all the same, as keys of outcomes. */
async function selectFlaked(db: Database, projectId: string, runIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (runIds.length === 0) return new Set()
  const { rows } = await sql<{ run_id: string; test_id: string }>`${plannedAnew}
    select run_id, test_id from flake_events
    where project_id = ${projectId} and run_id = any(${[...runIds]}::uuid[])`.execute(db)
  return new Set(rows.map((row) => toOutcomeKey(row.run_id, row.test_id)))
}

/** Selects the tests with most outcomes other than passed in runs, by their verdicts. */
async function selectUnstable(
  db: Database,
  projectId: string,
  runIds: readonly string[],
  massFailures: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ test_id: string }>`${plannedAnew}
    select v.test_id from test_verdicts v
    where v.project_id = ${projectId} and v.run_id = any(${[...runIds]}::uuid[]) and v.verdict <> 'fixed'
      and (v.verdict <> 'flaked' or v.run_id <> all(${[...massFailures]}::uuid[]) or exists (
        select from flake_events e where e.project_id = ${projectId} and e.run_id = v.run_id and e.test_id = v.test_id
      ))
    group by v.test_id order by count(*) desc, v.test_id limit ${sql.lit(MAX_MATRIX_TESTS)}`.execute(db)
  return rows.map((row) => row.test_id)
}

interface OutcomeRow {
  run_id: string
  test_id: string
  status: string
  is_flaky: boolean
}

async function selectOutcomes(
  db: Database,
  projectId: string,
  runIds: readonly string[],
  testIds: readonly string[],
): Promise<OutcomeRow[]> {
  const { rows } = await sql<OutcomeRow>`${plannedAnew}
    select run_id, test_id, status, is_flaky from test_outcomes
    where project_id = ${projectId} and run_id = any(${[...runIds]}::uuid[]) and test_id = any(${[...testIds]}::uuid[])`.execute(
    db,
  )
  return rows
}

/**
 * Reads how the tests with most outcomes other than passed ended in runs.
 * @param runIds the oldest first
 */
export async function readMatrix(db: Database, projectId: string, runIds: readonly string[]): Promise<Matrix> {
  const massFailures = runIds.length === 0 ? [] : await selectMassFailures(db, projectId, runIds)
  const testIds = runIds.length === 0 ? [] : await selectUnstable(db, projectId, runIds, massFailures)
  if (testIds.length === 0) return { tests: [], runs: [...runIds], cells: [] }
  const outcomes = await selectOutcomes(db, projectId, runIds, testIds)
  const failures = await selectFinalFailures(
    db,
    projectId,
    outcomes.filter(({ status }) => status === 'failed'),
  )
  const flaked = await selectFlaked(db, projectId, massFailures)
  const didFlake = (runId: string, testId: string) =>
    !massFailures.includes(runId) || flaked.has(toOutcomeKey(runId, testId))
  const byTest = groupBy(outcomes, ({ test_id: id }) => id)
  const named = await selectGroupTests(db, projectId, testIds)
  const rows = testIds.flatMap((id) => {
    const test = named.get(id)
    const ofTest = new Map((byTest.get(id) ?? []).map((row) => [row.run_id, row]))
    let before: Parameters<typeof isExcusedBy>[0] | undefined
    const cells = runIds.map((runId): Cell => {
      const outcome = ofTest.get(runId)
      if (outcome?.status === 'passed') return outcome.is_flaky && didFlake(runId, id) ? 'flaked' : 'passed'
      if (outcome?.status !== 'failed') return 'not_run'
      const failure = failures.get(toOutcomeKey(runId, id))
      const isSame = before !== undefined && failure !== undefined && isExcusedBy(before, failure)
      before = failure
      return isSame ? 'failed_again' : 'failed'
    })
    return test === undefined ? [] : [{ test, cells }]
  })
  const isNew = new Map(rows.map(({ test, cells }) => [test.id, isNewlyFailing(cells)]))
  const sorted = rows.toSorted((a, b) => Number(isNew.get(b.test.id)) - Number(isNew.get(a.test.id)))
  return { tests: sorted.map(({ test }) => test), runs: [...runIds], cells: sorted.map(({ cells }) => cells) }
}

const isFailed = (cell: Cell | undefined): boolean => cell === 'failed' || cell === 'failed_again'

/** Whether a test failed when it ran last, and not before that. */
function isNewlyFailing(cells: readonly Cell[]): boolean {
  const executed = cells.filter((cell) => cell !== 'not_run')
  return isFailed(executed.at(-1)) && !isFailed(executed.at(-2))
}

/**
 * Selects the tests that failed when they were executed last.
 * @param runIds the newest first
 */
export async function selectFailing(db: Database, projectId: string, runIds: readonly string[]): Promise<string[]> {
  if (runIds.length === 0) return []
  const { rows } = await sql<{ test_id: string }>`${plannedAnew}
    with candidates as materialized (
      select distinct test_id from test_failures
      where project_id = ${projectId} and run_id = any(${[...runIds]}::uuid[]) and is_final
    )
    select c.test_id from candidates c
    cross join lateral (
      -- Most tests are executed in the newest run, which ends the search.
      select o.status from (
        select * from unnest(${[...runIds]}::uuid[]) with ordinality as runs(id, place) order by place ${lookUpEach}
      ) r
      cross join lateral (
        select status from test_outcomes
        where project_id = ${projectId} and run_id = r.id and test_id = c.test_id ${lookUpEach}
      ) o
      where o.status in ('passed', 'failed') order by r.place limit 1
    ) last
    where last.status = 'failed'`.execute(db)
  return rows.map((row) => row.test_id)
}
