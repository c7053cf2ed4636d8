import { join } from 'node:path'

import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { getDatabaseUrl, spawnCaseward, startCaseward } from '@caseward/test-support/caseward-process'
import { cloneDatabase } from '@caseward/test-support/database'
import { createTemporaryDirectory, findProcessesIn } from '@caseward/test-support/temporary-directory'
import { connect } from './platform/database/connect.ts'
import { SCHEMA_LOCK } from './platform/database/schema-lock.ts'

let database: { connection: pg.PoolConfig; drop(): Promise<void> }
let settings: Record<string, string>
beforeAll(async () => {
  database = await cloneDatabase()
  settings = { DATABASE_URL: getDatabaseUrl(database.connection) }
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
    const caseward = await startCaseward(settings)
    caseward.signal(signal)
    expect(await caseward.ended).toBe(0)
    expect(caseward.log().at(-1)).toContain(`"signal":"${signal}"`)
  })

  it('gives its start up at a signal while another server migrates, and does not say that it is ready', async () => {
    const waiting = await holdSchemaLock()
    const caseward = spawnCaseward(settings)
    await expect.poll(waiting, { timeout: 10_000 }).toBe(1)
    const signalled = performance.now()
    caseward.signal('SIGTERM')
    expect(await caseward.ended).toBe(0)
    expect(performance.now() - signalled).toBeLessThan(3000)
    expect(caseward.stderr()).toBe('')
  })

  it('gives its start up at a signal while its own PostgreSQL starts, and leaves none running', async () => {
    const folder = await createTemporaryDirectory()
    const caseward = spawnCaseward({ DATA_DIR: join(folder, 'data') })
    await expect.poll(() => findProcessesIn(folder), { timeout: 10_000, interval: 5 }).not.toEqual([])
    caseward.signal('SIGTERM')
    expect(await caseward.ended).toBe(0)
    expect(caseward.stderr()).toBe('')
    expect(await findProcessesIn(folder)).toEqual([])
  })

  it.skipIf(process.platform === 'win32')('stops when the npm that runs it is told to', async () => {
    const caseward = spawnCaseward(settings, { command: ['npm', 'start'] })
    await caseward.ready
    caseward.signal('SIGTERM')
    // Only when the service has ended, too, are both ends of what it writes closed.
    await caseward.ended
    expect(caseward.log().at(-1)).toContain('"msg":"stopping"')
  })
})
