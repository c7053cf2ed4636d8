import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { getDatabaseUrl } from '@caseward/test-support/caseward-process'
import { copyDirectory } from '@caseward/test-support/embedded-postgres'
import { query } from '@caseward/test-support/query'
import { createStoppedService, type Service, startService } from '@caseward/test-support/service'
import { createTemporaryDirectory, findProcessesIn } from '@caseward/test-support/temporary-directory'
import { startTestServer } from '@caseward/test-support/test-server'
import { generateTokenSecret } from '../../access/secret.ts'
import type { Connection } from '@caseward/embedded-postgres'
import { startEmbeddedDatabase } from './embedded.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

let template: string
beforeAll(async () => {
  template = await createStoppedService()
})
afterAll(() => rm(template, { recursive: true, force: true }))

interface ExternalDatabase {
  caseward: Service
  connection: Connection
  /** Pauses all processes of PostgreSQL. */
  freeze(): Promise<void>
  thaw(): Promise<void>
}

/** Starts the service with the DATABASE_URL of a PostgreSQL for this test. */
async function startOnExternalDatabase(): Promise<ExternalDatabase> {
  const directory = await createTemporaryDirectory()
  const dataDir = await copyDirectory(join(template, 'data'), join(directory, 'data'))
  const { connection, close } = await startEmbeddedDatabase({ dataDir, dataDirIsDefault: false, log: quiet })
  onTestFinished(close)
  const caseward = await startService({ DATABASE_URL: getDatabaseUrl(connection) })
  const signalAll = async (signal: NodeJS.Signals) => {
    for (const pid of await findProcessesIn(directory)) process.kill(pid, signal)
  }
  onTestFinished(() => signalAll('SIGCONT'))
  return { caseward, connection, freeze: () => signalAll('SIGSTOP'), thaw: () => signalAll('SIGCONT') }
}

/** Waits until no connection of the service runs a statement. After the start, the job worker looks for jobs. */
async function waitUntilIdle(connection: Connection): Promise<void> {
  const selectIdle = `
    select bool_and(state = 'idle') and count(*) filter (where query like 'LISTEN%') = 1 as idle
    from pg_stat_activity where application_name like 'caseward%'`
  await expect.poll(() => query(connection, selectIdle)).toEqual([{ idle: true }])
}

const selectConnections = (name: string) => `select pid from pg_stat_activity where application_name = '${name}'`

describe('GET /readyz while the database hangs', () => {
  it('returns 503 after two seconds over one connection, and 200 afterwards', async () => {
    const { caseward, connection, freeze, thaw } = await startOnExternalDatabase()
    await freeze()
    for (const times of [5, 1]) {
      const start = performance.now()
      const responses = await Promise.all(Array.from({ length: times }, () => caseward.request('GET', '/readyz')))
      expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: times }, () => 503))
      // Without a limit of its own, it would wait ten seconds for a connection.
      expect(performance.now() - start).toBeLessThan(9000)
    }
    await thaw()
    await expect.poll(() => caseward.request('GET', '/readyz')).toMatchObject({ status: 200 })
    // The start opened two connections, one of them to hold a lock.
    expect(await query(connection, selectConnections('caseward'))).toHaveLength(2)
  })
})

describe('a database host that is not found', () => {
  it('leads to 503', async () => {
    const connection = { host: 'nowhere.invalid', user: 'caseward', password: 'secret', database: 'caseward' }
    const server = await startTestServer({}, { connection })
    onTestFinished(server.close)
    await server.expectProblem(503, 'GET', '/v1/projects', { token: generateTokenSecret('personal') })
    expect((await server.request('GET', '/readyz')).status).toBe(503)
  })
})

describe('the log', () => {
  it('contains one warning with the reason for each broken database connection', async () => {
    const { caseward, connection } = await startOnExternalDatabase()
    await waitUntilIdle(connection)
    const broken = await query<{ name: string }>(
      connection,
      `select application_name as name, pg_terminate_backend(pid) from pg_stat_activity
       where application_name like 'caseward%'`,
    )
    const getWarnings = () => caseward.log().filter((line) => line.includes('"lost a database connection'))
    await expect.poll(() => getWarnings().length).toBe(broken.length)
    for (const line of getWarnings()) expect(line.length).toBeLessThan(300)
    const warnings = getWarnings().map((line) => JSON.parse(line) as { level: number; msg: string; reason: string })
    expect(warnings.every(({ level }) => level === 40)).toBe(true)
    const getReasons = (msg: string) => warnings.filter((warning) => warning.msg === msg).map(({ reason }) => reason)
    const terminated = 'terminating connection due to administrator command'
    const requests = broken.filter(({ name }) => name === 'caseward')
    expect(requests.length).toBeGreaterThan(0)
    expect(getReasons('lost a database connection')).toEqual(requests.map(() => terminated))
    // One connection of the job worker only listens. The other one looks for jobs every two seconds: a query that is sent
    // at this moment fails before the message of PostgreSQL is read.
    const reasonsOfWorker = getReasons('lost a database connection of the job worker')
    expect(reasonsOfWorker).toContain(terminated)
    const failedQuery = /^(?:Connection terminated unexpectedly|.*(?:EPIPE|ECONNRESET))$/
    expect(reasonsOfWorker.filter((reason) => reason !== terminated && !failedQuery.test(reason))).toEqual([])
    caseward.signal('SIGTERM')
    expect(await caseward.ended).toBe(0)
    expect(getWarnings()).toHaveLength(broken.length)
  })
})
