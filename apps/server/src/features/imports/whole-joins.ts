import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'

/**
 * Runs statements that join all records of an import. The planner knows nothing yet of records that were just read: it would compare
 * each with each, which takes minutes for thousands.
 */
export async function withWholeJoins<T>(db: Database, run: (tx: Database) => Promise<T>): Promise<T> {
  const inTransaction = async (tx: Database) => {
    await sql`set local enable_nestloop = off`.execute(tx)
    const result = await run(tx)
    await sql`set local enable_nestloop = on`.execute(tx)
    return result
  }
  return db.isTransaction ? await inTransaction(db) : await db.transaction().execute(inTransaction)
}
