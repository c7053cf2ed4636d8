import { MAX_EVENT_RESULTS } from '@caseward/contract/events'
import { MAX_RESULT_CHANGES } from '@caseward/contract/result-changes'
import { RESULT_STATUSES, type ResultStatus } from '@caseward/contract/results'
import type { StatusCounts } from '@caseward/contract/run-schemas'
import { type RawBuilder, sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import { quoteElement } from '../../platform/database/array-literal.ts'
import type { Database } from '../../platform/database/connect.ts'
import { buildPin, buildRecentCase } from '../results/pin-results.queries.ts'
import { buildRollUp, ROLL_UP_ELAPSED, ROLL_UP_REST, STATUS_NUMBER } from './roll-up.queries.ts'

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
  /** The number of combinations written. */
  count: number
}

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
  const input = buildInput(writes)
  const ids = sql`${`{${[...new Set(writes.map(({ resultId }) => resultId))].join(',')}}`}::uuid[]`
  // What a user sets is the newest.
  const rest = isByHand
    ? sql`, ${ROLL_UP_ELAPSED}, ${testedAt}::timestamptz(3) as tested_at, ${options.testedBy}::uuid as tested_by`
    : sql`, ${ROLL_UP_REST}`
  const rolled = sql`
    select c.result_id, c.place, c.is_written, c.new_status as status, c.new_note as note, c.new_elapsed as elapsed ${
      isByHand
        ? sql``
        : sql`,
      case when c.is_written then ${options.testedBy}::uuid else c.tested_by end as tested_by,
      case when c.is_written then ${testedAt}::timestamptz(3) else c.tested_at end as tested_at`
    }
    from affected c`
  const { rows } = await sql<{
    stats: Partial<StatusCounts> | null
    at: Date
    ids: string[] | null
    recent: number[] | null
    count: number
  }>`
    with input as materialized (${input.rows}), affected as materialized (
      select c.result_id, c.place, c.configuration, c.status, c.note, c.elapsed, c.tested_by, c.tested_at, c.step_state,
        input.result_id is not null as is_written, coalesce(input.status, c.status) as new_status,
        case when input.result_id is null then c.note
          when ${input.isWhole} then case when c.status = input.status then c.note end
          when ${input.keepsNote} then c.note else input.note end as new_note,
        case when input.result_id is null or ${input.keepsElapsed} then c.elapsed
          when not ${input.isWhole} then input.elapsed end as new_elapsed,
        not ${input.isWhole} and ${input.replacesSteps} as replaces_steps
      from result_combinations c left join input on input.result_id = c.result_id and ${input.isMeant}
        and not ${buildIsNewer(options, sql`input.status`)}
      where c.project_id = ${project.id} and c.run_id = ${runId} and c.result_id = any(${ids})
    ), rolled as materialized (
      ${buildRollUp(sql`(${rolled}) m`, rest, sql`having bool_or(is_written)`)}
    ), whole as materialized (
      select r.id, case when ${input.keepsNote} then r.note else input.note end as note,
        case when ${input.keepsElapsed} then r.elapsed else input.elapsed end as elapsed, ${input.replacesSteps} as replaces_steps
      from input join test_results r on r.project_id = ${project.id} and r.run_id = ${runId} and r.id = input.result_id
      where ${input.isWhole}
    ), replaced as materialized (
      select c.result_id, json_agg(${buildEarlier(run)} order by c.place) as combinations
      from affected c where c.is_written and c.tested_at is not null and (c.replaces_steps or ${IS_OTHER})
      group by c.result_id
    ), kept as (
      insert into result_changes as c
        (project_id, run_id, result_id, place, status, note, elapsed, tested_by, tested_at, replaced_at, fields, steps, combinations)
      select r.project_id, r.run_id, r.id, r.change_count, r.status, r.note, r.elapsed, r.tested_by, r.tested_at, now(), r.fields, (
          select s.steps from step_results s
          where r.step_state is not null and s.project_id = ${project.id} and s.run_id = ${runId} and s.result_id = r.id
            and s.place = 0
        ), replaced.combinations
      from test_results r join rolled on rolled.result_id = r.id
        left join replaced on replaced.result_id = r.id left join whole on whole.id = r.id
      where r.project_id = ${project.id} and r.run_id = ${runId} and r.tested_at is not null and (
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
      from affected target
      where target.is_written and c.project_id = ${project.id} and c.run_id = ${runId} and c.result_id = target.result_id
        and c.place = target.place
      returning c.configuration, c.previous_status, c.status
    ), ${isByHand ? sql`` : buildForgetSteps(run)} updated as (
      update test_results r set
        previous_status = r.status, status = rolled.status, combination_state = ${STATUS_NUMBER},
        combination_summary = rolled.summary, note = case when whole.id is null then r.note else whole.note end,
        elapsed = case when whole.id is null then coalesce(rolled.elapsed, r.elapsed) else whole.elapsed end,
        tested_by = rolled.tested_by, tested_at = rolled.tested_at, changed_at = statement_timestamp(),
        change_count = r.change_count + (r.id in (select result_id from kept))::int
        ${
          isByHand
            ? sql`, set_at = case when whole.id is null then r.set_at else rolled.tested_at end,
        case_version = ${buildPin(run, sql`translate(rolled.summary, '49', '') <> ''`, input.caseVersion)}`
            : sql``
        }
      from rolled left join whole on whole.id = rolled.result_id ${input.joinVersions}
      where r.project_id = ${project.id} and r.run_id = ${runId} and r.id = rolled.result_id
      returning r.id, r.previous_status, r.status, ${isByHand ? buildRecentCase(run) : sql`null::int`} as recent_case
    ), ${buildMoveConfigurations(run)}, ${buildMoveRun(run)}
    select (select json_object_agg(status, count) from (
        select status, count(*)::int as count from updated group by status
      ) s) as stats, now()::timestamptz(3) as at, array(select id::text from updated) as ids,
      array(select recent_case from updated where recent_case is not null) as recent,
      (select count(*)::int from affected where is_written) as count`.execute(tx)
  const [row] = rows
  return {
    stats: row?.stats ?? {},
    at: row?.at ?? new Date(),
    ids: row?.ids ?? [],
    recentCases: row?.recent ?? [],
    count: row?.count ?? 0,
  }
}

/** Whether a combination `c` of `affected` gets another status or note, which replaces one. What has steps only keeps them. */
const IS_OTHER = sql.raw(`((c.status, c.note) is distinct from (c.new_status, c.new_note)
  and not (c.step_state is not null and c.status = 'not_tested' and c.note is null))`)

/** Whether what CI writes to `target` takes the steps away that people saw: they are kept as earlier values. */
const FORGETS_STEPS = sql.raw(`(target.step_state is not null and target.tested_at is not null
  and (target.status, target.note) is distinct from (target.new_status, target.new_note)
  and not (target.status = 'not_tested' and target.note is null))`)

const buildForgetSteps = (run: RunRef) => sql`
    forgotten_steps as (
      delete from step_results s using affected target
      where target.is_written and ${FORGETS_STEPS} and s.project_id = ${run.project.id} and s.run_id = ${run.id}
        and s.result_id = target.result_id and s.place = target.place
    ),`

/** The most ids that an event can contain, and one more. */
export const toEventIds = (ids: readonly string[]): string[] => ids.slice(0, MAX_EVENT_RESULTS + 1)

/** What is written as rows `input`, with only those columns that differ, and SQL for what the others would contain. */
function buildInput(writes: readonly CombinationWrite[]) {
  // The driver would look at each element three times.
  const column = (encode: (write: CombinationWrite) => string | number | boolean) =>
    `{${writes.map((write) => encode(write)).join(',')}}`
  const names = ['result_id', 'place', 'status', 'note', 'elapsed']
  const columns = [
    sql`${column(({ resultId }) => resultId)}::uuid[]`,
    sql`${column(({ place }) => place ?? 'NULL')}::smallint[]`,
    sql`${column(({ status }) => status)}::result_status[]`,
    sql`${column(({ note }) => (typeof note === 'string' ? quoteElement(note) : 'NULL'))}::text[]`,
    sql`${column(({ elapsed }) => elapsed ?? 'NULL')}::int[]`,
  ]
  const addFlag = (name: string, isSet: (write: CombinationWrite) => boolean): RawBuilder<unknown> => {
    if (!writes.some(isSet)) return sql`false`
    names.push(name)
    columns.push(sql`${column(isSet)}::boolean[]`)
    return sql`input.${sql.ref(name)}`
  }
  const keepsNote = addFlag('keeps_note', ({ note }) => note === undefined)
  const keepsElapsed = addFlag('keeps_elapsed', ({ elapsed }) => elapsed === undefined)
  const replacesSteps = addFlag('replaces_steps', (write) => write.replacesSteps === true)
  const hasVersions = writes.some(({ caseVersion }) => caseVersion !== undefined)
  if (hasVersions) {
    names.push('case_version')
    columns.push(sql`${column(({ caseVersion }) => caseVersion ?? 'NULL')}::int[]`)
  }
  const hasWhole = writes.some(({ place }) => place === null)
  return {
    rows: sql`select * from unnest(${sql.join(columns)}) as input (${sql.join(names.map((name) => sql.ref(name)))})`,
    keepsNote,
    keepsElapsed,
    replacesSteps,
    isWhole: hasWhole ? sql`input.place is null` : sql`false`,
    // With an alternative, each combination of a result would be compared with each write to it.
    isMeant: hasWhole ? sql`(input.place is null or input.place = c.place)` : sql`input.place = c.place`,
    caseVersion: hasVersions ? sql`sent.case_version` : sql`null::int`,
    joinVersions: hasVersions
      ? sql`join (select result_id, max(case_version) as case_version from input group by result_id) sent
          on sent.result_id = rolled.result_id`
      : sql``,
  }
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
