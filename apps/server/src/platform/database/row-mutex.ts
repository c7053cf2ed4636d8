import { type Database, getPool } from './connect.ts'

/** Connections that writers in line leave to everybody else. */
const RESERVED_CONNECTIONS = 3

/** Who waits for what, in one process. */
interface RowMutexes {
  /** For each row, when the last writer in its line is done. */
  last: Map<string, Promise<void>>
  /** How many more writers may have a connection now. */
  free: number
  /** Writers who are first in their line and wait for a connection. */
  waiting: (() => void)[]
}

const rowMutexesByDatabase = new WeakMap<Database, RowMutexes>()

/**
 * Does work that begins by locking a row, after all that this server does to the same row already. Who waits for a lock
 * in the database holds a connection all the while: ten uploads to one run would take every one there is, and whoever
 * reads something else would wait for all of them. Here they wait without.
 * @param row the id of what is locked; what several servers do to it still meets in the database
 */
export async function withRowMutex<T>(db: Database, row: string, work: () => Promise<T>): Promise<T> {
  let lines = rowMutexesByDatabase.get(db)
  if (lines === undefined) rowMutexesByDatabase.set(db, (lines = createRowMutexes(db)))
  const { last } = lines
  const before = last.get(row)
  let leave = () => {}
  const done = new Promise<void>((resolve) => (leave = resolve))
  last.set(row, done)
  try {
    await before
    await acquireConnectionSlot(lines)
    try {
      return await work()
    } finally {
      releaseConnectionSlot(lines)
    }
  } finally {
    if (last.get(row) === done) last.delete(row)
    leave()
  }
}

/** A transaction that begins by locking a row; see {@link withRowMutex}. */
export async function transactionWithRowMutex<T>(
  db: Database,
  row: string,
  work: (tx: Database) => Promise<T>,
): Promise<T> {
  return await withRowMutex(db, row, () => db.transaction().execute(work))
}

function createRowMutexes(db: Database): RowMutexes {
  const connections = getPool(db).options.max
  return { last: new Map(), free: Math.max(1, connections - RESERVED_CONNECTIONS), waiting: [] }
}

async function acquireConnectionSlot(lines: RowMutexes): Promise<void> {
  if (lines.free > 0) lines.free -= 1
  else await new Promise<void>((resolve) => void lines.waiting.push(resolve))
}

/** Who waits takes it over at once, so that nobody comes between. */
function releaseConnectionSlot(lines: RowMutexes): void {
  const next = lines.waiting.shift()
  if (next === undefined) lines.free += 1
  else next()
}
