import { sql } from 'kysely'

/*
 * SQL expressions over the counters of a run, which are kept so that results need not be counted. They work with any
 * alias of `runs`, since no other table has columns with these names.
 */

const TESTED = 'passed_count + failed_count + blocked_count + retest_count'

/** The number of results of a run, for statements that are plain text. */
export const RESULT_COUNT = `(${TESTED} + not_tested_count)`

/** The number of results of a run. */
export const resultCount = sql.raw<number>(RESULT_COUNT)

/** The number of results other than `not_tested`. */
export const testedCount = sql.raw<number>(`(${TESTED})`)

/** passed ÷ (all but not_tested) × 100, one decimal; 0 when nothing was tested. */
export const PASS_RATE = `coalesce(round(100.0 * passed_count / nullif(${TESTED}, 0), 1)::float8, 0)`
export const passRate = sql.raw<number>(PASS_RATE)
