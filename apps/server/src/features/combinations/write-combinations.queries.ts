import { MAX_EVENT_RESULTS } from '@caseward/contract/events'
import { MAX_RESULT_CHANGES } from '@caseward/contract/result-changes'
import type { ResultStatus } from '@caseward/contract/results'
import type { StatusCounts } from '@caseward/contract/run-schemas'
import { RESULT_STATUSES } from '@caseward/contract/results'
import { type RawBuilder, sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import { quoteElement } from '../../platform/database/array-literal.ts'
import type { Database } from '../../platform/database/connect.ts'
import { buildPin, buildRecentCase } from '../results/pin-results.queries.ts'

/** What is written to a combination, or to all combinations of a result. */
export interface CombinationWrite {
  resultId: string
  /** Null for all combinations: the result is set as a whole. */
  place: number | null
  status: ResultStatus
  /** Undefined keeps it. Of a whole result it is the note of the result. */
  note: string | null | undefined
  elapsed: number | null | undefined
  replacesSteps?: boolean | undefined
  /** The version of the test case that was tested, if it is set by hand. */
  caseVersion?: number | undefined
}

export interface CombinationWriteOptions {
  /** User id, or null for a CI token. */
  testedBy: string | null
  /** Newer combinations are kept. Null overwrites all. */
  finishedAt: Date | null
  /** Whether newer combinations that CI left untested are replaced all the same. */
  replacesUntested?: boolean | undefined
}

/** What a write has changed. */
export interface WrittenCombinations {
  /** The number of results written, by the status that they have now. */
  stats: Partial<StatusCounts>
  at: Date
  /** The results that were written, all of them. */
  ids: string[]
  /** What {@link buildRecentCase} has found. */
  recentCases: number[]
}

/** The statuses, which are stored as their places in this array, from 0. */
export const STATUSES = `array[${RESULT_STATUSES.map((status) => `'${status}'`).join(', ')}]::result_status[]`

/** `test_results.combination_state` of the status of `rolled`; null without one. */
export const STATUS_NUMBER = sql.raw(`array_position(${STATUSES}, rolled.status) - 1`)

/** The status that follows from rows with a `status`, as `rollUpSteps` of `packages/matching` says. */
export const ROLL_UP = sql.raw(`case
  when bool_or(status = 'failed') then 'failed' when bool_or(status = 'blocked') then 'blocked'
  when bool_or(status = 'retest') then 'retest' when bool_or(status = 'not_tested') then 'not_tested'
  else 'passed'
end::result_status`)

/** The sum of the times of rows that a result is rolled up from. */
const ROLL_UP_ELAPSED = sql.raw(`case when count(elapsed) > 0 then least(sum(elapsed), 2147483647)::int end as elapsed`)

/** The same, and who tested the newest of the rows, and when. */
export const ROLL_UP_REST = sql`
  ${ROLL_UP_ELAPSED}, max(tested_at) as tested_at, (array_agg(tested_by order by tested_at desc nulls last))[1] as tested_by`

/** What lists show of rows with a `place`, a `status` and a `note`: `test_results.combination_summary`. */
export const SUMMARY = sql.raw(
  `string_agg((array_position(${STATUSES}, status)
    - case when note is null then 1 else -4 end)::text, '' order by place) as summary`,
)

const EARLIER = `'place', c.place, 'status', c.status, 'note', c.note, 'elapsed', c.elapsed, 'tested_by', c.tested_by,
    'tested_at', to_char(c.tested_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** An earlier state of a combination `c`, as `result_changes.combinations` contains it: with the results of its steps if it has some. */
export const buildEarlier = (run: { id: string; project: { id: string } }) => sql`
  case when c.step_state is null then json_build_object(${sql.raw(EARLIER)})
    else json_build_object(${sql.raw(EARLIER)}, 'steps', (
      select s.steps from step_results s
      where s.project_id = ${run.project.id} and s.run_id = ${run.id} and s.result_id = c.result_id and s.place = c.place
    )) end`

/** The common table expressions that remove earlier values of results that have too many. `kept` are the added ones. */
export const buildForgetOldest = (run: RunRef) => sql`
  oldest as materialized (
    select result_id, place - ${sql.lit(MAX_RESULT_CHANGES)} as place from kept where place >= ${sql.lit(MAX_RESULT_CHANGES)}
  ), forgotten as (
    delete from result_changes c using oldest
    where exists (select from oldest) and c.project_id = ${run.project.id} and c.run_id = ${run.id}
      and c.result_id = oldest.result_id and c.place = oldest.place
  )`

/** Moves the counters of the configurations of a run by the rows of `moved (configuration, previous_status, status)`. */
export const buildMoveConfigurations = (run: { id: string; project: { id: string } }) => sql`
  moved_configurations as (
    update run_configurations f set
      passed_count = passed_count + d.passed, failed_count = failed_count + d.failed,
      blocked_count = blocked_count + d.blocked, retest_count = retest_count + d.retest,
      not_tested_count = not_tested_count + d.not_tested
    from (select configuration, ${sumDifferences()} from moved group by configuration) d
    where f.project_id = ${run.project.id} and f.run_id = ${run.id} and f.place = d.configuration
  )`

/** How many more rows have each status than before; negative for fewer. */
export const sumDifferences = (): RawBuilder<unknown> =>
  sql.join(
    RESULT_STATUSES.map(
      (status) => sql`(count(*) filter (where status = ${sql.lit(status)})
        - count(*) filter (where previous_status = ${sql.lit(status)}))::int as ${sql.ref(status)}`,
    ),
    sql`, `,
  )

/** Moves the counters of a run by the rows of `updated (previous_status, status)`. */
export const buildMoveRun = (run: RunRef, others: RawBuilder<unknown> = sql``) => sql`
  moved_run as (
    update runs set
      passed_count = passed_count + d.passed, failed_count = failed_count + d.failed,
      blocked_count = blocked_count + d.blocked, retest_count = retest_count + d.retest,
      not_tested_count = not_tested_count + d.not_tested, updated_at = now() ${others}
    from (select ${sumDifferences()} from updated) d
    where runs.id = ${run.id}
  )`

/**
 * Writes combinations, and the results that follow from them, with the counters of the run and its configurations: one
 * statement. What is replaced is kept. The caller holds the lock on the run; each combination is written once.
 */
export async function applyCombinationWrites(
  tx: Database,
  run: RunRef,
  writes: readonly CombinationWrite[],
  options: CombinationWriteOptions,
): Promise<WrittenCombinations> {
  const { project, id: runId } = run
  const isByHand = options.testedBy !== null
  const testedAt = buildTestedAt(options.finishedAt)
  // What a user sets is the newest.
  const rest = isByHand
    ? sql`${ROLL_UP_ELAPSED}, ${testedAt}::timestamptz(3) as tested_at, ${options.testedBy}::uuid as tested_by`
    : ROLL_UP_REST
  const { rows } = await sql<{
    stats: Partial<StatusCounts> | null
    at: Date
    ids: string[] | null
    recent: number[] | null
  }>`
    with input as materialized (${buildInput(writes)}), target as materialized (
      select c.*, input.place is null as is_whole, input.status as new_status,
        case when input.place is null then case when c.status = input.status then c.note end
          when input.keeps_note then c.note else input.note end as new_note,
        input.place is not null and input.replaces_steps as replaces_steps,
        case when input.keeps_elapsed then c.elapsed when input.place is not null then input.elapsed end as new_elapsed
      from input join result_combinations c on c.project_id = ${project.id} and c.run_id = ${runId}
        and c.result_id = input.result_id and (input.place is null or c.place = input.place)
      where not ${buildIsNewer(options, sql`input.status`)}
    ), whole as materialized (
      select r.id, case when input.keeps_note then r.note else input.note end as note,
        case when input.keeps_elapsed then r.elapsed else input.elapsed end as elapsed, input.replaces_steps
      from input join test_results r on r.project_id = ${project.id} and r.run_id = ${runId} and r.id = input.result_id
      where input.place is null
    ), sent as materialized (
      select result_id, max(case_version) as case_version from input group by result_id
    ), replaced as materialized (
      select c.result_id, json_agg(${buildEarlier(run)} order by c.place) as combinations
      from target c where c.tested_at is not null and (c.replaces_steps or ${IS_OTHER})
      group by c.result_id
    ), kept as (
      insert into result_changes as c
        (project_id, run_id, result_id, place, status, note, elapsed, tested_by, tested_at, replaced_at, fields, steps, combinations)
      select r.project_id, r.run_id, r.id, r.change_count, r.status, r.note, r.elapsed, r.tested_by, r.tested_at, now(), r.fields, (
          select s.steps from step_results s
          where r.step_state is not null and s.project_id = ${project.id} and s.run_id = ${runId} and s.result_id = r.id
            and s.place = 0
        ), replaced.combinations
      from test_results r left join replaced on replaced.result_id = r.id left join whole on whole.id = r.id
      where r.project_id = ${project.id} and r.run_id = ${runId} and r.id in (select result_id from target)
        and r.tested_at is not null and (
          replaced.result_id is not null
          or (whole.id is not null and (r.note is distinct from whole.note or (whole.replaces_steps and r.status <> 'not_tested')))
        )
      returning c.result_id, c.place
    ), ${buildForgetOldest(run)}, moved as (
      update result_combinations c set
        previous_status = c.status, status = target.new_status, note = target.new_note, elapsed = target.new_elapsed,
        tested_by = ${options.testedBy}::uuid, tested_at = ${testedAt} ${
          isByHand ? sql`, set_at = now()` : sql`, step_state = case when not ${FORGETS_STEPS} then c.step_state end`
        }
      from target
      where c.project_id = ${project.id} and c.run_id = ${runId} and c.result_id = target.result_id
        and c.place = target.place
      returning c.configuration, c.previous_status, c.status
    ), ${isByHand ? sql`` : buildForgetSteps(run)} merged as (
      select c.result_id, c.place,
        case when t.place is null then c.status else t.new_status end as status,
        case when t.place is null then c.note else t.new_note end as note,
        case when t.place is null then c.elapsed else t.new_elapsed end as elapsed
        ${
          isByHand
            ? sql``
            : sql`, case when t.place is null then c.tested_by else ${options.testedBy}::uuid end as tested_by,
        case when t.place is null then c.tested_at else ${testedAt}::timestamptz(3) end as tested_at`
        }
      from result_combinations c left join target t on t.result_id = c.result_id and t.place = c.place
      where c.project_id = ${project.id} and c.run_id = ${runId} and c.result_id in (select result_id from target)
    ), rolled as (
      select result_id, ${ROLL_UP} as status, ${rest}, bool_or(status <> 'not_tested') as is_tested, ${SUMMARY}
      from merged group by result_id
    ), updated as (
      update test_results r set
        previous_status = r.status, status = rolled.status, combination_state = ${STATUS_NUMBER},
        combination_summary = rolled.summary, note = case when whole.id is null then r.note else whole.note end,
        elapsed = case when whole.id is null then coalesce(rolled.elapsed, r.elapsed) else whole.elapsed end,
        tested_by = rolled.tested_by, tested_at = rolled.tested_at, changed_at = statement_timestamp(),
        change_count = r.change_count + (r.id in (select result_id from kept))::int
        ${
          isByHand
            ? sql`, set_at = case when whole.id is null then r.set_at else rolled.tested_at end,
        case_version = ${buildPin(run, sql`rolled.is_tested`, sql`sent.case_version`)}`
            : sql``
        }
      from rolled join sent on sent.result_id = rolled.result_id left join whole on whole.id = rolled.result_id
      where r.project_id = ${project.id} and r.run_id = ${runId} and r.id = rolled.result_id
      returning r.id, r.previous_status, r.status, ${isByHand ? buildRecentCase(run) : sql`null::int`} as recent_case
    ), ${buildMoveConfigurations(run)}, ${buildMoveRun(run)}
    select (select json_object_agg(status, count) from (
        select status, count(*)::int as count from updated group by status
      ) s) as stats, now()::timestamptz(3) as at, array(select id::text from updated) as ids,
      array(select recent_case from updated where recent_case is not null) as recent`.execute(tx)
  const [row] = rows
  return { stats: row?.stats ?? {}, at: row?.at ?? new Date(), ids: row?.ids ?? [], recentCases: row?.recent ?? [] }
}

/** Whether a combination `c` of `target` gets another status or note, which replaces one. What has steps only keeps them. */
const IS_OTHER = sql.raw(`((c.status, c.note) is distinct from (c.new_status, c.new_note)
  and not (c.step_state is not null and c.status = 'not_tested' and c.note is null))`)

/** Whether what CI writes to `target` takes the steps away that people saw: they are kept as earlier values. */
const FORGETS_STEPS = sql.raw(`(target.step_state is not null and target.tested_at is not null
  and (target.status, target.note) is distinct from (target.new_status, target.new_note)
  and not (target.status = 'not_tested' and target.note is null))`)

const buildForgetSteps = (run: RunRef) => sql`
    forgotten_steps as (
      delete from step_results s using target
      where ${FORGETS_STEPS} and s.project_id = ${run.project.id} and s.run_id = ${run.id}
        and s.result_id = target.result_id and s.place = target.place
    ),`

/** The most ids that an event can contain, and one more. */
export const toEventIds = (ids: readonly string[]): string[] => ids.slice(0, MAX_EVENT_RESULTS + 1)

function buildInput(writes: readonly CombinationWrite[]): RawBuilder<unknown> {
  // The driver would look at each element three times.
  const column = (encode: (write: CombinationWrite) => string | number | boolean) =>
    `{${writes.map((write) => encode(write)).join(',')}}`
  return sql`
    select * from unnest(
      ${column(({ resultId }) => resultId)}::uuid[], ${column(({ place }) => place ?? 'NULL')}::smallint[],
      ${column(({ status }) => status)}::result_status[],
      ${column(({ note }) => (typeof note === 'string' ? quoteElement(note) : 'NULL'))}::text[],
      ${column(({ elapsed }) => elapsed ?? 'NULL')}::int[], ${column(({ note }) => note === undefined)}::boolean[],
      ${column(({ elapsed }) => elapsed === undefined)}::boolean[],
      ${column(({ replacesSteps }) => replacesSteps === true)}::boolean[],
      ${column(({ caseVersion }) => caseVersion ?? 'NULL')}::int[]
    ) as input (result_id, place, status, note, elapsed, keeps_note, keeps_elapsed, replaces_steps, case_version)`
}

/** Whether a combination `c` is newer than what is written, and stays. */
const buildIsNewer = ({ finishedAt, replacesUntested = false }: CombinationWriteOptions, status: RawBuilder<unknown>) =>
  finishedAt === null
    ? sql`false`
    : sql`(
      (c.tested_at > ${buildTestedAt(finishedAt)}) is true
      ${replacesUntested ? sql`and not (c.status = 'not_tested' and c.tested_by is null and ${status} <> 'not_tested')` : sql``}
    )`

const buildTestedAt = (finishedAt: Date | null) =>
  finishedAt === null ? sql`now()` : sql`least(${finishedAt}::timestamptz, now())::timestamptz(3)`
