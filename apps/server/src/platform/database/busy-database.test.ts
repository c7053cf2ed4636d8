import pg from 'pg'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { cloneDatabase, setDatabaseDefault } from '@caseward/test-support/database'
import { makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { query } from '@caseward/test-support/query'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'
import { waitUntil } from '@caseward/test-support/wait-until'
import { hasCitus } from './connect.ts'

let connection: pg.PoolConfig
let server: TestServer
let projectId: string
let resultPath: string
let token: string
let runId: string
beforeAll(async () => {
  const database = await cloneDatabase()
  connection = database.connection
  server = await startTestServer({}, { connection })
  const project = await makeProject(server)
  await makeTestCases(server, project, 1)
  const run = await makeRun(server, project)
  projectId = project.id
  token = project.admin.token
  runId = run.id
  resultPath = `/v1/runs/${run.id}/results/WEB-1`
  return async () => {
    await server.close()
    await database.drop()
  }
})

const setResult = () => server.request('PUT', resultPath, { token, body: { status: 'failed' } })

/** Begins a transaction that locks the one result; it ends with the test. */
async function lockResult(): Promise<pg.Client> {
  const client = new pg.Client(connection)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('begin')
  await client.query('select from test_results where project_id = $1 for update', [projectId])
  return client
}

const waitForLock = () =>
  waitUntil(async () => {
    const waiting = await query(
      connection,
      hasCitus(server.db)
        ? 'select from citus_lock_waits'
        : `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return waiting.length > 0
  }, 'the request waits for a lock')

const BUSY = { status: 503, body: { code: 'database_busy' } }

describe('a request whose statement PostgreSQL ends because of other transactions', () => {
  it('returns 503 with Retry-After after a deadlock, and stores nothing', async () => {
    const other = await lockResult()
    const response = setResult()
    // PostgreSQL ends the transaction that has waited for a second first.
    await waitForLock()
    await other.query('select from runs for update')
    expect(await response).toMatchObject(BUSY)
    expect((await response).headers.get('retry-after')).toBe('1')
    await other.query('rollback')
    const { body } = await server.request('GET', `/v1/runs/${runId}`, { token })
    expect(body).toMatchObject({ data: { stats: { failed: 0, not_tested: 1 } } })
    expect(server.logged.filter((line) => line.includes('in favor of another change'))).not.toEqual([])
  })

  it('returns 503 after a lock timeout of the database, and succeeds when the lock is released', async () => {
    await setDatabaseDefault(connection, `lock_timeout = '100ms'`)
    const impatient = await startTestServer({}, { connection })
    onTestFinished(impatient.close)
    const other = await lockResult()
    const send = () => impatient.request('PUT', resultPath, { token, body: { status: 'failed' } })
    expect(await send()).toMatchObject(BUSY)
    await other.query('rollback')
    expect(await send()).toMatchObject({ status: 200 })
  })
})
