import type { ResultStatus } from '@casebook/contract/results'
import type { StatusCounts } from '@casebook/contract/runs'
import { sql } from 'kysely'

import type { Database } from '../../database/connect.ts'
import type { RunPlace } from '../../http/places.ts'

/** One result to be written. A note or an elapsed time that is undefined keeps what is there. */
export interface ResultWrite {
  caseNumber: number
  status: ResultStatus
  note: string | null | undefined
  /** Whole seconds. */
  elapsed: number | null | undefined
}

export interface WrittenResults {
  /** What was written, by status. */
  stats: StatusCounts
  /** Numbers of the cases that are not in the run. */
  missing: Set<number>
}

/** Rows in one statement: large enough to cost nothing, small enough that encoding its arrays holds no other request up. */
const BATCH = 10_000

/**
 * Writes results into a run, one statement for each 10,000, and moves the run's counters by the difference. The caller
 * holds the run's row. Each case appears at most once.
 * @param options.testedBy user id, or null for a CI token
 * @param options.dryRun answers as if, and writes nothing
 */
export async function writeResults(
  tx: Database,
  run: RunPlace,
  writes: readonly ResultWrite[],
  options: { testedBy: string | null; dryRun: boolean },
): Promise<WrittenResults> {
  const stats: StatusCounts = { passed: 0, failed: 0, blocked: 0, retest: 0, not_tested: 0 }
  const missing = new Set<number>()
  for (let from = 0; from < writes.length; from += BATCH) {
    const batch = await writeBatch(tx, run, writes.slice(from, from + BATCH), options)
    for (const status of Object.keys(stats) as ResultStatus[]) stats[status] += batch.stats?.[status] ?? 0
    for (const number of batch.missing ?? []) missing.add(number)
  }
  return { stats, missing }
}

interface Batch {
  stats: Partial<StatusCounts> | null
  missing: number[] | null
}

async function writeBatch(
  tx: Database,
  run: RunPlace,
  writes: readonly ResultWrite[],
  { testedBy, dryRun }: { testedBy: string | null; dryRun: boolean },
): Promise<Batch> {
  const input = sql`
    select * from unnest(
      ${writes.map((write) => write.caseNumber)}::int[], ${writes.map((write) => write.status)}::result_status[],
      ${writes.map((write) => write.note ?? null)}::text[], ${writes.map((write) => write.elapsed ?? null)}::int[],
      ${writes.map((write) => write.note === undefined)}::boolean[], ${writes.map((write) => write.elapsed === undefined)}::boolean[]
    ) as given (case_number, status, note, elapsed, keeps_note, keeps_elapsed)`
  const found = sql`old.project_id = ${run.project.id} and old.run_id = ${run.id} and old.case_number = input.case_number`
  // The row is joined to itself to learn the status that it had: RETURNING can tell that only from PostgreSQL 18 on.
  const written = dryRun
    ? sql`select old.case_number, old.status as was, input.status from input join test_results old on ${found}`
    : sql`
      update test_results r set
        status = input.status,
        note = case when input.keeps_note then r.note else input.note end,
        elapsed = case when input.keeps_elapsed then r.elapsed else input.elapsed end,
        tested_by = ${testedBy}::uuid,
        tested_at = now()
      from input join test_results old on ${found}
      where r.project_id = old.project_id and r.run_id = old.run_id and r.id = old.id
      returning r.case_number, old.status as was, r.status`
  const { rows } = await sql<Batch>`
    with input as materialized (${input}), written as (${written}), counted as (
      update runs set
        passed_count = passed_count + d.passed, failed_count = failed_count + d.failed,
        blocked_count = blocked_count + d.blocked, retest_count = retest_count + d.retest,
        not_tested_count = not_tested_count + d.not_tested, updated_at = now()
      from (
        select ${difference('passed')}, ${difference('failed')}, ${difference('blocked')}, ${difference('retest')},
          ${difference('not_tested')}
        from written
      ) d
      where runs.id = ${run.id} and not ${dryRun}::boolean
    )
    select
      (select json_object_agg(status, count) from (select status, count(*) from written group by status) s) as stats,
      (select array_agg(case_number) from input where case_number not in (select case_number from written)) as missing
    `.execute(tx)
  return rows[0] ?? { stats: null, missing: null }
}

/** How many more (or fewer) results have this status now. */
const difference = (status: ResultStatus) =>
  sql`count(*) filter (where status = ${sql.lit(status)}) - count(*) filter (where was = ${sql.lit(status)}) as ${sql.ref(status)}`
