import type { AddressInfo } from 'node:net'

import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'

import type { Config } from './config.ts'
import { connect } from './platform/database/connect.ts'
import { startEmbeddedDatabase } from './platform/database/embedded.ts'
import { migrate } from './platform/database/migrate.ts'
import { describeConnectionError } from './platform/database/pool.ts'
import { requireSupportedDatabase } from './platform/database/check-server-version.ts'
import { toListenError, toDatabaseStartError } from './start-errors.ts'
import { createMailer } from './platform/mail/mailer.ts'
import { createSetupLink } from './features/auth/setup/setup-link.ts'
import { ensureFirstAdmin } from './features/auth/setup/first-admin.ts'
import { getPublicUrl } from './platform/http/public-url.ts'
import { connectToRedis } from './platform/http/rate-limit-redis.ts'
import type { App } from './platform/http/app.ts'
import { migrateJobQueue, startWorker, type Worker } from './platform/jobs/worker.ts'

/** A service that takes requests. */
export interface RunningServer {
  /** Where it listens: `http://127.0.0.1:3000`. */
  url: string
  /** Where people reach it. */
  publicUrl: string
  /** Where the embedded database lies; null when `DATABASE_URL` is used. */
  clusterDirectory: string | null
  /** The e-mail address of the first user, if it was made just now. */
  createdAdmin: string | null
  /** Where the first user makes their account, as long as there is nobody. */
  setupUrl: string | null
  /** Takes no new requests, waits for those in flight, then lets go of everything. */
  close(): Promise<void>
}

/** How long requests in flight may take when the service stops. */
const DRAIN_MS = 10_000

/**
 * Starts the whole service: database, migrations, first user, Redis, app, listening socket. What was opened is closed in
 * reverse, also when a later step fails.
 * @param stop ends the start, with what it was aborted for, as soon as the step under way is done or can be given up
 */
export async function startServer(config: Config, log: FastifyBaseLogger, stop: AbortSignal): Promise<RunningServer> {
  const closers: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).toReversed()) await closer()
  }
  try {
    const opening = openDatabase(config, log, stop)
    // Half of a start is loading the app's modules: it goes on while PostgreSQL starts.
    const loading = import('./app.ts')
    loading.catch(() => {}) // told below
    const database = await opening
    closers.push(database.close)
    const { db, close: closeConnections } = connect(database.connection, {
      poolSize: config.databasePoolSize,
      onError: (error) => log.warn(describeConnectionError(error), 'a database connection was lost'),
    })
    closers.push(closeConnections)
    const ran = await migrate(db, stop).catch((error: unknown) => {
      throw config.databaseUrl === null ? error : toDatabaseStartError(error)
    })
    if (ran.length > 0) log.info({ migrations: ran }, 'migrated the database')
    await migrateJobQueue(database.connection, stop)
    stop.throwIfAborted()
    const createdAdmin = await ensureFirstAdmin(db, config, (message) => log.warn(message))
    const setupSecret = await createSetupLink(db)

    const redis = config.redisUrl === null ? null : await connectToRedis(config.redisUrl, log)
    closers.push(async () => redis?.close())
    const { buildApp } = await loading
    const app = await buildApp({ config, db, log, shareBucket: redis?.share })
    let worker: Worker | null = null
    closers.push(async () => await worker?.stop())
    closers.push(() => drain(app))
    stop.throwIfAborted()
    await app.listen({ host: config.host, port: config.port }).catch((error: NodeJS.ErrnoException) => {
      throw toListenError(error, config)
    })
    const { port } = app.server.address() as AddressInfo
    const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`
    const publicUrl = getPublicUrl(app, config)
    const mailer = createMailer(config)
    worker = await startWorker(database.connection, { db, mailer, publicUrl: () => publicUrl, log })
    stop.throwIfAborted()
    const setupUrl = setupSecret === null ? null : `${publicUrl}/setup/${setupSecret}`
    return { url, publicUrl, clusterDirectory: database.clusterDirectory, createdAdmin, setupUrl, close }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * Takes no new connections and waits for the requests in flight. Fastify lets go of the connections that are idle now;
 * those that become idle when their request is done would be waited for until their client hangs up.
 */
async function drain(app: App): Promise<void> {
  const idle = setInterval(() => app.server.closeIdleConnections(), 20)
  const deadline = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS)
  await app.close()
  clearInterval(idle)
  clearTimeout(deadline)
}

interface OpenDatabase {
  connection: pg.PoolConfig
  clusterDirectory: string | null
  close(): Promise<void>
}

async function openDatabase(config: Config, log: FastifyBaseLogger, stop: AbortSignal): Promise<OpenDatabase> {
  if (config.databaseUrl !== null) {
    const connection = { connectionString: normalizeSslMode(config.databaseUrl) }
    await requireSupportedDatabase(connection).catch((error: unknown) => {
      throw toDatabaseStartError(error)
    })
    return { connection, clusterDirectory: null, close: async () => {} }
  }
  const { dataDir, dataDirIsDefault } = config
  return await startEmbeddedDatabase({ dataDir, dataDirIsDefault, log, stop })
}

/**
 * `pg` takes these modes for `verify-full`, and says so in eight lines at each start. What it does is right (docs/operating.md
 * tells it), so it is asked for by name.
 */
function normalizeSslMode(databaseUrl: string): string {
  if (/[?&]uselibpqcompat=true/.test(databaseUrl)) return databaseUrl
  return databaseUrl.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full')
}
