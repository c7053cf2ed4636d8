import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'

/**
 * Does something and takes back what it stored: which statuses follow from combinations is known only once they are written.
 * @returns what it returned
 */
export async function tryOut<T>(tx: Database, work: () => Promise<T>): Promise<T> {
  await sql`savepoint try_out`.execute(tx)
  const result = await work()
  await sql`rollback to savepoint try_out`.execute(tx)
  // Otherwise it would hide one around it.
  await sql`release savepoint try_out`.execute(tx)
  return result
}
