import { AsyncLocalStorage } from 'node:async_hooks'

import pLimit, { type LimitFunction } from 'p-limit'
import type pg from 'pg'

import { createFairSlots, type FairSlots } from '../fair-slots.ts'
import { connectionsBusyProblem } from '../http/problems.ts'

/*
 * One transaction around all that a request does. The handler does not know of it: within `run`, everything that would take
 * a connection from the pool gets the connection of the transaction instead, its transactions become savepoints, and what it
 * does after its commit waits for the commit of the whole.
 */

/** The transaction of a request, and the connection that runs it. */
export interface RequestTransaction {
  /** Runs work, and all that follows from it, within the transaction. */
  run(work: () => void): void
  query<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]>
  /** Commits, and does what waited for it. After an error, it must be rolled back. */
  commit(): Promise<void>
  rollback(): Promise<void>
}

interface JoinedTransaction {
  pool: pg.Pool
  client: pg.PoolClient
  /** Work that the request has started may go on after the transaction: it then uses the pool. */
  isOpen: boolean
  hasSavepoint: boolean
  /** Savepoints of one connection are nested: users of it wait for each other. */
  takeTurn: LimitFunction
  afterCommit: (() => void)[]
  /** Runs however the transaction ends. */
  afterEnd: (() => Promise<void>)[]
}

const storage = new AsyncLocalStorage<JoinedTransaction>()
let openCount = 0

const slotsByPool = new WeakMap<pg.Pool, FairSlots>()
/** Then the client is told to come back, and its connection to the server is free for others. */
const MAX_WAIT_MS = 10_000

/**
 * Half of the connections: such a request keeps its connection while it waits for locks, and others need some, too. An owner
 * gets half of these, two of five with the default pool, so that its slow requests delay only its own.
 */
function getSlots(pool: pg.Pool): FairSlots {
  let slots = slotsByPool.get(pool)
  if (slots === undefined) {
    const count = Math.max(1, Math.floor(pool.options.max / 2))
    const maxPerOwner = Math.max(1, Math.min(2, count - 1), Math.floor(count / 2))
    slots = createFairSlots({ count, maxPerOwner, maxWaitMs: MAX_WAIT_MS, createTimeoutError: connectionsBusyProblem })
    slotsByPool.set(pool, slots)
  }
  return slots
}

/**
 * Begins the transaction of a request. It must be committed or rolled back.
 * @param ownerId whose requests count together
 * @throws {Problem} 503 when there is no connection for it
 */
export async function beginRequestTransaction(pool: pg.Pool, ownerId: string): Promise<RequestTransaction> {
  const freeSlot = await getSlots(pool).take(ownerId)
  let client: pg.PoolClient
  try {
    client = await pool.connect()
  } catch (error) {
    freeSlot()
    throw error
  }
  const joined: JoinedTransaction = {
    pool,
    client,
    isOpen: true,
    hasSavepoint: false,
    takeTurn: pLimit(1),
    afterCommit: [],
    afterEnd: [],
  }
  openCount += 1

  async function end(statement: 'commit' | 'rollback'): Promise<void> {
    if (!joined.isOpen) return
    joined.isOpen = false
    openCount -= 1
    // Until Node.js 24, a storage that is in use makes every promise of the process slower.
    if (openCount === 0) storage.disable()
    try {
      await client.query(statement)
      client.release()
    } catch (error) {
      client.release(error as Error)
      throw error
    } finally {
      freeSlot()
      // After an error too: when the connection is lost during the commit, it may have succeeded.
      if (statement === 'commit') for (const work of joined.afterCommit) work()
    }
  }

  async function runAfterEndWork(): Promise<void> {
    for (const work of joined.afterEnd.splice(0)) await storage.exit(work)
  }

  try {
    await client.query('begin')
  } catch (error) {
    await end('rollback').catch(() => {})
    throw error
  }
  return {
    run: (work) => storage.run(joined, work),
    query: async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]) =>
      (await client.query<Row>(text, [...values])).rows,
    async commit() {
      await end('commit')
      await runAfterEndWork()
    },
    async rollback() {
      // The connection is closed when it cannot be rolled back.
      await end('rollback').catch(() => {})
      await runAfterEndWork()
    },
  }
}

/**
 * Runs work as a request with a transaction of its own, or as a part of the one that the current request has: it is done
 * completely or not at all, and nobody sees a part of it.
 * @param ownerId as for {@link beginRequestTransaction}
 */
export async function runInRequestTransaction<T>(pool: pg.Pool, ownerId: string, work: () => Promise<T>): Promise<T> {
  if (hasRequestTransaction(pool)) return await work()
  const tx = await beginRequestTransaction(pool, ownerId)
  try {
    const result = await new Promise<T>((resolve, reject) => {
      tx.run(() => void work().then(resolve, reject))
    })
    await tx.commit()
    return result
  } catch (error) {
    await tx.rollback()
    throw error
  }
}

/** Returns the open transaction of the current request; null for most requests. */
function getOpen(): JoinedTransaction | null {
  if (openCount === 0) return null
  const joined = storage.getStore()
  return joined?.isOpen === true ? joined : null
}

/** The same, if it is one of this pool. */
function getJoined(pool: pg.Pool): JoinedTransaction | null {
  const joined = getOpen()
  return joined?.pool === pool ? joined : null
}

/** Whether the current request has a transaction of its own, and with it a connection. */
export const hasRequestTransaction = (pool: pg.Pool): boolean => getJoined(pool) !== null

/** Returns the connection of the current request, for a read that cannot fail by its data; null for most requests. */
export const getRequestClient = (pool: pg.Pool): pg.PoolClient | null => getJoined(pool)?.client ?? null

/** Does something once what the current request has written is committed: at once for most requests. */
export function runAfterCommit(work: () => void): void {
  const joined = getOpen()
  if (joined === null) work()
  else joined.afterCommit.push(() => storage.exit(work))
}

/**
 * Writes something that must stay although the request fails: in a transaction of its own, after that of the request, whose
 * locks it might wait for. It is written at once for most requests.
 */
export async function runAfterEnd(work: () => Promise<void>): Promise<void> {
  const joined = getOpen()
  if (joined === null) await work()
  else joined.afterEnd.push(work)
}

/**
 * Writes something at once that must stay although the request fails, and that decides how it goes on, such as that a
 * challenge is used up. Call it outside of transactions: it needs a connection of its own, and must not wait for a lock of
 * the caller.
 */
export const runOutside = <T>(work: () => Promise<T>): Promise<T> => (getOpen() === null ? work() : storage.exit(work))

/** A pool as Kysely uses it. */
interface ConnectionSource {
  connect(): Promise<pg.PoolClient>
  end(): Promise<void>
}

/** Returns a pool that gives requests with a transaction of their own the connection of that transaction. */
export const joinRequestTransactions = (pool: pg.Pool): ConnectionSource => ({
  async connect() {
    const joined = getJoined(pool)
    return joined === null ? await pool.connect() : (createJoinedClient(joined) as unknown as pg.PoolClient)
  },
  end: () => pool.end(),
})

/** A client within a transaction: transactions become savepoints, and so do statements outside of them, which may fail. */
function createJoinedClient(joined: JoinedTransaction) {
  const { client, takeTurn } = joined
  let endTurn: (() => void) | null = null

  const runInTransaction = (text: string, values: unknown[]) => client.query(text, values)

  async function runAlone(text: string, values: unknown[]) {
    await client.query('savepoint single_statement')
    try {
      const result = await client.query(text, values)
      await client.query('release savepoint single_statement')
      return result
    } catch (error) {
      await client.query('rollback to savepoint single_statement; release savepoint single_statement')
      throw error
    }
  }

  async function begin() {
    await new Promise<void>((resolve) => {
      void takeTurn(() => {
        resolve()
        return new Promise<void>((finish) => (endTurn = finish))
      })
    })
    joined.hasSavepoint = true
    return await client.query('savepoint nested_transaction')
  }

  async function end(text: string) {
    try {
      return await client.query(text)
    } finally {
      joined.hasSavepoint = false
      endTurn?.()
      endTurn = null
    }
  }

  return {
    async query(text: string, values: unknown[] = []) {
      if (text === 'begin') return await begin()
      if (text === 'commit') return await end('release savepoint nested_transaction')
      if (text === 'rollback')
        return await end('rollback to savepoint nested_transaction; release savepoint nested_transaction')
      // A statement beside a transaction of the same request must not wait for it: the transaction may wait for it.
      if (endTurn !== null || joined.hasSavepoint) return await runInTransaction(text, values)
      return await takeTurn(() => runAlone(text, values))
    },
    release() {},
  }
}
