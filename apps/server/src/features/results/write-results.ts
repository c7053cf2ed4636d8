import type { ResultStatus } from '@caseward/contract/results'
import type { StatusCounts } from '@caseward/contract/runs'
import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import type { RunRef } from '../../access/project-cache.ts'
import { createYielder } from '../../platform/yielder.ts'

/** What a result becomes. A note or an elapsed time that is undefined keeps what is there. */
export interface NewResult {
  status: ResultStatus
  note: string | null | undefined
  /** Whole seconds. */
  elapsed: number | null | undefined
}

/** A result to be written, by its case. */
export interface ResultWrite extends NewResult {
  caseNumber: number
}

export interface WrittenResults {
  /** What was written, by status. */
  stats: StatusCounts
  /** Numbers of the cases that are not in the run. */
  missing: Set<number>
  /** Cases whose result stayed because it is newer, by number, with the time of that result. */
  newer: Map<number, Date>
}

export interface WriteOptions {
  /** User id, or null for a CI token. */
  testedBy: string | null
  /** Answer as if, and write nothing. */
  dryRun: boolean
  /** When the tests were over, or now where that is later; what is newer stays. Null overwrites whatever is there. */
  finishedAt: Date | null
}

/** Rows in one statement. Each goes through all of a large run once, so that few and large ones are the fastest. */
const BATCH = 50_000
/** From how many rows on a plan of their own is worth making. */
const CUSTOM_PLAN_MIN_ROWS = 100

/**
 * Writes results into a run, one statement for each 50,000, and moves the run's counters by the difference. The caller
 * holds the run's row. Each case appears at most once.
 */
export async function writeResults(
  tx: Database,
  run: RunRef,
  writes: readonly ResultWrite[],
  options: WriteOptions,
): Promise<WrittenResults> {
  // The kept plan expects a handful of rows.
  if (writes.length > CUSTOM_PLAN_MIN_ROWS) await sql`set local plan_cache_mode = force_custom_plan`.execute(tx)
  const stats: StatusCounts = { passed: 0, failed: 0, blocked: 0, retest: 0, not_tested: 0 }
  const missing = new Set<number>()
  const newer = new Map<number, Date>()
  for (let from = 0; from < writes.length; from += BATCH) {
    const batch = writes.slice(from, from + BATCH)
    const counts = await write(tx, run, batchUpdate(run, await encode(batch), options), options.dryRun)
    let written = 0
    for (const [status, count] of Object.entries(counts) as [ResultStatus, number][]) {
      stats[status] += count
      written += count
    }
    if (written === batch.length) continue
    for (const { number, tested_at } of await selectUnwritten(tx, run, batch, options.finishedAt)) {
      if (tested_at === null) missing.add(number)
      else newer.set(number, tested_at)
    }
  }
  return { stats, missing, newer }
}

/** Writes one result, named by its own id: its case may have been deleted. The caller holds the run's row. */
export async function writeResult(
  tx: Database,
  run: RunRef,
  id: string,
  { status, note, elapsed }: NewResult,
  testedBy: string,
): Promise<void> {
  const update = sql`
    update test_results set
      previous_status = status, status = ${status}, note = ${note === undefined ? sql`note` : note},
      elapsed = ${elapsed === undefined ? sql`elapsed` : elapsed}, tested_by = ${testedBy}, tested_at = now()
    where project_id = ${run.project.id} and run_id = ${run.id} and id = ${id}
    returning previous_status as was, status`
  await write(tx, run, update, false)
}

/** The columns of a batch, as PostgreSQL writes arrays. */
interface Encoded {
  caseNumbers: string
  statuses: string
  notes: string
  elapsed: string
  /** Null when no row keeps anything. */
  keeps: { note: string; elapsed: string } | null
}

/** Rows whose columns are encoded at one go. Row by row the arrays would be chains of a million strings. */
const ENCODE_CHUNK = 500

/** Encodes in turns what the driver would encode at one go. */
async function encode(writes: readonly ResultWrite[]): Promise<Encoded> {
  const turns = createYielder(1)
  const slices: (readonly ResultWrite[])[] = []
  for (let from = 0; from < writes.length; from += ENCODE_CHUNK) {
    slices.push(writes.slice(from, from + ENCODE_CHUNK))
  }
  const column = async (element: (write: ResultWrite) => string | number | boolean) => {
    const encoded: string[] = []
    for (const slice of slices) {
      if (turns.shouldYield()) await turns.yield()
      encoded.push(slice.map(element).join(','))
    }
    return `{${encoded.join(',')}}`
  }
  const keepsAny = writes.some(({ note, elapsed }) => note === undefined || elapsed === undefined)
  return {
    caseNumbers: await column(({ caseNumber }) => caseNumber),
    statuses: await column(({ status }) => status),
    notes: await column(({ note }) => (typeof note === 'string' ? quoted(note) : 'NULL')),
    elapsed: await column(({ elapsed }) => elapsed ?? 'NULL'),
    keeps: keepsAny
      ? {
          note: await column(({ note }) => note === undefined),
          elapsed: await column(({ elapsed }) => elapsed === undefined),
        }
      : null,
  }
}

/** An element of an array (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO). */
const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`

/** The same in every statement of a transaction. To the millisecond, as it is stored: sent again, it is no newer. */
const testedAt = (finishedAt: Date | null) =>
  finishedAt === null ? sql`now()` : sql`least(${finishedAt}::timestamptz, now())::timestamptz(3)`

function batchUpdate(
  run: RunRef,
  { caseNumbers, statuses, notes, elapsed, keeps }: Encoded,
  { testedBy, dryRun, finishedAt }: WriteOptions,
): RawBuilder<unknown> {
  const kept = keeps === null ? sql`` : sql`, ${keeps.note}::boolean[], ${keeps.elapsed}::boolean[]`
  const input = sql`
    unnest(${caseNumbers}::int[], ${statuses}::result_status[], ${notes}::text[], ${elapsed}::int[]${kept})
      as input (case_number, status, note, elapsed${keeps === null ? sql`` : sql`, keeps_note, keeps_elapsed`})`
  const inRun = sql`r.project_id = ${run.project.id} and r.run_id = ${run.id} and r.case_number = input.case_number`
  const isOlder = sql`(r.tested_at is null or r.tested_at <= ${testedAt(finishedAt)})`
  const match = finishedAt === null ? inRun : sql`${inRun} and ${isOlder}`
  if (dryRun) return sql`select r.status as was, input.status from ${input} join test_results r on ${match}`
  const note = keeps === null ? sql`input.note` : sql`case when input.keeps_note then r.note else input.note end`
  const time =
    keeps === null ? sql`input.elapsed` : sql`case when input.keeps_elapsed then r.elapsed else input.elapsed end`
  return sql`
    update test_results r set previous_status = r.status, status = input.status, note = ${note}, elapsed = ${time},
      tested_by = ${testedBy}::uuid, tested_at = ${testedAt(finishedAt)}
    from ${input}
    where ${match}
    returning r.previous_status as was, r.status`
}

/**
 * Runs an update of results that returns each row's status and what it `was`, and moves the run's counters with it.
 * @returns how many were written, by status
 */
async function write(
  tx: Database,
  run: RunRef,
  update: RawBuilder<unknown>,
  dryRun: boolean,
): Promise<Partial<StatusCounts>> {
  const { rows } = await sql<{ stats: Partial<StatusCounts> | null }>`
    with written as (${update}), moved as (
      select was, status, count(*)::int as count from written group by was, status
    ), counted as (
      update runs set
        passed_count = passed_count + d.passed, failed_count = failed_count + d.failed,
        blocked_count = blocked_count + d.blocked, retest_count = retest_count + d.retest,
        not_tested_count = not_tested_count + d.not_tested, updated_at = now()
      from (
        select ${difference('passed')}, ${difference('failed')}, ${difference('blocked')}, ${difference('retest')},
          ${difference('not_tested')}
        from moved
      ) d
      where runs.id = ${run.id} and not ${dryRun}::boolean
    )
    select json_object_agg(status, count) as stats
    from (select status, sum(count)::int as count from moved group by status) s`.execute(tx)
  return rows[0]?.stats ?? {}
}

/** How many more (or fewer) results have this status now. */
const difference = (status: ResultStatus) => sql`
  coalesce(sum(count) filter (where status = ${sql.lit(status)}), 0)
    - coalesce(sum(count) filter (where was = ${sql.lit(status)}), 0) as ${sql.ref(status)}`

/** Asked only when fewer rows were written than sent: what is not in the run, and what is newer with its time. */
async function selectUnwritten(
  tx: Database,
  run: RunRef,
  writes: readonly ResultWrite[],
  finishedAt: Date | null,
): Promise<{ number: number; tested_at: Date | null }[]> {
  const numbers = sql`unnest(${writes.map(({ caseNumber }) => caseNumber)}::int[]) as number`
  const inRun = sql`r.project_id = ${run.project.id} and r.run_id = ${run.id} and r.case_number = number`
  const unwritten =
    finishedAt === null
      ? sql`
        select number, null as tested_at from ${numbers}
        where not exists (select from test_results r where ${inRun})`
      : sql`
        select number, r.tested_at from ${numbers} left join test_results r on ${inRun}
        where r.id is null or r.tested_at > ${testedAt(finishedAt)}`
  const { rows } = await sql<{ number: number; tested_at: Date | null }>`${unwritten}`.execute(tx)
  return rows
}
