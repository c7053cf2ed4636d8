import { MAX_EVENT_RESULTS } from '@caseward/contract/events'
import type { ResultStatus } from '@caseward/contract/results'
import type { StatusCounts } from '@caseward/contract/run-schemas'
import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { lookUpEach } from '../../platform/database/plans.ts'
import type { RunRef } from '../../access/project-cache.ts'
import type { EncodedResultWrites } from './encode-result-writes.ts'
import { buildPin, buildRecentCase } from './pin-results.queries.ts'
import { buildForgetSteps, buildKeepChanges, countChange } from './result-changes.queries.ts'
import type { PartialResult, ResultWrite, WriteOptions } from './result-write.ts'

interface BatchOptions extends WriteOptions {
  /** Whether results are looked up one by one, because they are a small part of the run. */
  looksUp: boolean
}

interface WriteStatement {
  /** The common table expression that the others read; null for none. */
  input: RawBuilder<unknown> | null
  /** Returns `id`, `previous_status`, `status` and what {@link buildRecentCase} selects of every result that is written. */
  write: RawBuilder<{ id: string; previous_status: ResultStatus; status: ResultStatus; recent_case: number | null }>
  /** Keeps what they were before; null for a dry run. */
  keep: RawBuilder<unknown> | null
}

/** @param result without a status, the result keeps its own */
export function buildSingleUpdate(run: RunRef, id: string, result: PartialResult, testedBy: string): WriteStatement {
  const { note, elapsed } = result
  const values = {
    status: result.status === undefined ? sql`r.status` : sql`${result.status}::result_status`,
    note: note === undefined ? sql`r.note` : sql`${note}::text`,
    replacesSteps: result.replacesSteps === true ? sql`r.status <> 'not_tested'` : undefined,
  }
  const match = sql`r.project_id = ${run.project.id} and r.run_id = ${run.id} and r.id = ${id}`
  const tester =
    result.keepsTester === true
      ? sql`tested_by = r.tested_by`
      : sql`tested_by = ${testedBy}, tested_at = now(), set_at = now()`
  return {
    input: null,
    write: sql`
      update test_results r set
        previous_status = r.status, status = ${values.status}, note = ${values.note},
        elapsed = ${elapsed === undefined ? sql`r.elapsed` : elapsed}, ${tester},
        changed_at = statement_timestamp(), change_count = ${countChange(values)}, case_version = ${
          result.status === undefined && result.caseVersion === undefined
            ? sql`r.case_version`
            : buildPin(run, isTested(values.status), sql`${result.caseVersion ?? null}::int`)
        }
      where ${match}
      returning r.id, r.previous_status, r.status, ${buildRecentCase(run)} as recent_case`,
    keep: buildKeepChanges(run, { source: sql`test_results r`, match, looksUp: true }, values),
  }
}

export function buildBatchUpdate(
  run: RunRef,
  writes: EncodedResultWrites,
  { testedBy, ...options }: BatchOptions,
): WriteStatement {
  const keepsAny = writes.keeps !== null
  const note = keepsAny ? sql`case when input.keeps_note then r.note else input.note end` : sql`input.note`
  const elapsed = keepsAny
    ? sql`case when input.keeps_elapsed then r.elapsed else input.elapsed end`
    : sql`input.elapsed`
  const isFromCi = testedBy === null
  const values = { status: sql`input.status`, note, replacesSteps: buildReplacesSteps(writes, isFromCi) }
  const caseVersion = writes.caseVersions === null ? sql`null::int` : sql`input.case_version`
  const match = buildMatch(run, options)
  const source = { source: sql`input join test_results r on true`, match, looksUp: options.looksUp }
  return {
    // Two statements read it, and sending it twice takes longer.
    input: sql`input as materialized (select * from ${buildInput(writes)})`,
    write: sql`
      update test_results r set
        previous_status = r.status, status = input.status, note = ${note}, elapsed = ${elapsed},
        tested_by = ${testedBy}::uuid, tested_at = ${buildTestedAt(options.finishedAt)}, changed_at = statement_timestamp(),
        change_count = ${countChange(values)}, ${
          isFromCi
            ? sql`step_state = null, case_version = null`
            : sql`set_at = now(), case_version = ${buildPin(run, isTested(values.status), caseVersion)}`
        }
      from input
      where ${match}
      returning r.id, r.previous_status, r.status, ${isFromCi ? sql`null::int` : buildRecentCase(run)} as recent_case`,
    keep: sql`${buildKeepChanges(run, source, values)}${isFromCi ? buildForgetSteps(run) : sql``}`,
  }
}

const isTested = (status: RawBuilder<unknown>): RawBuilder<unknown> => sql`${status} <> 'not_tested'`

/**
 * Whether a write replaces results of steps. While a person goes through the steps of a result that is not tested, what they
 * change is no earlier result.
 */
function buildReplacesSteps(
  { replacesSteps }: EncodedResultWrites,
  isFromCi: boolean,
): RawBuilder<unknown> | undefined {
  if (isFromCi) return sql`r.step_state is not null`
  return replacesSteps === null ? undefined : sql`(input.replaces_steps and r.status <> 'not_tested')`
}

/** Selects what {@link buildBatchUpdate} would return. */
export const buildBatchSelect = (run: RunRef, writes: EncodedResultWrites, options: WriteOptions): WriteStatement => ({
  input: null,
  write: sql`
    select r.id, r.status as previous_status, input.status, null::int as recent_case
    from ${buildInput(writes)} join test_results r on ${buildMatch(run, options)}`,
  keep: null,
})

function buildInput(encoded: EncodedResultWrites): RawBuilder<unknown> {
  const { caseNumbers, statuses, notes, elapsed, keeps, replacesSteps, caseVersions } = encoded
  const keepArrays = keeps === null ? sql`` : sql`, ${keeps.note}::boolean[], ${keeps.elapsed}::boolean[]`
  const keepNames = keeps === null ? sql`` : sql`, keeps_note, keeps_elapsed`
  const steps = replacesSteps === null ? sql`` : sql`, ${replacesSteps}::boolean[]`
  const versions = caseVersions === null ? sql`` : sql`, ${caseVersions}::int[]`
  const versionsName = caseVersions === null ? sql`` : sql`, case_version`
  const stepsName = replacesSteps === null ? sql`` : sql`, replaces_steps`
  return sql`
    unnest(${caseNumbers}::int[], ${statuses}::result_status[], ${notes}::text[], ${elapsed}::int[]${keepArrays}${steps}${versions})
      as input (case_number, status, note, elapsed${keepNames}${stepsName}${versionsName})`
}

type TimeOptions = Pick<WriteOptions, 'finishedAt' | 'replacesUntested'>
type MatchOptions = TimeOptions & Partial<Pick<BatchOptions, 'looksUp'>>

/** Matches a result `r` with a row of `input`, unless the result is newer. */
function buildMatch(run: RunRef, { finishedAt, replacesUntested, looksUp }: MatchOptions): RawBuilder<unknown> {
  const inRun = sql`${buildInRun(run, sql`input.case_number`)} ${
    // The numbers as a subquery: PostgreSQL looks at each of an array to estimate how many rows there are.
    looksUp ? sql`and r.case_number = any(array(select case_number from input))` : sql``
  }`
  return finishedAt === null
    ? inRun
    : sql`${inRun} and not ${buildIsNewer(finishedAt, { replacesUntested, status: sql`input.status` })}`
}

/** Whether a result `r` is newer than what is written, and stays. Citus allows no time of now in `coalesce`. */
const buildIsNewer = (
  finishedAt: Date,
  { replacesUntested = false, status }: { replacesUntested?: boolean | undefined; status: RawBuilder<unknown> },
) => sql`(
  (r.tested_at > ${buildTestedAt(finishedAt)}) is true
  ${replacesUntested ? sql`and not (r.status = 'not_tested' and r.tested_by is null and ${status} <> 'not_tested')` : sql``}
)`

/** Matches a result `r` of a run by its test case. */
const buildInRun = ({ id, group, project }: RunRef, caseNumber: RawBuilder<unknown>) => sql`
  r.project_id = ${project.id} and r.run_group = ${group} and r.case_number = ${caseNumber} and r.run_id = ${id}`

/** In milliseconds, as stored, so that the same upload sent again is not newer. The same throughout a transaction. */
const buildTestedAt = (finishedAt: Date | null) =>
  finishedAt === null ? sql`now()` : sql`least(${finishedAt}::timestamptz, now())::timestamptz(3)`

/** What a write has changed. */
export interface AppliedWrite {
  /** The number of results written, by status. */
  stats: Partial<StatusCounts>
  /** The time of its transaction. */
  at: Date
  /** The first of the results written: one more than an event can contain, if there are as many. */
  ids: string[]
  /** What {@link buildRecentCase} has found. */
  recentCases: number[]
}

/** Runs a write and adjusts the run's counters by the difference, in one statement. */
export async function applyWrite(
  tx: Database,
  run: RunRef,
  { input, write, keep }: WriteStatement,
  dryRun: boolean,
): Promise<AppliedWrite> {
  const { rows } = await sql<{
    stats: Partial<StatusCounts> | null
    at: Date
    ids: string | null
    recent: number[] | null
  }>`
    with ${input === null ? sql`` : sql`${input}, `}${keep === null ? sql`` : sql`${keep}, `}written as (${write}), changes as (
      select previous_status, status, count(*)::int as count from written group by previous_status, status
    ), updated_run as (
      update runs set
        passed_count = passed_count + d.passed, failed_count = failed_count + d.failed,
        blocked_count = blocked_count + d.blocked, retest_count = retest_count + d.retest,
        not_tested_count = not_tested_count + d.not_tested, updated_at = now()
      from (
        select ${sumDifference('passed')}, ${sumDifference('failed')}, ${sumDifference('blocked')},
          ${sumDifference('retest')}, ${sumDifference('not_tested')}
        from changes
      ) d
      where runs.id = ${run.id} and not ${dryRun}::boolean
    )
    select json_object_agg(status, count) as stats, now()::timestamptz(3) as at,
      (select string_agg(id::text, ',') from (select id from written limit ${sql.lit(MAX_EVENT_RESULTS + 1)}) first) as ids,
      (select array_agg(recent_case) from written where recent_case is not null) as recent
    from (select status, sum(count)::int as count from changes group by status) s`.execute(tx)
  const [row] = rows
  return {
    stats: row?.stats ?? {},
    at: row?.at ?? new Date(),
    ids: row?.ids?.split(',') ?? [],
    recentCases: row?.recent ?? [],
  }
}

/** How many more results have this status than before; negative for fewer. */
const sumDifference = (status: ResultStatus) => sql`
  coalesce(sum(count) filter (where status = ${sql.lit(status)}), 0)
    - coalesce(sum(count) filter (where previous_status = ${sql.lit(status)}), 0) as ${sql.ref(status)}`

/**
 * Selects the writes whose test case is not in the run, and those whose result is newer, with its time. Only needed when
 * fewer rows were written than sent.
 */
export async function selectUnwritten(
  tx: Database,
  run: RunRef,
  writes: readonly ResultWrite[],
  { finishedAt, replacesUntested }: TimeOptions,
): Promise<{ number: number; tested_at: Date | null }[]> {
  const numbers = sql`unnest(
    ${writes.map(({ caseNumber }) => caseNumber)}::int[], ${writes.map(({ status }) => status)}::result_status[]
  ) as sent (number, status)`
  const inRun = buildInRun(run, sql`number`)
  const select =
    finishedAt === null
      ? sql<{ number: number; tested_at: Date | null }>`
        select number, null as tested_at from ${numbers}
        where not exists (select from test_results r where ${inRun} ${lookUpEach})`
      : sql<{ number: number; tested_at: Date | null }>`
        select number, r.tested_at from ${numbers} left join test_results r on ${inRun}
        where r.id is null or ${buildIsNewer(finishedAt, { replacesUntested, status: sql`sent.status` })}`
  const { rows } = await select.execute(tx)
  return rows
}
