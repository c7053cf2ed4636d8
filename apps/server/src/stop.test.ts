import { join } from 'node:path'

import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'

import { addressOf, launchCasebook, startCasebook } from '../test/casebook.ts'
import { cloneDatabase } from '../test/database.ts'
import { processesIn, temporaryFolder } from '../test/embedded.ts'
import { connect } from './database/connect.ts'
import { SCHEMA_LOCK } from './database/schema-lock.ts'

let database: { connection: pg.PoolConfig; drop(): Promise<void> }
let settings: Record<string, string>
beforeAll(async () => {
  database = await cloneDatabase(inject('postgres'))
  settings = { DATABASE_URL: addressOf(database.connection) }
})
afterAll(() => database.drop())

/** Holds what a server that migrates holds, and tells how many wait for it. */
async function holdSchemaLock(): Promise<() => Promise<number>> {
  const { db, close } = connect(database.connection, { poolSize: 1, onError: () => {} })
  onTestFinished(close)
  await sql`select pg_advisory_lock(${SCHEMA_LOCK}::bigint)`.execute(db)
  return async () => {
    const { rows } = await sql`
      select from pg_locks join pg_database d on d.oid = database
      where datname = current_database() and locktype = 'advisory' and not granted`.execute(db)
    return rows.length
  }
}

describe('the service', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('stops at %s', async (signal) => {
    const casebook = await startCasebook(settings)
    casebook.signal(signal)
    expect(await casebook.ended).toBe(0)
    expect(casebook.log().at(-1)).toContain(`"signal":"${signal}"`)
  })

  it('gives its start up at a signal while another server migrates, and does not say that it is ready', async () => {
    const waiting = await holdSchemaLock()
    const casebook = launchCasebook(settings)
    await expect.poll(waiting, { timeout: 10_000 }).toBe(1)
    const signalled = performance.now()
    casebook.signal('SIGTERM')
    expect(await casebook.ended).toBe(0)
    expect(performance.now() - signalled).toBeLessThan(3000)
    expect(casebook.told()).toBe('')
  })

  it('gives its start up at a signal while its own PostgreSQL starts, and leaves none running', async () => {
    const folder = await temporaryFolder()
    const casebook = launchCasebook({ DATA_DIR: join(folder, 'data') })
    await expect.poll(() => processesIn(folder), { timeout: 10_000, interval: 5 }).not.toEqual([])
    casebook.signal('SIGTERM')
    expect(await casebook.ended).toBe(0)
    expect(casebook.told()).toBe('')
    expect(await processesIn(folder)).toEqual([])
  })

  it.skipIf(process.platform === 'win32')('stops when the npm that runs it is told to', async () => {
    const casebook = launchCasebook(settings, { command: ['npm', 'start'] })
    await casebook.ready
    casebook.signal('SIGTERM')
    // Only when the service has ended, too, are both ends of what it writes closed.
    await casebook.ended
    expect(casebook.log().at(-1)).toContain('"msg":"stopping"')
  })
})
