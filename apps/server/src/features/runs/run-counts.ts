import { sql } from 'kysely'

/*
 * What the counters of a run come to: results are never counted. Over a row of `runs` by whatever alias, since no other
 * table has columns of these names.
 */

const TESTED = 'passed_count + failed_count + blocked_count + retest_count'

/** How many results a run has, for statements that are plain text. */
export const RESULT_COUNT = `(${TESTED} + not_tested_count)`

/** How many results a run has. */
export const resultCount = sql.raw<number>(RESULT_COUNT)

/** How many of them were tested. */
export const testedCount = sql.raw<number>(`(${TESTED})`)

/** passed ÷ (all but not_tested) × 100, one decimal; 0 when nothing was tested. */
export const PASS_RATE = `coalesce(round(100.0 * passed_count / nullif(${TESTED}, 0), 1)::float8, 0)`
export const passRate = sql.raw<number>(PASS_RATE)
