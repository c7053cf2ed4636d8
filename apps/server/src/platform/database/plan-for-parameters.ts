import { sql } from 'kysely'

import type { Database } from './connect.ts'

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
  await sql`set local plan_cache_mode = force_generic_plan`.execute(tx)
}
