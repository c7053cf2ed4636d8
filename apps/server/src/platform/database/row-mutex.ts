import { type Database, poolOf } from './connect.ts'

/** Connections that writers in line leave to everybody else. */
const LEFT_FREE = 3

/** Who waits for what, in one process. */
interface Lines {
  /** For each row, when the last writer in its line is done. */
  last: Map<string, Promise<void>>
  /** How many more writers may have a connection now. */
  free: number
  /** Writers who are first in their line and wait for a connection. */
  waiting: (() => void)[]
}

const linesOf = new WeakMap<Database, Lines>()

/**
 * Does work that begins by locking a row, after all that this server does to the same row already. Who waits for a lock
 * in the database holds a connection all the while: ten uploads to one run would take every one there is, and whoever
 * reads something else would wait for all of them. Here they wait without.
 * @param row the id of what is locked; what several servers do to it still meets in the database
 */
export async function waitInLine<T>(db: Database, row: string, work: () => Promise<T>): Promise<T> {
  let lines = linesOf.get(db)
  if (lines === undefined) linesOf.set(db, (lines = startLines(db)))
  const { last } = lines
  const before = last.get(row)
  let leave = () => {}
  const done = new Promise<void>((resolve) => (leave = resolve))
  last.set(row, done)
  try {
    await before
    await takeConnection(lines)
    try {
      return await work()
    } finally {
      giveConnection(lines)
    }
  } finally {
    if (last.get(row) === done) last.delete(row)
    leave()
  }
}

/** A transaction that begins by locking a row; see {@link waitInLine}. */
export async function transactionInLine<T>(db: Database, row: string, work: (tx: Database) => Promise<T>): Promise<T> {
  return await waitInLine(db, row, () => db.transaction().execute(work))
}

function startLines(db: Database): Lines {
  const connections = poolOf(db).options.max
  return { last: new Map(), free: Math.max(1, connections - LEFT_FREE), waiting: [] }
}

async function takeConnection(lines: Lines): Promise<void> {
  if (lines.free > 0) lines.free -= 1
  else await new Promise<void>((resolve) => void lines.waiting.push(resolve))
}

/** Who waits takes it over at once, so that nobody comes between. */
function giveConnection(lines: Lines): void {
  const next = lines.waiting.shift()
  if (next === undefined) lines.free += 1
  else next()
}
