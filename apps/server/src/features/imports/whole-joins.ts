import type { Database } from '../../platform/database/connect.ts'
import { joinByHash } from '../../platform/database/join-by-hash.ts'

/**
 * Runs statements that join all records of an import. The planner knows nothing yet of records that were just read: it would compare
 * each with each, which takes minutes for thousands.
 */
export async function withWholeJoins<T>(db: Database, run: (tx: Database) => Promise<T>): Promise<T> {
  const inTransaction = (tx: Database) => joinByHash(tx, () => run(tx))
  return db.isTransaction ? await inTransaction(db) : await db.transaction().execute(inTransaction)
}
