import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Problem } from '@caseward/contract/problem'
import type pg from 'pg'
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest'

import { buildApp } from '@caseward/server/app'
import { createScheduledJobs, mails, queuedJobs } from '@caseward/server/jobs'
import { type Config, readConfig } from '@caseward/server/config'
import { connect, type Database } from '@caseward/server/platform/database/connect'
import { getPublicUrl } from '@caseward/server/platform/http/public-url'
import { connectToRedis } from '@caseward/server/platform/http/rate-limit-redis'
import { startWorker, type Worker } from '@caseward/server/platform/jobs/worker'
import { createLogger } from '@caseward/server/platform/logging/log'
import { createMailer } from '@caseward/server/platform/mail/mailer'
import { cloneDatabase, cloneSharedDatabase } from './database.ts'
import { measureStep } from './measured-steps.ts'
import { expectProblem, sendRequest, type RequestOptions, type TestResponse } from './send-request.ts'

/** The `SECRET_KEY` of test servers. */
export const TEST_SECRET_KEY = 'a-key-for-tests-only-with-32-characters'

/** The port of the first server whose port is kept. */
let keptPort: number | undefined
let isPortKept = false

/**
 * Lets the servers of a test file listen on the same port as those of earlier files that call this: a browser keeps what it has
 * loaded from the address. A second server at the same time has another port. It is called while the file is loaded.
 */
export function keepServerPort(): void {
  isPortKept = true
  afterAll(() => {
    isPortKept = false
  })
}

/** A Caseward server in the test's own process, with its own database, to be used over HTTP. */
export interface TestServer {
  url: string
  db: Database
  /** All log lines so far, each a JSON object. */
  logged: string[]
  request<T = Record<string, unknown>>(method: string, path: string, options?: RequestOptions): Promise<TestResponse<T>>
  /**
   * Sends a request that must fail: checks that the response is a problem with this status, and returns the problem.
   */
  expectProblem(status: number, method: string, path: string, options?: RequestOptions): Promise<Problem>
  /** Starts to run waiting jobs, as the service does. The worker stops with the server at the latest. */
  startWorker(options?: { mailTimeoutMs?: number }): Promise<Worker>
  close(): Promise<void>
}

/**
 * Starts a server that the caller closes; most files need only {@link useTestServer}.
 * @param settings settings that matter to the test. Rate limits are out of the way unless they are set
 * @param database a database to share with another server, instead of a new one
 */
export async function startTestServer(
  settings: Partial<Config> = {},
  database?: { connection: pg.PoolConfig },
): Promise<TestServer> {
  const { connection, drop } =
    database === undefined ? await measureStep('database', cloneDatabase) : { ...database, drop: async () => {} }
  const logged: string[] = []
  const log = createLogger('info', { write: (line: string) => void logged.push(line) })
  const poolSize = settings.databasePoolSize ?? 5
  const { db, close } = connect(connection, { poolSize, onError: (error) => log.warn({ err: error }) })
  const filesDir = join(tmpdir(), `caseward-files-${randomUUID()}`)
  const config: Config = {
    ...readConfig({}),
    filesDir,
    rateLimit: 1_000_000,
    rateLimitOther: 1_000_000,
    rateLimitSignIn: 1_000_000,
    rateLimitInvalidTokens: 1_000_000,
    rateLimitFiles: 1_000_000,
    secretKey: TEST_SECRET_KEY,
    ...settings,
  }
  const workers: Worker[] = []
  const redis = config.redisUrl === null ? null : await connectToRedis(config.redisUrl, log)
  const app = await measureStep('server', async () => {
    const built = await buildApp({ config, db, log, createSharedLimiter: redis?.createLimiter })
    await built.listen({ host: '127.0.0.1', port: settings.port ?? (await choosePort()) })
    return built
  })
  const { port } = app.server.address() as AddressInfo
  if (isPortKept) keptPort ??= port
  const url = `http://127.0.0.1:${port}`

  return {
    url,
    db,
    logged,
    request: (method, path, options) => sendRequest(url, method, path, options),
    expectProblem: (status, method, path, options) => expectProblem(url, status, method, path, options),
    async startWorker({ mailTimeoutMs } = {}) {
      const mailer = createMailer(config, mailTimeoutMs === undefined ? {} : { timeoutMs: mailTimeoutMs })
      const worker = await startWorker(connection, {
        db,
        mailer,
        mails,
        queuedJobs,
        scheduledJobs: createScheduledJobs(config, log),
        getPublicUrl: () => getPublicUrl(app, config),
        log,
      })
      workers.push(worker)
      return worker
    },
    async close() {
      // A browser has connections on which it has sent nothing yet, and a client whose body was refused has not sent all of it: a
      // server that closes waits for them, for as long as more than a minute.
      app.server.closeAllConnections()
      await app.close()
      redis?.close()
      await Promise.all(workers.map((worker) => worker.stop()))
      await close()
      await drop()
      await rm(filesDir, { recursive: true, force: true })
    },
  }
}

/** Returns the kept port if it is free, or 0 for any other. */
async function choosePort(): Promise<number> {
  if (!isPortKept || keptPort === undefined) return 0
  const probe = createServer().listen(keptPort, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch {
    return 0
  }
  probe.close()
  await once(probe, 'close')
  return keptPort
}

/** Starts a server that is closed when the current test ends. */
export async function startServerForTest(settings: Partial<Config> = {}): Promise<TestServer> {
  const server = await startTestServer(settings)
  onTestFinished(() => server.close())
  return server
}

/** The server that the files of this process share, with the first of them on. */
let sharedServer: Promise<TestServer> | undefined

/**
 * A server without special settings that most files use one after the other: a database and a server for each file would take a
 * tenth of the whole run. A file makes its own users and projects, and sees those of earlier files only where it asks for all
 * of the instance; then it needs {@link useTestServer}.
 */
export function useSharedServer(): TestServer {
  let server: TestServer | undefined
  beforeAll(async () => {
    sharedServer ??= startSharedServer()
    server = await sharedServer
    server.logged.length = 0
  })
  return createProxy(() => server)
}

async function startSharedServer(): Promise<TestServer> {
  const database = await measureStep('database', cloneSharedDatabase)
  return await startTestServer({ filesDir: join(inject('sharedDirectory'), randomUUID()) }, database)
}

/**
 * Starts a server before the first test of a file and closes it after the last one. It can be used inside tests and
 * hooks, not while the file is loaded. {@link useSharedServer} takes less time.
 * @param settings settings that matter to the file, or a function that returns them once its hooks have run
 */
export function useTestServer(settings: Partial<Config> | (() => Partial<Config>) = {}): TestServer {
  let started: TestServer | undefined
  beforeAll(async () => {
    started = await startTestServer(typeof settings === 'function' ? settings() : settings)
  })
  afterAll(() => started?.close())
  return createProxy(() => started)
}

/** A server that is started later. */
function createProxy(find: () => TestServer | undefined): TestServer {
  const get = (): TestServer => {
    const server = find()
    if (server === undefined) throw new Error('The test server is used before it is started: use it in tests and hooks')
    return server
  }
  return {
    get url() {
      return get().url
    },
    get db() {
      return get().db
    },
    get logged() {
      return get().logged
    },
    request: (method, path, options) => get().request(method, path, options),
    expectProblem: (status, method, path, options) => get().expectProblem(status, method, path, options),
    startWorker: (options) => get().startWorker(options),
    close: () => get().close(),
  }
}
