import type { AttemptStatus } from '@caseward/contract/tests'
import { type RawBuilder, sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import { quoteElement } from '../../platform/database/array-literal.ts'
import type { Database } from '../../platform/database/connect.ts'
import { createYielder } from '../../platform/yielder.ts'

/** The outcome of a test in a run. */
export interface OutcomeWrite {
  testId: string
  status: AttemptStatus
  isFlaky: boolean
  isMatched: boolean
  /** Whole milliseconds. */
  elapsedMs: number | null
  attemptCount: number
  /** The attempts as JSON; null for one that needs no words. */
  attempts: string | null
}

export interface OutcomeOptions {
  /** When the tests finished; a time in the future counts as now. Newer outcomes are kept. Null overwrites all. */
  finishedAt: Date | null
  /** Whether the run has outcomes already: looking for them would take a third of the time. */
  hasOutcomes: boolean
}

/** What a write has changed. */
export interface WrittenOutcomes {
  /** The time of the outcomes. */
  testedAt: Date
  /** Tests whose newer outcome was kept, with its time. */
  newer: Map<string, Date>
}

const ROWS_PER_STATEMENT = 20_000

/**
 * Writes outcomes and moves the run's counters by the difference. The caller holds the lock on the run.
 * @param toOutcome converts a test when its statement is written, so that not all are in memory at once
 */
export async function writeOutcomes<T>(
  tx: Database,
  run: RunRef,
  tests: readonly T[],
  toOutcome: (test: T) => OutcomeWrite,
  { finishedAt, hasOutcomes }: OutcomeOptions,
): Promise<WrittenOutcomes> {
  const written: WrittenOutcomes = { testedAt: finishedAt ?? new Date(), newer: new Map() }
  for (let start = 0; start < tests.length; start += ROWS_PER_STATEMENT) {
    const batch = await convert(tests.slice(start, start + ROWS_PER_STATEMENT), toOutcome)
    const input = await encodeWrites(batch)
    const statement = hasOutcomes ? buildUpsert(run, input, finishedAt) : buildInsert(run, input, finishedAt)
    const { rows } = await sql<{ tested_at: Date; count: number }>`
      with ${statement}, change as (
        select ${sumOf("status = 'passed'")} as passed, ${sumOf(FAILED)} as failed, ${sumOf(SKIPPED)} as skipped,
          ${sumOf('is_flaky')} as flaky, ${sumOf('not is_matched')} as unmatched,
          coalesce(sum(sign) filter (where sign > 0), 0)::int as count
        from differences
      ), updated_run as (
        update runs set
          passed_test_count = passed_test_count + passed, failed_test_count = failed_test_count + failed,
          skipped_test_count = skipped_test_count + skipped, flaky_test_count = flaky_test_count + flaky,
          unmatched_test_count = unmatched_test_count + unmatched, updated_at = now()
        from change where runs.id = ${run.id}
      )
      select count, ${buildTestedAt(finishedAt)} as tested_at from change`.execute(tx)
    const [row] = rows
    if (row !== undefined) written.testedAt = row.tested_at
    if (row?.count === batch.length || finishedAt === null) continue
    for (const { test_id, tested_at } of await selectNewer(tx, run, batch, finishedAt)) {
      written.newer.set(test_id, tested_at)
    }
  }
  return written
}

async function convert<T>(tests: readonly T[], toOutcome: (test: T) => OutcomeWrite): Promise<OutcomeWrite[]> {
  const yielder = createYielder()
  const outcomes: OutcomeWrite[] = []
  for (const test of tests) {
    if (yielder.shouldYield()) await yielder.yield()
    outcomes.push(toOutcome(test))
  }
  return outcomes
}

const FAILED = "status in ('failed', 'blocked')"
const SKIPPED = "status in ('skipped', 'interrupted')"

const sumOf = (condition: string) => sql`coalesce(sum(sign) filter (where ${sql.raw(condition)}), 0)::int`

/** In milliseconds, as results have it. The same throughout a transaction. */
const buildTestedAt = (finishedAt: Date | null) =>
  finishedAt === null ? sql`now()::timestamptz(3)` : sql`least(${finishedAt}::timestamptz, now())::timestamptz(3)`

const COLUMNS = sql`test_id, status, is_flaky, is_matched, elapsed_ms, attempt_count, attempts`

/** Inserts the first outcomes of a run; `differences` are the rows. */
const buildInsert = (run: RunRef, input: RawBuilder<unknown>, finishedAt: Date | null) => sql`
  differences as (
    insert into test_outcomes (project_id, run_id, tested_at, ${COLUMNS})
    select ${run.project.id}, ${run.id}, ${buildTestedAt(finishedAt)}, ${COLUMNS} from ${input}
    returning status, is_flaky, is_matched, 1 as sign
  )`

/** Replaces outcomes that are not newer; `differences` are the new rows and, with the sign -1, those that they replace. */
const buildUpsert = (run: RunRef, input: RawBuilder<unknown>, finishedAt: Date | null) => sql`
  input as materialized (select * from ${input}), previous as materialized (
    select o.test_id, o.status, o.is_flaky, o.is_matched
    from input join test_outcomes o
      on o.project_id = ${run.project.id} and o.run_id = ${run.id} and o.test_id = input.test_id
  ), written as (
    insert into test_outcomes as o (project_id, run_id, tested_at, ${COLUMNS})
    select ${run.project.id}, ${run.id}, ${buildTestedAt(finishedAt)}, ${COLUMNS} from input
    on conflict (project_id, run_id, test_id) do update set
      status = excluded.status, is_flaky = excluded.is_flaky, is_matched = excluded.is_matched,
      elapsed_ms = excluded.elapsed_ms, attempt_count = excluded.attempt_count, attempts = excluded.attempts,
      tested_at = excluded.tested_at
      ${finishedAt === null ? sql`` : sql`where o.tested_at <= excluded.tested_at`}
    returning test_id, status, is_flaky, is_matched
  ), differences as (
    select status, is_flaky, is_matched, 1 as sign from written
    union all
    select previous.status, previous.is_flaky, previous.is_matched, -1 from previous join written using (test_id)
  )`

/** Selects the tests whose outcome is newer. Only needed when fewer rows were written than sent. */
async function selectNewer(tx: Database, run: RunRef, batch: readonly OutcomeWrite[], finishedAt: Date) {
  const ids = `{${batch.map(({ testId }) => testId).join(',')}}`
  const { rows } = await sql<{ test_id: string; tested_at: Date }>`
    select test_id, tested_at from test_outcomes
    where project_id = ${run.project.id} and run_id = ${run.id} and test_id = any(${ids}::uuid[])
      and tested_at > ${buildTestedAt(finishedAt)}`.execute(tx)
  return rows
}

/** Rows that are joined at once. Appending row by row would build a chain of a million strings. */
const CHUNK_SIZE = 500

/** The writes as a table, encoded as the driver would, but yielding to the event loop. */
async function encodeWrites(writes: readonly OutcomeWrite[]): Promise<RawBuilder<unknown>> {
  const yielder = createYielder(1)
  const encode = async (get: (write: OutcomeWrite) => string | number | boolean): Promise<string> => {
    const chunks: string[] = []
    for (let start = 0; start < writes.length; start += CHUNK_SIZE) {
      if (yielder.shouldYield()) await yielder.yield()
      chunks.push(
        writes
          .slice(start, start + CHUNK_SIZE)
          .map(get)
          .join(','),
      )
    }
    return `{${chunks.join(',')}}`
  }
  return sql`
    unnest(
      ${await encode(({ testId }) => testId)}::uuid[], ${await encode(({ status }) => status)}::attempt_status[],
      ${await encode(({ isFlaky }) => isFlaky)}::boolean[], ${await encode(({ isMatched }) => isMatched)}::boolean[],
      ${await encode(({ elapsedMs }) => elapsedMs ?? 'NULL')}::int[],
      ${await encode(({ attemptCount }) => attemptCount)}::smallint[],
      ${await encode(({ attempts }) => (attempts === null ? 'NULL' : quoteElement(attempts)))}::json[]
    ) as sent (test_id, status, is_flaky, is_matched, elapsed_ms, attempt_count, attempts)`
}
