import type { AddressInfo } from 'node:net'

import { startEmbeddedDatabase } from './platform/database/embedded.ts'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'

import type { Config } from './config.ts'
import type { DemoAccount } from './features/demo/ensure-demo.ts'
import { endPasswordSessions } from './features/auth/session/end-password-sessions.ts'
import { ensureFirstAdmin } from './features/auth/setup/ensure-first-admin.ts'
import { createSetupLink } from './features/auth/setup/create-setup-link.ts'
import { requireStrongAdminPassword } from './features/auth/setup/require-strong-admin-password.ts'
import { requireSupportedDatabase } from './platform/database/check-server-version.ts'
import { connect, type Database } from './platform/database/connect.ts'
import { toConnection } from './platform/database/database-url.ts'
import { migrate } from './platform/database/migrate.ts'
import { describeConnectionError } from './platform/database/pool.ts'
import { createOwnFileStore } from './platform/files/open-file-store.ts'
import { requireOwnFileStore } from './platform/files/require-own-file-store.ts'
import type { App } from './platform/http/app.ts'
import { drainApp } from './platform/http/drain-app.ts'
import { getPublicUrl } from './platform/http/public-url.ts'
import { connectToRedis } from './platform/http/rate-limit-redis.ts'
import { migrateJobQueue, startWorker, type Worker } from './platform/jobs/worker.ts'
import { createMailer } from './platform/mail/mailer.ts'
import { toDatabaseStartError, toListenError } from './start-errors.ts'

/** A service that accepts requests. */
export interface RunningServer {
  /** The URL of the listening socket: `http://127.0.0.1:3000`. */
  url: string
  publicUrl: string
  /** The directory of the embedded database; null when `DATABASE_URL` is used. */
  clusterDirectory: string | null
  /** The email address of the first user, if this start created it. */
  createdAdmin: string | null
  /** Where the first user creates an account; null when a user exists. */
  setupUrl: string | null
  /** How to sign in to the demo, if this start created it. */
  demo: DemoAccount | null
  /** Stops accepting requests, waits for those in flight, then closes everything. */
  close(): Promise<void>
}

/**
 * Starts the whole service: database, migrations, first user, Redis, app, listening socket. Everything that was opened is
 * closed in reverse order, also when a later step fails.
 * @param stopSignal ends the start, with the abort reason as error, after the current step or in the middle of a wait. When
 *   it is aborted later, the service asks load balancers to use other servers until `close` is called.
 * @param options.hasDemo creates the demo in a database without projects
 */
export async function startServer(
  config: Config,
  log: FastifyBaseLogger,
  stopSignal: AbortSignal,
  { hasDemo = false }: { hasDemo?: boolean } = {},
): Promise<RunningServer> {
  const closers: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).toReversed()) await closer()
  }
  try {
    const openingDatabase = openDatabase(config, log, stopSignal)
    // Loading the modules of the app takes half of the start: it continues while PostgreSQL starts.
    const loadingApp = Promise.all([import('./app.ts'), import('./jobs.ts')])
    loadingApp.catch(() => {}) // awaited below
    const database = await openingDatabase
    closers.push(database.close)
    const { db, close: closeConnections } = connect(database.connection, {
      poolSize: config.databasePoolSize,
      onError: (error) => log.warn(describeConnectionError(error), 'lost a database connection'),
      onWarning: (message) => log.warn(message),
    })
    closers.push(closeConnections)
    await prepareDatabase(db, { config, log, connection: database.connection, stopSignal })
    await requireOwnFileStore(db, config, log)
    await requireStrongAdminPassword(db, config)
    const createdAdmin = await ensureFirstAdmin(db, config, (message) => log.warn(message))
    if (config.signIn === 'single-sign-on') {
      const count = await endPasswordSessions(db)
      if (count > 0) log.info({ count }, 'ended the sessions that began with a password')
    }
    const demo = hasDemo ? await createDemo(db, config, log) : null
    const setupSecret = await createSetupLink(db)

    const redis = config.redisUrl === null ? null : await connectToRedis(config.redisUrl, log)
    closers.push(async () => redis?.close())
    const [{ buildApp }, { createScheduledJobs, mails, queuedJobs }] = await loadingApp
    const app = await buildApp({
      config,
      db,
      log,
      stopSignal,
      isDatabaseDiskFull: database.isDiskFull,
      createSharedLimiter: redis?.createLimiter,
    })
    let worker: Worker | null = null
    closers.push(async () => await worker?.stop())
    closers.push(() => drainApp(app))
    stopSignal.throwIfAborted()
    const url = await listen(app, config)
    const publicUrl = getPublicUrl(app, config)
    const mailer = createMailer(config)
    const jobs = { mailer, mails, queuedJobs, scheduledJobs: createScheduledJobs(config, log) }
    worker = await startWorker(database.connection, { db, ...jobs, getPublicUrl: () => publicUrl, log })
    stopSignal.throwIfAborted()
    const setupUrl = setupSecret === null ? null : `${publicUrl}/setup/${setupSecret}`
    return { url, publicUrl, clusterDirectory: database.clusterDirectory, createdAdmin, setupUrl, demo, close }
  } catch (error) {
    await close()
    throw error
  }
}

interface PrepareOptions {
  config: Config
  log: FastifyBaseLogger
  connection: pg.PoolConfig
  stopSignal: AbortSignal
}

/** Migrates the schemas of the service and of the job queue. */
async function prepareDatabase(db: Database, { config, log, connection, stopSignal }: PrepareOptions): Promise<void> {
  const migrations = await migrate(db, { log, stopSignal }).catch((error: unknown) => {
    throw config.databaseUrl === null ? error : toDatabaseStartError(error)
  })
  if (migrations.length > 0) log.info({ migrations }, 'migrated the database')
  await migrateJobQueue(connection, { log, stopSignal })
  stopSignal.throwIfAborted()
}

/**
 * Connections that the system holds until the process accepts them; its own limit is often the same. After a restart, the
 * browsers of all users connect at once. With Node's default of 511, some of these connections were reset.
 */
const MAX_WAITING_CONNECTIONS = 4096

async function listen(app: App, config: Config): Promise<string> {
  const { host, port: requestedPort } = config
  await app
    .listen({ host, port: requestedPort, backlog: MAX_WAITING_CONNECTIONS })
    .catch((error: NodeJS.ErrnoException) => {
      throw toListenError(error, config)
    })
  const { port } = app.server.address() as AddressInfo
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

interface OpenDatabase {
  connection: pg.PoolConfig
  clusterDirectory: string | null
  isDiskFull(): boolean
  close(): Promise<void>
}

async function openDatabase(config: Config, log: FastifyBaseLogger, stopSignal: AbortSignal): Promise<OpenDatabase> {
  if (config.databaseUrl !== null) {
    const connection = toConnection(config.databaseUrl, config.databasePassword)
    await requireSupportedDatabase(connection).catch((error: unknown) => {
      throw toDatabaseStartError(error)
    })
    return { connection, clusterDirectory: null, isDiskFull: () => false, close: async () => {} }
  }
  const { dataDir, dataDirIsDefault, postgresSharedBuffersMb: sharedBuffersMb } = config
  return await startEmbeddedDatabase({ dataDir, dataDirIsDefault, sharedBuffersMb, log, stop: stopSignal })
}

async function createDemo(db: Database, config: Config, log: FastifyBaseLogger): Promise<DemoAccount | null> {
  const { ensureDemo } = await import('./features/demo/ensure-demo.ts')
  return await ensureDemo(db, {
    fileStore: createOwnFileStore(db, config),
    fileLimitBytes: config.fileLimitMb * 1_048_576,
    allowsShares: config.allowShares === 1,
    log,
  })
}
