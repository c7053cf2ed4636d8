import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { expectCorrectCounters } from '@caseward/test-support/counters'
import { cloneDatabase } from '@caseward/test-support/database'
import { copyDirectory, readPostmasterPid } from '@caseward/test-support/embedded-postgres'
import { makeCiToken, makeFolder, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { query } from '@caseward/test-support/query'
import type { TestResponse } from '@caseward/test-support/send-request'
import { createStoppedService } from '@caseward/test-support/service'
import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'
import { startEmbeddedDatabase } from './embedded.ts'

const CASES = 40
const WRITERS = 12

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

let template: string
beforeAll(async () => {
  template = await createStoppedService()
})
afterAll(() => rm(template, { recursive: true, force: true }))

async function startServer(connection: pg.PoolConfig): Promise<TestServer> {
  const server = await startTestServer({}, { connection })
  onTestFinished(server.close)
  return server
}

async function cloneDatabaseForTest(): Promise<pg.PoolConfig> {
  const { connection, drop } = await cloneDatabase()
  onTestFinished(drop)
  return connection
}

type Write = () => Promise<TestResponse<unknown>>

/** Prepares a project, and returns it with all kinds of writes to it. */
async function prepareWrites(server: TestServer): Promise<{ projectId: string; writes: Write[] }> {
  const project = await makeProject(server)
  await makeTestCases(server, project, CASES)
  const folder = await makeFolder(server, project)
  const run = await makeRun(server, project)
  const { token } = project.admin
  const ciToken = await makeCiToken(server, project)
  const path = `/v1/projects/${project.id}`
  let count = 0
  const getCaseId = () => `WEB-${((count += 1) % CASES) + 1}`
  const send = (method: string, url: string, body: unknown) => server.request(method, url, { token, body })
  const results = Array.from({ length: CASES }, (_, index) => ({ test_case_id: `WEB-${index + 1}`, status: 'passed' }))
  return {
    projectId: project.id,
    writes: [
      () => send('POST', `${path}/test-cases`, { title: 'Another case', folder_id: folder.id }),
      () => send('PATCH', `${path}/test-cases/${getCaseId()}`, { title: `Case ${count}`, tags: [`t${count % 5}`] }),
      () => send('POST', `${path}/folders`, { name: 'Another folder' }),
      () => send('POST', `${path}/runs`, { name: 'Another run', test_case_ids: ['WEB-1', 'WEB-2'] }),
      () => send('POST', `${path}/milestones`, { name: 'Release' }),
      () => send('PATCH', `/v1/runs/${run.id}`, { name: `Run ${(count += 1)}` }),
      () => send('PUT', `/v1/runs/${run.id}/results/${getCaseId()}`, { status: 'failed' }),
      () => send('POST', `/v1/runs/${run.id}/results/bulk`, { results }),
      () => server.request('POST', '/v1/results', { token: ciToken, body: { run_id: run.id, results } }),
    ],
  }
}

/** Describes a response that is neither a success nor a 503 that says when to try again. */
function describeUnexpected({ status, headers, body }: TestResponse<unknown>): string | null {
  if (status >= 200 && status < 300) return null
  const { code } = body as { code?: string }
  const isExpected = status === 503 && code === 'database_unavailable' && headers.get('retry-after') === '2'
  return isExpected ? null : `${status} ${JSON.stringify(body)}`
}

interface Breaks {
  count: number
  intervalMs: number
}

/** Writes in parallel while the connections break again and again; returns the project and all unexpected responses. */
async function writeWhile(
  server: TestServer,
  breakConnections: () => Promise<unknown>,
  { count, intervalMs }: Breaks,
): Promise<{ projectId: string; unexpected: string[] }> {
  const { projectId, writes } = await prepareWrites(server)
  const end = new AbortController()
  const statuses: number[] = []
  const unexpected: string[] = []
  const writeUntilOver = async (writer: number) => {
    for (let turn = writer; !end.signal.aborted; turn += 1) {
      const response = await writes[turn % writes.length]?.()
      if (response === undefined) continue
      statuses.push(response.status)
      const description = describeUnexpected(response)
      if (description !== null) unexpected.push(description)
    }
  }
  const writers = Array.from({ length: WRITERS }, (_, writer) => writeUntilOver(writer))
  for (let done = 0; done < count; done += 1) {
    await sleep(intervalMs)
    await breakConnections()
  }
  end.abort()
  await Promise.all(writers)
  expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(count / 2)
  expect(statuses.filter((status) => status < 300).length).toBeGreaterThan(count / 2)
  return { projectId, unexpected }
}

/** Whatever was rejected, the database is consistent, and the next write succeeds. */
async function expectRecovery(server: TestServer, projectId: string): Promise<void> {
  await expect.poll(async () => (await server.request('GET', '/readyz')).status).toBe(200)
  await expectCorrectCounters(server, projectId)
  await makeProject(server)
}

/** Forwards connections to a database, and cuts them. */
async function startProxy({ host = '', port }: pg.PoolConfig): Promise<{ port: number; cut(): void }> {
  const sockets = new Set<Socket>()
  const proxy = createServer((socket) => {
    const upstream = host.startsWith('/')
      ? connectSocket(`${host}/.s.PGSQL.${port}`)
      : connectSocket({ host, port: Number(port) })
    for (const [from, to] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      from.on('error', () => {}).once('close', () => to.destroy())
      from.pipe(to)
    }
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => void proxy.close())
  return {
    port: (proxy.address() as AddressInfo).port,
    // Half of them are reset, half of them are closed.
    cut: () => [...sockets].forEach((socket, index) => (index % 2 === 0 ? socket.resetAndDestroy() : socket.destroy())),
  }
}

/** PostgreSQL that is starting or stopping may have another process by then. SIGQUIT is its immediate shutdown. */
function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGQUIT')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

describe('writes while database connections are lost', () => {
  it('fail with 503 and Retry-After only, when sessions are terminated inside of transactions', async () => {
    const connection = await cloneDatabaseForTest()
    const server = await startServer(connection)
    const terminate = () =>
      query(
        connection,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'caseward' and xact_start is not null`,
      )
    const { projectId, unexpected } = await writeWhile(server, terminate, { count: 12, intervalMs: 20 })
    expect(unexpected).toEqual([])
    await expectRecovery(server, projectId)
  })

  it('fail with 503 and Retry-After only, when sockets are cut', async () => {
    const connection = await cloneDatabaseForTest()
    const proxy = await startProxy(connection)
    const server = await startServer({ ...connection, host: '127.0.0.1', port: proxy.port })
    const { projectId, unexpected } = await writeWhile(server, async () => proxy.cut(), { count: 12, intervalMs: 40 })
    expect(unexpected).toEqual([])
    await expectRecovery(server, projectId)
  })

  it('fail with 503 and Retry-After only, when PostgreSQL is stopped immediately', async () => {
    const dataDir = await copyDirectory(join(template, 'data'), join(await createTemporaryDirectory(), 'data'))
    const { connection, clusterDirectory, close } = await startEmbeddedDatabase({
      dataDir,
      dataDirIsDefault: false,
      log: quiet,
    })
    onTestFinished(close)
    const server = await startServer(connection)
    const stopImmediately = async () => {
      const pid = await readPostmasterPid(clusterDirectory).catch(() => 0)
      // It is restarted by the package that started it.
      if (pid > 0) killIfRunning(pid)
    }
    const { projectId, unexpected } = await writeWhile(server, stopImmediately, { count: 4, intervalMs: 500 })
    expect(unexpected).toEqual([])
    await expectRecovery(server, projectId)
  })
})
