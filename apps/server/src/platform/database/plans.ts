import { sql } from 'kysely'

import { type Database, PLANNED_ANEW } from './connect.ts'

/**
 * The beginning of statements over many rows that PostgreSQL plans each time: a prepared one keeps the plan that it had when
 * the table was empty until the statistics are renewed, which takes a minute, and reads every row for every other one.
 */
export const plannedAnew = sql.raw(PLANNED_ANEW)

/**
 * Lets PostgreSQL plan the next statements of the transaction for their parameters: with many rows, or in a small project,
 * the generic plan can be the wrong one. Not for statements that write rows with foreign keys: each row is checked by a
 * statement of its own, whose plan would take longer than the check, and be a bad one in a project that is new.
 */
export async function planForParameters(tx: Database): Promise<void> {
  await sql`set local plan_cache_mode = force_custom_plan`.execute(tx)
}

/** Ends the effect of {@link planForParameters}. */
export async function planGenerically(tx: Database): Promise<void> {
  await sql`select set_config('plan_cache_mode', current_setting('caseward.plan_cache_mode'), true)`.execute(tx)
}

/**
 * The end of a subquery of `not exists` or `lateral` that PostgreSQL answers from an index for each row. Without it, PostgreSQL
 * joins the two tables, and with statistics from before a large write it compares every row with every other one: 10,000
 * numbers with 10,000 results took five seconds. `offset 0` has no other effect.
 */
export const lookUpEach = sql.raw('offset 0')

/** Planning the checks anew takes about a millisecond; fewer rows than this cannot lose much more. */
const MANY_ROWS = 500

/** Whether a statement that adds so many rows needs {@link planChecksAnew}, and so a transaction. */
export const addsManyRows = (rowCount: number): boolean => rowCount >= MANY_ROWS

/**
 * Lets PostgreSQL plan the checks of foreign keys anew before a statement of the transaction adds many rows. A connection keeps
 * the plan of such a check until the statistics of the table are renewed. One from a time when the table was almost empty may
 * read all rows of the project for each check: 20,000 automation keys for 10,000 new test cases took 34 seconds.
 */
export async function planChecksAnew(tx: Database, rowCount: number): Promise<void> {
  if (addsManyRows(rowCount)) await sql`discard plans`.execute(tx)
}
