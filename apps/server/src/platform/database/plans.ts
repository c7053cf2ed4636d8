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
