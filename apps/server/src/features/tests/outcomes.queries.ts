import type { TestAttempt } from '@caseward/contract/run-tests'
import type { AttemptStatus } from '@caseward/contract/test-fields'
import { sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import { joinToArrayLiteral } from '../../platform/database/array-literal.ts'
import type { Database } from '../../platform/database/connect.ts'
import { lookUpEach, plannedAnew } from '../../platform/database/plans.ts'

/** The stored outcome of a test in a run, for one of the test cases that the test is linked to. */
export interface LinkedOutcome {
  case_number: number
  test_id: string
  suite: string
  name: string
  variant: string
  status: AttemptStatus
  elapsed_ms: number | null
  /** Null for one attempt without a message. */
  attempts: TestAttempt[] | null
  tested_at: Date
}

/*
 * How outcomes are counted: blocked tests as failed, interrupted ones as skipped.
 */
export const PASSED = "status = 'passed'"
export const FAILED = "status in ('failed', 'blocked')"
export const SKIPPED = "status in ('skipped', 'interrupted')"
export const COUNTED_AS: Readonly<Record<AttemptStatus, 'passed' | 'failed' | 'skipped'>> = {
  passed: 'passed',
  failed: 'failed',
  blocked: 'failed',
  skipped: 'skipped',
  interrupted: 'skipped',
}

/** Returns those of the tests of which a run has an outcome. */
export async function selectTestsWithOutcome(
  db: Database,
  run: RunRef,
  testIds: readonly string[],
): Promise<Set<string>> {
  if (testIds.length === 0) return new Set()
  const { rows } = await sql<{ test_id: string }>`${plannedAnew}
    select test_id from test_outcomes
    where project_id = ${run.project.id} and run_id = ${run.id} and test_id = any(${`{${testIds.join(',')}}`}::uuid[])`.execute(
    db,
  )
  return new Set(rows.map((row) => row.test_id))
}

type LinkedTest = Pick<LinkedOutcome, 'suite' | 'name' | 'variant'>

/**
 * Selects the outcomes of all tests of these test cases in a run, except those of some tests and those from before a user set
 * the result.
 */
export async function selectLinkedOutcomes(
  tx: Database,
  run: RunRef,
  caseNumbers: readonly number[],
  exceptTestIds: readonly string[] = [],
): Promise<LinkedOutcome[]> {
  if (caseNumbers.length === 0) return []
  const numbers = await joinToArrayLiteral(caseNumbers)
  const exceptIds = await joinToArrayLiteral(exceptTestIds)
  // Links first, of which an upload that repeats another one leaves none: the planner would begin with all outcomes. The rest
  // is looked up for each link: with statistics from before the first upload, PostgreSQL would compare all with all.
  const { rows: outcomes } = await sql<Omit<LinkedOutcome, keyof LinkedTest>>`${plannedAnew}
    with link as materialized (
      select case_number, test_id from test_links
      where project_id = ${run.project.id} and case_number = any(${numbers}::int[])
        and not test_id = any(${exceptIds}::uuid[])
    )
    select link.case_number, o.test_id, o.status, o.elapsed_ms, o.attempts, o.tested_at
    from link cross join lateral (
      select * from test_outcomes
      where project_id = ${run.project.id} and run_id = ${run.id} and test_id = link.test_id ${lookUpEach}
    ) o
    order by link.case_number, o.test_id`.execute(tx)
  if (outcomes.length === 0) return []
  const setAt = await selectSetTimes(tx, run, [...new Set(outcomes.map((outcome) => outcome.case_number))])
  const { rows: tests } = await sql<LinkedTest & { id: string }>`${plannedAnew}
    select id, suite, name, variant from tests
    where project_id = ${run.project.id} and id = any(${`{${outcomes.map((outcome) => outcome.test_id).join(',')}}`}::uuid[])`.execute(
    tx,
  )
  const testById = new Map(tests.map(({ id, ...test }) => [id, test]))
  return outcomes.flatMap((outcome) => {
    const test = testById.get(outcome.test_id)
    const isSetAside = outcome.tested_at < (setAt.get(outcome.case_number) ?? outcome.tested_at)
    return test === undefined || isSetAside ? [] : [{ ...outcome, ...test }]
  })
}

/** Selects when users set the results of test cases: outcomes from before do not decide any more. */
async function selectSetTimes(tx: Database, run: RunRef, caseNumbers: readonly number[]): Promise<Map<number, Date>> {
  const { rows } = await sql<{ case_number: number; set_at: Date }>`${plannedAnew}
    select case_number, set_at from test_results
    where project_id = ${run.project.id} and run_group = ${run.group} and run_id = ${run.id}
      and case_number = any(${`{${caseNumbers.join(',')}}`}::int[]) and set_at is not null`.execute(tx)
  return new Map(rows.map((row) => [row.case_number, row.set_at]))
}

const COUNT_MARKED = sql`
  select run_id, count(*)::int, count(*) filter (where ${sql.raw(PASSED)})::int as passed,
    count(*) filter (where ${sql.raw(FAILED)})::int as failed,
    count(*) filter (where ${sql.raw(SKIPPED)})::int as skipped
  from marked group by run_id`

/** Adds or subtracts the tests that {@link COUNT_MARKED} counted. */
const buildUnmatchedChange = (sign: '+' | '-') =>
  sql.raw(`
    unmatched_test_count = unmatched_test_count ${sign} m.count,
    unmatched_passed_count = unmatched_passed_count ${sign} m.passed,
    unmatched_failed_count = unmatched_failed_count ${sign} m.failed,
    unmatched_skipped_count = unmatched_skipped_count ${sign} m.skipped`)

/**
 * Counts the outcomes without a test case again, if that is not known: servers of earlier versions did not. The caller holds
 * the lock on the run.
 */
export async function countUnmatched(tx: Database, { id, project }: RunRef): Promise<void> {
  await sql`
    with counted as materialized (
      select count(*) filter (where ${sql.raw(PASSED)})::int as passed,
        count(*) filter (where ${sql.raw(FAILED)})::int as failed,
        count(*) filter (where ${sql.raw(SKIPPED)})::int as skipped
      from test_outcomes where project_id = ${project.id} and run_id = ${id} and not is_matched
    )
    update runs set unmatched_passed_count = passed, unmatched_failed_count = failed, unmatched_skipped_count = skipped
    from counted where runs.id = ${id}`.execute(tx)
}

/**
 * Marks the outcomes of tests as matched in all runs, and moves the counters of these runs. The caller holds the lock on
 * the project.
 * @returns the runs in which outcomes of the tests were unmatched
 */
export async function markMatched(tx: Database, projectId: string, testIds: readonly string[]): Promise<string[]> {
  if (testIds.length === 0) return []
  // Locked in the order of their ids, as everything that locks several runs does.
  const { rows } = await sql<{ id: string }>`
    select id from runs where id = any(array(
      select distinct run_id from test_outcomes
      where project_id = ${projectId} and test_id = any(${`{${testIds.join(',')}}`}::uuid[]) and not is_matched
    )) order by id for no key update`.execute(tx)
  if (rows.length === 0) return []
  await sql`
    with marked as (
      update test_outcomes set is_matched = true
      where project_id = ${projectId} and test_id = any(${`{${testIds.join(',')}}`}::uuid[]) and not is_matched
      returning run_id, status
    )
    update runs set ${buildUnmatchedChange('-')}, updated_at = now()
    from (${COUNT_MARKED}) m where runs.id = m.run_id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The newest runs that an unlinked test is looked for in. */
const RECENT_RUNS = 100

/**
 * Marks the outcomes of a test as unmatched in the newest runs. Older runs keep what they counted: no index finds a test
 * in all runs, because keeping one would make every upload slower.
 */
export async function markUnmatched(tx: Database, projectId: string, testId: string): Promise<void> {
  await sql`
    select id from runs where id = any(array(
      select id from runs where project_id = ${projectId} order by id desc limit ${sql.lit(RECENT_RUNS)}
    )) order by id for no key update`.execute(tx)
  await sql`
    with marked as (
      update test_outcomes set is_matched = false
      where project_id = ${projectId} and test_id = ${testId} and is_matched and run_id = any(array(
        select id from runs where project_id = ${projectId} order by id desc limit ${sql.lit(RECENT_RUNS)}
      ))
      returning run_id, status
    )
    update runs set ${buildUnmatchedChange('+')}, updated_at = now()
    from (${COUNT_MARKED}) m where runs.id = m.run_id`.execute(tx)
}
