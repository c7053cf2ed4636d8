import { type RawBuilder, sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { createYielder } from '../../platform/yielder.ts'
import { encodeOutcomeWrites } from './encode-outcome-writes.ts'
import type { OutcomeWrite } from './outcome-write.ts'
import { COUNTED_AS, FAILED, PASSED, SKIPPED } from './outcomes.queries.ts'

export interface OutcomeOptions {
  /** When the tests finished; a time in the future counts as now. Newer outcomes are kept. Null overwrites all. */
  finishedAt: Date | null
  /** Whether the run has outcomes already: looking for them would take a third of the time. */
  hasOutcomes: boolean
  /**
   * Whether the run has several sources. Then the caller has compared the outcomes with the stored ones, and all are written
   * with their own source and time.
   */
  hasSources: boolean
}

/** What a write has changed. */
export interface WrittenOutcomes {
  /** The time of the outcomes. */
  testedAt: Date
  /** Tests whose newer outcome was kept, with its time. */
  newer: Map<string, Date>
  /** Tests that were skipped, and whose earlier execution was kept: a filter of the framework lists the rest as skipped. */
  executed: Set<string>
  /** What sources reported of tests and was kept, if the run has several: see `combine-with-stored.ts`. */
  keptParts?: ReadonlySet<string>
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
  { finishedAt, hasOutcomes, hasSources }: OutcomeOptions,
): Promise<WrittenOutcomes> {
  const written: WrittenOutcomes = { testedAt: finishedAt ?? new Date(), newer: new Map(), executed: new Set() }
  for (let start = 0; start < tests.length; start += ROWS_PER_STATEMENT) {
    const batch = await convert(tests.slice(start, start + ROWS_PER_STATEMENT), toOutcome)
    const input = await encodeOutcomeWrites(batch, { hasSources })
    const values = hasSources ? SOURCE_VALUES : buildValues(finishedAt)
    const statement = hasOutcomes
      ? buildUpsert(run, input, values, { keepsNewer: finishedAt !== null && !hasSources, hasSources })
      : buildInsert(run, input, values, countOutcomes(batch))
    const { rows } = await sql<{ tested_at: Date; count: number }>`
      with ${statement}, updated_run as (
        update runs set
          passed_test_count = passed_test_count + passed, failed_test_count = failed_test_count + failed,
          skipped_test_count = skipped_test_count + skipped, flaky_test_count = flaky_test_count + flaky,
          unmatched_test_count = unmatched_test_count + unmatched,
          unmatched_passed_count = unmatched_passed_count + unmatched_passed,
          unmatched_failed_count = unmatched_failed_count + unmatched_failed,
          unmatched_skipped_count = unmatched_skipped_count + unmatched_skipped, updated_at = now()
        from change where runs.id = ${run.id}
      )
      select count, ${buildTestedAt(finishedAt)} as tested_at from change`.execute(tx)
    const [row] = rows
    if (row !== undefined) written.testedAt = row.tested_at
    if (row?.count === batch.length) continue
    for (const { test_id, tested_at, is_newer } of await selectKept(tx, run, batch, finishedAt)) {
      if (is_newer) written.newer.set(test_id, tested_at)
      else written.executed.add(test_id)
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

const sumOf = (condition: string) => sql`coalesce(sum(sign) filter (where ${sql.raw(condition)}), 0)::int`

/** In milliseconds, as results have it. The same throughout a transaction. */
const buildTestedAt = (finishedAt: Date | null) =>
  finishedAt === null ? sql`now()::timestamptz(3)` : sql`least(${finishedAt}::timestamptz, now())::timestamptz(3)`

const COLUMNS = sql`test_id, status, is_flaky, is_matched, elapsed_ms, attempt_count, attempts`

/** The columns that are the same for all rows of an upload, or differ if the run has several sources. */
interface Values {
  columns: RawBuilder<unknown>
  select: RawBuilder<unknown>
}

const buildValues = (finishedAt: Date | null): Values => ({
  columns: sql`tested_at, ${COLUMNS}`,
  select: sql`${buildTestedAt(finishedAt)}, ${COLUMNS}`,
})

const SOURCE_VALUES: Values = {
  columns: sql`tested_at, source, ${COLUMNS}`,
  select: sql`tested_at, source, ${COLUMNS}`,
}

/** How many outcomes there are of each kind that a run counts. */
interface OutcomeCounts {
  passed: number
  failed: number
  skipped: number
}

/** Counts outcomes, and among them those that are unmatched. */
function countOutcomes(writes: readonly OutcomeWrite[]): {
  all: OutcomeCounts
  unmatched: OutcomeCounts
  flaky: number
} {
  const all = { passed: 0, failed: 0, skipped: 0 }
  const unmatched = { passed: 0, failed: 0, skipped: 0 }
  let flaky = 0
  for (const { status, isMatched, isFlaky } of writes) {
    const kind = COUNTED_AS[status]
    all[kind] += 1
    if (!isMatched) unmatched[kind] += 1
    if (isFlaky) flaky += 1
  }
  return { all, unmatched, flaky }
}

/**
 * Inserts the first outcomes of a run. None is there before, so that the statement need not count what it changes, which
 * would take a tenth of its time.
 */
const buildInsert = (
  run: RunRef,
  input: RawBuilder<unknown>,
  { columns, select }: Values,
  { all, unmatched, flaky }: ReturnType<typeof countOutcomes>,
) => sql`
  inserted as (
    insert into test_outcomes (project_id, run_id, ${columns})
    select ${run.project.id}, ${run.id}, ${select} from ${input}
  ), change as (
    select ${all.passed}::int as passed, ${all.failed}::int as failed, ${all.skipped}::int as skipped,
      ${flaky}::int as flaky, ${sumCounts(unmatched)}::int as unmatched, ${unmatched.passed}::int as unmatched_passed,
      ${unmatched.failed}::int as unmatched_failed, ${unmatched.skipped}::int as unmatched_skipped,
      ${sumCounts(all)}::int as count
  )`

const sumCounts = ({ passed, failed, skipped }: OutcomeCounts): number => passed + failed + skipped

/**
 * Replaces outcomes that are not newer, and counts what changes: `differences` are the new rows and, with the sign -1, those
 * that they replace.
 */
const buildUpsert = (
  run: RunRef,
  input: RawBuilder<unknown>,
  { columns, select }: Values,
  { keepsNewer, hasSources }: { keepsNewer: boolean; hasSources: boolean },
) => sql`
  input as materialized (select * from ${input}), previous as materialized (
    select o.test_id, o.status, o.is_flaky, o.is_matched
    from input join test_outcomes o
      on o.project_id = ${run.project.id} and o.run_id = ${run.id} and o.test_id = input.test_id
  ), written as (
    insert into test_outcomes as o (project_id, run_id, ${columns})
    select ${run.project.id}, ${run.id}, ${select} from input
    on conflict (project_id, run_id, test_id) do update set
      status = excluded.status, is_flaky = excluded.is_flaky, is_matched = excluded.is_matched,
      elapsed_ms = excluded.elapsed_ms, attempt_count = excluded.attempt_count, attempts = excluded.attempts,
      tested_at = excluded.tested_at ${hasSources ? sql`, source = excluded.source` : sql``}
      ${hasSources ? sql`` : sql`where ${buildReplaces(keepsNewer)}`}
    returning test_id, status, is_flaky, is_matched
  ), differences as (
    select status, is_flaky, is_matched, 1 as sign from written
    union all
    select previous.status, previous.is_flaky, previous.is_matched, -1 from previous join written using (test_id)
  ), change as (
    select ${sumOf(PASSED)} as passed, ${sumOf(FAILED)} as failed, ${sumOf(SKIPPED)} as skipped,
      ${sumOf('is_flaky')} as flaky, ${sumOf('not is_matched')} as unmatched,
      ${sumOf(`not is_matched and ${PASSED}`)} as unmatched_passed,
      ${sumOf(`not is_matched and ${FAILED}`)} as unmatched_failed,
      ${sumOf(`not is_matched and ${SKIPPED}`)} as unmatched_skipped,
      coalesce(sum(sign) filter (where sign > 0), 0)::int as count
    from differences
  )`

/**
 * Whether the outcome `excluded` replaces the stored one. An execution goes before a skipped test, whichever came first: a
 * filter of the framework lists what it leaves out as skipped.
 */
const buildReplaces = (keepsNewer: boolean): RawBuilder<unknown> => {
  const isNoLoss = sql`(excluded.status <> 'skipped' or o.status = 'skipped')`
  if (!keepsNewer) return isNoLoss
  return sql`${isNoLoss} and (o.tested_at <= excluded.tested_at or (o.status = 'skipped' and excluded.status <> 'skipped'))`
}

/** Selects the tests whose stored outcome was kept. Only needed when fewer rows were written than sent. */
async function selectKept(tx: Database, run: RunRef, batch: readonly OutcomeWrite[], finishedAt: Date | null) {
  const toIds = (writes: readonly OutcomeWrite[]) => `{${writes.map(({ testId }) => testId).join(',')}}`
  const skipped = toIds(batch.filter(({ status }) => status === 'skipped'))
  const wasExecuted = sql`(status <> 'skipped' and test_id = any(${skipped}::uuid[]))`
  const isNewer =
    finishedAt === null
      ? sql`false`
      : sql`(tested_at > ${buildTestedAt(finishedAt)} and (status <> 'skipped' or test_id = any(${skipped}::uuid[])))`
  const { rows } = await sql<{ test_id: string; tested_at: Date; is_newer: boolean }>`
    select test_id, tested_at, ${isNewer} and not ${wasExecuted} as is_newer from test_outcomes
    where project_id = ${run.project.id} and run_id = ${run.id} and test_id = any(${toIds(batch)}::uuid[])
      and (${isNewer} or ${wasExecuted})`.execute(tx)
  return rows
}
