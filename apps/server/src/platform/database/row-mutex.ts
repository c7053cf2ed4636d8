import pLimit, { type LimitFunction } from 'p-limit'

import { type Database, getPool } from './connect.ts'
import { hasRequestTransaction } from './request-transaction.ts'

/** Connections that waiting writers leave free for all other requests. */
const RESERVED_CONNECTIONS = 3

/** The mutexes of this process for one database. */
interface RowMutexes {
  rows: Map<string, LimitFunction>
  /** Limits how many holders of a mutex use a connection at a time. */
  connections: LimitFunction
}

const rowMutexesByDatabase = new WeakMap<Database, RowMutexes>()

/**
 * Runs work that begins by locking a row, one call at a time for each row. Waiting for a lock in the database holds a
 * connection: ten uploads to one run would take all of them, and every other request would wait. Waiting here holds none.
 * @param row the id of the locked row; writers on other servers still wait for each other in the database
 */
export async function withRowMutex<T>(db: Database, row: string, work: () => Promise<T>): Promise<T> {
  // It has a connection, which those that hold the mutex may wait for. So it waits in the database, which ends deadlocks.
  if (hasRequestTransaction(getPool(db))) return await work()
  const { rows, connections } = getRowMutexes(db)
  let mutex = rows.get(row)
  if (mutex === undefined) rows.set(row, (mutex = pLimit(1)))
  try {
    return await mutex(() => connections(work))
  } finally {
    if (mutex.activeCount + mutex.pendingCount === 0) rows.delete(row)
  }
}

/** Runs a transaction that begins by locking a row; see {@link withRowMutex}. */
export async function transactionWithRowMutex<T>(
  db: Database,
  row: string,
  work: (tx: Database) => Promise<T>,
): Promise<T> {
  return await withRowMutex(db, row, () => db.transaction().execute(work))
}

function getRowMutexes(db: Database): RowMutexes {
  let mutexes = rowMutexesByDatabase.get(db)
  if (mutexes === undefined) {
    const limit = Math.max(1, getPool(db).options.max - RESERVED_CONNECTIONS)
    rowMutexesByDatabase.set(db, (mutexes = { rows: new Map(), connections: pLimit(limit) }))
  }
  return mutexes
}
