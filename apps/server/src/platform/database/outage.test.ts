import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { type CasewardProcess, getDatabaseUrl, startCaseward } from '@caseward/test-support/caseward-process'
import { copyDirectory, createStoppedDatabase, readPostmasterPid } from '@caseward/test-support/embedded-postgres'
import { query } from '@caseward/test-support/query'
import { createTemporaryDirectory, findProcessesIn } from '@caseward/test-support/temporary-directory'
import { startTestServer } from '@caseward/test-support/test-server'
import { newTokenSecret } from '../../access/secret.ts'
import type { Connection } from '@caseward/embedded-postgres'
import { startEmbeddedDatabase } from './embedded.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

let template: string
beforeAll(async () => {
  template = await createStoppedDatabase(startEmbeddedDatabase)
})
afterAll(() => rm(template, { recursive: true, force: true }))

interface Scene {
  caseward: CasewardProcess
  connection: Connection
  /** Stops PostgreSQL, all of it, as it is, and lets it go on. */
  freeze(): Promise<void>
  thaw(): Promise<void>
}

/** A service on a PostgreSQL of its own, which it did not start. */
async function startScene(): Promise<Scene> {
  const folder = await createTemporaryDirectory()
  const dataDir = await copyDirectory(join(template, 'data'), join(folder, 'data'))
  const { connection, close } = await startEmbeddedDatabase({ dataDir, dataDirIsDefault: false, log: quiet })
  onTestFinished(close)
  const caseward = await startCaseward({ DATABASE_URL: getDatabaseUrl(connection) })
  const tellAll = async (signal: NodeJS.Signals) => {
    for (const pid of await findProcessesIn(folder)) process.kill(pid, signal)
  }
  onTestFinished(() => tellAll('SIGCONT'))
  return { caseward, connection, freeze: () => tellAll('SIGSTOP'), thaw: () => tellAll('SIGCONT') }
}

const selectConnections = (name: string) => `select pid from pg_stat_activity where application_name = '${name}'`

describe('while the database hangs', () => {
  it('GET /readyz says so in two seconds, on one connection however often it is asked, and then is well', async () => {
    const { caseward, connection, freeze, thaw } = await startScene()
    await freeze()
    for (const times of [5, 1]) {
      const start = performance.now()
      const answers = await Promise.all(Array.from({ length: times }, () => caseward.request('GET', '/readyz')))
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: times }, () => 503))
      expect(performance.now() - start).toBeLessThan(4000)
    }
    await thaw()
    await expect.poll(() => caseward.request('GET', '/readyz'), { timeout: 10_000 }).toMatchObject({ status: 200 })
    // The start took two, one of them to hold a lock.
    expect(await query(connection, selectConnections('caseward'))).toHaveLength(2)
  })
})

describe('a host of the database that cannot be found', () => {
  it('is answered 503 as one that does not answer', async () => {
    const connection = { host: 'nowhere.invalid', user: 'caseward', password: 'secret', database: 'caseward' }
    const server = await startTestServer({}, { connection })
    onTestFinished(server.close)
    await server.expectProblem(503, 'GET', '/v1/projects', { token: newTokenSecret('personal') })
    expect((await server.request('GET', '/readyz')).status).toBe(503)
  })
})

describe('the log', () => {
  it('says of each connection that broke once that it did, and why', async () => {
    const { caseward, connection } = await startScene()
    const broken = await query(
      connection,
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'caseward%'`,
    )
    expect(broken.length).toBeGreaterThan(2)
    const getLostLines = (what: string) => caseward.log().filter((line) => line.includes(`"${what} was lost"`))
    const lost = () => [...getLostLines('a database connection'), ...getLostLines('a database connection of the jobs')]
    await expect.poll(() => lost().length, { timeout: 10_000 }).toBe(broken.length)
    for (const line of lost()) {
      const reason = 'terminating connection due to administrator command'
      expect(JSON.parse(line)).toMatchObject({ level: 40, reason, code: '57P01' })
      expect(line.length).toBeLessThan(300)
    }
    caseward.signal('SIGTERM')
    expect(await caseward.ended).toBe(0)
    expect(lost()).toHaveLength(broken.length)
  })

  it('of a stop holds no warning', async () => {
    const folder = await createTemporaryDirectory()
    const caseward = await startCaseward({
      DATA_DIR: await copyDirectory(join(template, 'data'), join(folder, 'data')),
    })
    // As many connections as there may be: the more, the likelier PostgreSQL ends one before it has closed.
    await Promise.all(Array.from({ length: 50 }, () => caseward.request('GET', '/v1/projects')))
    caseward.signal('SIGTERM')
    expect(await caseward.ended).toBe(0)
    expect(caseward.log().filter((line) => (JSON.parse(line) as { level: number }).level >= 40)).toEqual([])
  })

  it('names the process of a PostgreSQL that died beside the own', async () => {
    const folder = await createTemporaryDirectory()
    const dataDir = await copyDirectory(join(template, 'data'), join(folder, 'data'))
    const caseward = await startCaseward({ DATA_DIR: dataDir })
    const postgresPid = await readPostmasterPid(join(dataDir, 'postgres'))
    process.kill(postgresPid, 'SIGKILL')
    const told = () => caseward.log().find((line) => line.includes('starting it again')) ?? ''
    await expect.poll(told, { timeout: 10_000 }).not.toBe('')
    expect(told().match(/"pid":/g)).toHaveLength(1)
    expect(JSON.parse(told())).toMatchObject({ postgresPid })
    caseward.signal('SIGTERM')
    expect(await caseward.ended).toBe(0)
  })
})
