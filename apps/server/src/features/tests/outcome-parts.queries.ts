import type { TestAttempt } from '@caseward/contract/run-tests'
import type { AttemptStatus } from '@caseward/contract/test-fields'
import { sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import { quoteElement } from '../../platform/database/array-literal.ts'
import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import { createYielder } from '../../platform/yielder.ts'
import { FIRST_SOURCE } from './outcome-write.ts'

/** What a source reported of a test, as it is stored. */
export interface StoredPart {
  test_id: string
  source: number
  status: AttemptStatus
  is_flaky: boolean
  elapsed_ms: number | null
  /** Null for one attempt without a message. */
  attempts: TestAttempt[] | null
  tested_at: Date
}

/** Tests per statement. */
const TESTS_PER_STATEMENT = 20_000

/**
 * Selects what the sources of a run have reported of tests: the parts of those with several, and the outcome of the others,
 * which is their only part.
 */
export async function selectStoredParts(
  tx: Database,
  run: RunRef,
  testIds: readonly string[],
): Promise<Map<string, StoredPart[]>> {
  const parts = new Map<string, StoredPart[]>()
  for (let start = 0; start < testIds.length; start += TESTS_PER_STATEMENT) {
    const ids = `{${testIds.slice(start, start + TESTS_PER_STATEMENT).join(',')}}`
    const select = (table: 'outcome_parts' | 'test_outcomes') =>
      sql<StoredPart>`${plannedAnew}
        select test_id, coalesce(source, ${sql.lit(FIRST_SOURCE)}) as source, status, is_flaky, elapsed_ms, attempts, tested_at
        from ${sql.table(table)}
        where project_id = ${run.project.id} and run_id = ${run.id} and test_id = any(${ids}::uuid[])`.execute(tx)
    const { rows: several } = await select('outcome_parts')
    for (const part of several) parts.set(part.test_id, [...(parts.get(part.test_id) ?? []), part])
    const { rows: outcomes } = await select('test_outcomes')
    for (const outcome of outcomes) if (!parts.has(outcome.test_id)) parts.set(outcome.test_id, [outcome])
  }
  return parts
}

/** A part to be stored. */
export interface PartWrite {
  testId: string
  source: number
  status: AttemptStatus
  isFlaky: boolean
  elapsedMs: number | null
  attemptCount: number
  /** The attempts as JSON; null for one that needs no words. */
  attempts: string | null
  testedAt: Date
}

/** Writes parts, and replaces those that their source has reported before. */
export async function writeParts(tx: Database, run: RunRef, parts: readonly PartWrite[]): Promise<void> {
  const yielder = createYielder()
  for (let start = 0; start < parts.length; start += TESTS_PER_STATEMENT) {
    if (yielder.shouldYield()) await yielder.yield()
    const batch = parts.slice(start, start + TESTS_PER_STATEMENT)
    const toArray = (get: (part: PartWrite) => string | number | boolean) => `{${batch.map(get).join(',')}}`
    await sql`
      insert into outcome_parts (
        project_id, run_id, test_id, source, status, is_flaky, elapsed_ms, attempt_count, tested_at, attempts
      )
      select ${run.project.id}, ${run.id}, sent.*
      from unnest(
        ${toArray(({ testId }) => testId)}::uuid[], ${toArray(({ source }) => source)}::int[],
        ${toArray(({ status }) => status)}::attempt_status[], ${toArray(({ isFlaky }) => isFlaky)}::boolean[],
        ${toArray(({ elapsedMs }) => elapsedMs ?? 'NULL')}::int[],
        ${toArray(({ attemptCount }) => attemptCount)}::smallint[],
        ${toArray(({ testedAt }) => `"${testedAt.toISOString()}"`)}::timestamptz[],
        ${toArray(({ attempts }) => (attempts === null ? 'NULL' : quoteElement(attempts)))}::json[]
      ) as sent
      on conflict (project_id, run_id, test_id, source) do update set
        status = excluded.status, is_flaky = excluded.is_flaky, elapsed_ms = excluded.elapsed_ms,
        attempt_count = excluded.attempt_count, tested_at = excluded.tested_at, attempts = excluded.attempts`.execute(
      tx,
    )
  }
}
