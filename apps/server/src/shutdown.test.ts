import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { ADMIN_TOKEN, getDatabaseUrl, spawnCaseward } from '@caseward/test-support/caseward-process'
import { cloneDatabase } from '@caseward/test-support/database'
import { startService } from '@caseward/test-support/service'
import { connect } from './platform/database/connect.ts'
import { SCHEMA_LOCK } from './platform/database/schema-lock.ts'

let database: { connection: pg.PoolConfig; drop(): Promise<void> }
let settings: Record<string, string>
beforeAll(async () => {
  database = await cloneDatabase()
  settings = { DATABASE_URL: getDatabaseUrl(database.connection) }
})
afterAll(() => database.drop())

/** Longer than a test may take. */
const LONG_DELAY = { SHUTDOWN_DELAY_MS: '120000' }

/** Holds the lock of a server that migrates. Returns a function that counts the servers which try it again and again. */
async function holdSchemaLock(): Promise<() => Promise<number>> {
  const { db, close } = connect(database.connection, { poolSize: 1, onError: () => {} })
  onTestFinished(close)
  await sql`select pg_advisory_lock(${SCHEMA_LOCK}::bigint)`.execute(db)
  return async () => {
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and query like 'select pg_try_advisory_lock%' and state = 'idle'`.execute(db)
    return rows.length
  }
}

describe('shutdown', () => {
  it('aborts a start that waits for another server to migrate, without the delay', async () => {
    const countWaiting = await holdSchemaLock()
    const caseward = spawnCaseward({ ...settings, ...LONG_DELAY })
    await expect.poll(countWaiting).toBe(1)
    caseward.signal('SIGTERM')
    // The lock is held until the test has ended. A start has no delay.
    expect(await caseward.ended).toBe(0)
    expect(caseward.stderr()).toBe('')
  })
})

describe('shutdown with SHUTDOWN_DELAY_MS', () => {
  const getReadiness = (url: string) => fetch(`${url}/readyz`).then(async (response) => await response.json())
  async function waitUntilStopping(url: string): Promise<void> {
    await expect.poll(() => getReadiness(url)).toEqual({ status: 'the server is stopping' })
  }

  it('happens that long after SIGTERM', async () => {
    const caseward = await startService({ ...settings, SHUTDOWN_DELAY_MS: '1000' })
    const signaled = performance.now()
    caseward.signal('SIGTERM')
    expect(await caseward.ended).toBe(0)
    expect(performance.now() - signaled).toBeGreaterThan(1000)
    expect(caseward.log().at(-1)).toContain('"signal":"SIGTERM"')
  })

  it('serves requests meanwhile, closes connections, and returns 503 from /readyz; a second SIGTERM ends it', async () => {
    const caseward = await startService({ ...settings, ...LONG_DELAY })
    const getConnection = async (path: string) => {
      const response = await fetch(caseward.url + path, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })
      return [path, response.status, response.headers.get('connection')]
    }
    expect(await getConnection('/readyz')).toEqual(['/readyz', 200, 'keep-alive'])
    caseward.signal('SIGTERM')
    await waitUntilStopping(caseward.url)
    expect(await getConnection('/readyz')).toEqual(['/readyz', 503, 'close'])
    expect(await getConnection('/healthz')).toEqual(['/healthz', 200, 'close'])
    expect(await getConnection('/v1/projects')).toEqual(['/v1/projects', 200, 'close'])
    expect(await getConnection('/nowhere')).toEqual(['/nowhere', 404, 'close'])
    const created = await caseward.request('POST', '/v1/projects', { name: 'Web shop', prefix: 'WEB' })
    expect(created.status).toBe(201)
    caseward.signal('SIGTERM')
    expect(await caseward.ended).toBe(0)
  })
})
