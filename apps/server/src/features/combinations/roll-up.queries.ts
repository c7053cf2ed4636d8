import { RESULT_STATUSES } from '@caseward/contract/results'
import { type RawBuilder, sql } from 'kysely'

/** The statuses, which are stored as their places in this array, from 0. */
export const STATUSES = `array[${RESULT_STATUSES.map((status) => `'${status}'`).join(', ')}]::result_status[]`

/** `test_results.combination_state` of the status of `rolled`; null without one. */
export const STATUS_NUMBER = sql.raw(`array_position(${STATUSES}, rolled.status) - 1`)

/** What lists show of rows with a `place`, a `status` and a `note`: `test_results.combination_summary`. */
const SUMMARY = `string_agg((array_position(${STATUSES}, status)
    - case when note is null then 1 else -4 end)::text, '' order by place)`

/** Whether a summary has a combination of a status. */
const buildHas = (status: (typeof RESULT_STATUSES)[number]) => {
  const digit = RESULT_STATUSES.indexOf(status)
  return `translate(summary, '${digit}${digit + RESULT_STATUSES.length}', '') <> summary`
}

/** The status that follows from the rows of a summary, as `rollUpSteps` of `packages/matching` says. */
const ROLL_UP = `case
  when ${buildHas('failed')} then 'failed' when ${buildHas('blocked')} then 'blocked'
  when ${buildHas('retest')} then 'retest' when ${buildHas('not_tested')} then 'not_tested'
  else 'passed'
end::result_status`

/** The sum of the times of rows that a result is rolled up from. */
export const ROLL_UP_ELAPSED = sql.raw(
  `case when count(elapsed) > 0 then least(sum(elapsed), 2147483647)::int end as elapsed`,
)

/** The same, and who tested the newest of the rows, and when. */
export const ROLL_UP_REST = sql`
  ${ROLL_UP_ELAPSED}, max(tested_at) as tested_at, (array_agg(tested_by order by tested_at desc nulls last))[1] as tested_by`

/**
 * Selects what follows for each result from rows with `result_id`, `place`, `status` and `note`: `status` and `summary`. The status is
 * that of the summary, which is one text for many rows.
 * @param from what follows `from`, with a condition
 * @param rest other aggregates
 */
export const buildRollUp = (from: RawBuilder<unknown>, rest: RawBuilder<unknown> = sql``, having = sql``) => sql`
  select s.*, ${sql.raw(ROLL_UP)} as status
  from (select result_id, ${sql.raw(SUMMARY)} as summary ${rest} from ${from} group by result_id ${having}) s`
