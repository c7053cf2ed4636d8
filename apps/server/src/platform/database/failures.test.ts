import { setTimeout as sleep } from 'node:timers/promises'

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { cloneDatabase, type TestDatabase } from '@caseward/test-support/database'
import { connect, type Database } from './connect.ts'
import { isDatabaseBusy, isDatabaseUnavailable } from './failures.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await cloneDatabase()
})
afterAll(() => database.drop())

function openDatabase(settings: { connectionTimeoutMillis?: number } = {}): {
  db: Database
  close: () => Promise<void>
} {
  const { db, close } = connect({ ...database.connection, ...settings }, { poolSize: 1, onError: () => {} })
  return { db, close }
}

function openDatabaseForTest(settings?: { connectionTimeoutMillis: number }): Database {
  const { db, close } = openDatabase(settings)
  onTestFinished(close)
  return db
}

/** Runs something that fails, and returns the error. */
const catchError = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => {
      throw new Error('nothing failed')
    },
    (error: Error) => error,
  )

describe('isDatabaseUnavailable', () => {
  it.each(['select 1 / 0', 'select nonsense', 'insert into users default values'])(
    'returns false for %s',
    async (text) => {
      expect(isDatabaseUnavailable(await catchError(sql.raw(text).execute(openDatabaseForTest())))).toBe(false)
    },
  )

  it('returns true when PostgreSQL ends a transaction that is idle for too long', async () => {
    const transaction = openDatabaseForTest()
      .transaction()
      .execute(async (tx) => {
        await sql`set idle_in_transaction_session_timeout = 50`.execute(tx)
        await sleep(300)
        await sql`select 1`.execute(tx)
      })
    const error = await catchError(transaction)
    expect([error.message, isDatabaseUnavailable(error)]).toEqual([expect.stringContaining('not queryable'), true])
  })

  it('returns true when the session is terminated during a statement', async () => {
    const db = openDatabaseForTest()
    const error = await catchError(sql`select pg_terminate_backend(pg_backend_pid()), pg_sleep(5)`.execute(db))
    expect([error.message, isDatabaseUnavailable(error)]).toEqual([expect.stringContaining('terminating'), true])
  })

  it('returns true when no connection becomes free in time', async () => {
    const db = openDatabaseForTest({ connectionTimeoutMillis: 200 })
    const busy = sql`select pg_sleep(1)`.execute(db)
    const error = await catchError(sql`select 1`.execute(db))
    expect([error.message, isDatabaseUnavailable(error)]).toEqual([expect.stringContaining('timeout exceeded'), true])
    await busy
  })

  it('returns true after the connections were closed', async () => {
    const { db, close } = openDatabase()
    await sql`select 1`.execute(db)
    await close()
    expect(isDatabaseUnavailable(await catchError(sql`select 1`.execute(db)))).toBe(true)
  })
})

describe('isDatabaseBusy', () => {
  it('returns true for a serialization failure, which does not mean that the database is unavailable', async () => {
    const db = openDatabaseForTest()
    const other = openDatabaseForTest()
    await sql`create table counters (value integer not null)`.execute(db)
    await sql`insert into counters values (1)`.execute(db)
    const transaction = db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (tx) => {
        await sql`select value from counters`.execute(tx)
        await sql`update counters set value = 2`.execute(other)
        await sql`update counters set value = 3`.execute(tx)
      })
    const error = await catchError(transaction)
    expect([isDatabaseBusy(error), isDatabaseUnavailable(error)]).toEqual([true, false])
  })

  it('returns false for a statement that is wrong', async () => {
    expect(isDatabaseBusy(await catchError(sql`select nonsense`.execute(openDatabaseForTest())))).toBe(false)
  })
})
