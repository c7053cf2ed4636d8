import type { AddressInfo } from 'node:net'

import type { Problem } from '@caseward/contract/problem'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, inject } from 'vitest'

import { buildApp, mails } from '@caseward/server/app'
import { type Config, readConfig } from '@caseward/server/config'
import { connect, type Database } from '@caseward/server/platform/database/connect'
import { createMailer } from '@caseward/server/platform/mail/mailer'
import { getPublicUrl } from '@caseward/server/platform/http/public-url'
import { connectToRedis } from '@caseward/server/platform/http/rate-limit-redis'
import { startWorker, type Worker } from '@caseward/server/platform/jobs/worker'
import { cloneDatabase } from './database.ts'

export interface TestResponse<T> {
  status: number
  headers: Headers
  body: T
}

export interface RequestOptions {
  token?: string
  /** Sent as JSON, unless it is bytes or comes with a content type of its own. */
  body?: unknown
  headers?: Record<string, string>
}

/** A Caseward server on a database of its own, spoken to over HTTP. */
export interface TestServer {
  url: string
  db: Database
  /** Everything that was logged, one JSON object a line. */
  logged: string[]
  request<T = Record<string, unknown>>(method: string, path: string, options?: RequestOptions): Promise<TestResponse<T>>
  /** A request that must be refused: checks that the answer is a problem of this status, and returns it. */
  refused(status: number, method: string, path: string, options?: RequestOptions): Promise<Problem>
  /** Starts to run the jobs that wait, as the service does. It stops with the server at the latest. */
  startWorker(options?: { mailTimeoutMs?: number }): Promise<Worker>
  close(): Promise<void>
}

/**
 * Starts a server for one test file. Limits are out of the way unless `settings` bring them back. Its database is its
 * own, unless several are to be given the same.
 */
export async function startTestServer(
  settings: Partial<Config> = {},
  database?: { connection: pg.PoolConfig },
): Promise<TestServer> {
  const { connection, drop } =
    database === undefined ? await cloneDatabase(inject('postgres')) : { ...database, drop: async () => {} }
  const logged: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) })
  const { db, close } = connect(connection, { poolSize: 5, onError: (error) => log.warn({ err: error }) })
  const config: Config = {
    ...readConfig({}),
    rateLimit: 1_000_000,
    rateLimitOther: 1_000_000,
    rateLimitSignIn: 1_000_000,
    ...settings,
  }
  const workers: Worker[] = []
  const redis = config.redisUrl === null ? null : await connectToRedis(config.redisUrl, log)
  const app = await buildApp({ config, db, log, createSharedLimiter: redis?.createLimiter })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

  async function request<T>(method: string, path: string, options: RequestOptions = {}): Promise<TestResponse<T>> {
    const { token, body, headers = {} } = options
    const isRaw = body instanceof Uint8Array || 'content-type' in headers
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined || isRaw ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = text !== '' && (response.headers.get('content-type')?.includes('json') ?? false)
    return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : text) as T }
  }

  return {
    url,
    db,
    logged,
    request,
    async refused(status, method, path, options) {
      const answer = await request<Problem>(method, path, options)
      const told = { status: answer.status, type: answer.headers.get('content-type'), said: answer.body.status }
      const expected = { status, type: 'application/problem+json', said: status }
      if (JSON.stringify(told) !== JSON.stringify(expected)) {
        throw new Error(
          `${method} ${path}: expected a problem ${status}, got ${JSON.stringify(told)}: ${JSON.stringify(answer.body)}`,
        )
      }
      return answer.body
    },
    async startWorker({ mailTimeoutMs } = {}) {
      const mailer = createMailer(config, mailTimeoutMs === undefined ? {} : { timeoutMs: mailTimeoutMs })
      const worker = await startWorker(connection, {
        db,
        mailer,
        mails,
        getPublicUrl: () => getPublicUrl(app, config),
        log,
      })
      workers.push(worker)
      return worker
    },
    async close() {
      await app.close()
      redis?.close()
      await Promise.all(workers.map((worker) => worker.stop()))
      await close()
      await drop()
    },
  }
}

/**
 * Starts a server before the first test of a file and closes it after the last one. It can be used inside tests and
 * hooks, not while the file is loaded.
 * @param settings settings that matter to the file, or a function that returns them once its hooks have run
 */
export function useTestServer(settings: Partial<Config> | (() => Partial<Config>) = {}): TestServer {
  let started: TestServer | undefined
  beforeAll(async () => {
    started = await startTestServer(typeof settings === 'function' ? settings() : settings)
  })
  afterAll(() => started?.close())
  const get = (): TestServer => {
    if (started === undefined)
      throw new Error('The test server is used before it is started: use it in tests and hooks')
    return started
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
    refused: (status, method, path, options) => get().refused(status, method, path, options),
    startWorker: (options) => get().startWorker(options),
    close: () => get().close(),
  }
}
