import type { AttemptStatus } from '@caseward/contract/test-fields'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { lookUpEach, plannedAnew } from '../../platform/database/plans.ts'
import type { BaseCandidate } from './base-candidates.queries.ts'
import type { BaseOutcome, FailureRef } from './decide-verdicts.ts'
import { readFinalFailures, toOutcomeKey } from './failed-outcomes.queries.ts'

/** Tests per statement. */
const TESTS_PER_STATEMENT = 5000

/** What base runs say of tests. */
export interface BaseOutcomes {
  /** By test: its outcome in the first candidate in which it was executed. */
  outcomes: Map<string, BaseOutcome>
  /** By test: its outcome in the first candidate that has it, executed or not. */
  firstStatuses: Map<string, AttemptStatus>
}

interface Row {
  run_id: string
  test_id: string
  status: AttemptStatus
  place: number
}

/** Selects the outcomes of tests in the candidates, and how those failed there that failed in the run, too. */
export async function selectBaseOutcomes(
  db: Database,
  projectId: string,
  candidates: readonly BaseCandidate[],
  { failed, passed }: { failed: readonly string[]; passed: readonly string[] },
): Promise<BaseOutcomes> {
  const testIds = [...failed, ...passed]
  const compared = new Set(failed)
  const executed = new Map<string, Row>()
  const firstStatuses = new Map<string, AttemptStatus>()
  const places = new Map<string, number>()
  const runIds = candidates.map(({ id }) => id)
  for (let start = 0; runIds.length > 0 && start < testIds.length; start += TESTS_PER_STATEMENT) {
    const { rows } = await sql<Row>`${plannedAnew}
      select o.run_id, o.test_id, o.status, array_position(${runIds}::uuid[], o.run_id) as place
      from test_outcomes o
      where o.project_id = ${projectId} and o.run_id = any(${runIds}::uuid[])
        and o.test_id = any(${testIds.slice(start, start + TESTS_PER_STATEMENT)}::uuid[])`.execute(db)
    for (const row of rows) {
      if (row.place < (places.get(row.test_id) ?? Infinity)) {
        places.set(row.test_id, row.place)
        firstStatuses.set(row.test_id, row.status)
      }
      const isExecuted = row.status === 'passed' || row.status === 'failed'
      if (isExecuted && row.place < (executed.get(row.test_id)?.place ?? Infinity)) executed.set(row.test_id, row)
    }
  }
  const failures = await selectFinalFailures(
    db,
    projectId,
    [...executed.values()].filter(({ status, test_id: id }) => status === 'failed' && compared.has(id)),
  )
  const outcomes = new Map<string, BaseOutcome>()
  for (const [testId, { run_id: runId, status }] of executed) {
    const failure = failures.get(toOutcomeKey(runId, testId)) ?? null
    outcomes.set(testId, { runId, hasFailed: status === 'failed', failure })
  }
  return { outcomes, firstStatuses }
}

/**
 * Selects the failures that decided outcomes, by run and test: those that were stored, and of runs that were not evaluated, from
 * their texts. Those of failures that say too little are read, too, because their values are not stored.
 */
export async function selectFinalFailures(
  db: Database,
  projectId: string,
  failed: readonly Pick<Row, 'run_id' | 'test_id'>[],
): Promise<Map<string, FailureRef>> {
  const found = new Map<string, FailureRef>()
  for (let start = 0; start < failed.length; start += TESTS_PER_STATEMENT) {
    const page = failed.slice(start, start + TESTS_PER_STATEMENT)
    const { rows } = await sql<Omit<FailureRef, 'isWeak' | 'exactMessage'> & { run_id: string; test_id: string }>`
      ${plannedAnew}
      select f.run_id, f.test_id, replace(f.signature::text, '-', '') as signature, s.kind, s.message
      from unnest(${page.map((row) => row.run_id)}::uuid[], ${page.map((row) => row.test_id)}::uuid[]) as wanted(run_id, test_id)
      cross join lateral (
        select run_id, test_id, signature from test_failures
        where project_id = ${projectId} and run_id = wanted.run_id and test_id = wanted.test_id and is_final ${lookUpEach}
      ) f
      cross join lateral (
        select kind, message from failure_signatures
        where project_id = ${projectId} and signature = f.signature and not is_weak ${lookUpEach}
      ) s`.execute(db)
    for (const { run_id: runId, test_id: testId, ...failure } of rows)
      found.set(toOutcomeKey(runId, testId), { ...failure, isWeak: false, exactMessage: null })
  }
  const missing = failed
    .map((row) => ({ runId: row.run_id, testId: row.test_id }))
    .filter(({ runId, testId }) => !found.has(toOutcomeKey(runId, testId)))
  for (const [key, failure] of await readFinalFailures(db, projectId, missing)) found.set(key, failure)
  return found
}

/** Selects the tests that failed in runs: by their verdicts, and where these are not current by their outcomes. */
export async function selectTestsFailedIn(
  db: Database,
  projectId: string,
  runs: readonly Pick<BaseCandidate, 'id' | 'is_evaluated'>[],
): Promise<string[]> {
  const select = async (statement: ReturnType<typeof sql<{ test_id: string }>>) =>
    (await statement.execute(db)).rows.map((row) => row.test_id)
  const pick = (isEvaluated: boolean) => runs.filter((run) => run.is_evaluated === isEvaluated).map(({ id }) => id)
  const [evaluated, others] = [pick(true), pick(false)]
  const byVerdict =
    evaluated.length === 0
      ? []
      : await select(sql<{ test_id: string }>`
          select distinct test_id from test_failures
          where project_id = ${projectId} and run_id = any(${evaluated}::uuid[]) and is_final`)
  const byOutcome =
    others.length === 0
      ? []
      : await select(sql<{ test_id: string }>`
          select distinct test_id from test_outcomes
          where project_id = ${projectId} and run_id = any(${others}::uuid[]) and status = 'failed'`)
  return [...new Set([...byVerdict, ...byOutcome])]
}

/** Counts the tests that were executed in the base run, and that the run lacks. */
export async function countMissing(db: Database, projectId: string, runId: string, baseRunId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`${plannedAnew}
    select count(*)::int as count from test_outcomes b
    where b.project_id = ${projectId} and b.run_id = ${baseRunId} and b.status in ('passed', 'failed')
      and not exists (
        select from test_outcomes o where o.project_id = ${projectId} and o.run_id = ${runId} and o.test_id = b.test_id ${lookUpEach}
      )`.execute(db)
  return rows[0]?.count ?? 0
}
