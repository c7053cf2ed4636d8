import { setTimeout } from 'node:timers/promises'

import type { FastifyBaseLogger } from 'fastify'
import { Logger, type Runner, run, runMigrations } from 'graphile-worker'
import type pg from 'pg'

import type { Database } from '../database/connect.ts'
import { describeConnectionError, openPool, type OpenPool } from '../database/pool.ts'
import { withSchemaLock } from '../database/schema-lock.ts'
import type { Mailer } from '../mail/mailer.ts'
import { SEND_MAIL } from './enqueue-mail.ts'
import { sendMail } from './send-mail.ts'
import { unlockStaleJobs } from './unlock-stale-jobs.ts'

export interface WorkerDeps {
  db: Database
  mailer: Mailer
  /** Where people reach the service; known once it listens. */
  publicUrl: () => string
  log: FastifyBaseLogger
}

/** What runs the jobs. */
export interface Worker {
  /** Takes no new jobs, and waits a little for those under way. */
  stop(): Promise<void>
}

/** One to listen for new jobs, one to take them and to say that they are done. */
const CONNECTIONS = 2
/** How long jobs under way may go on when the service stops; then they are broken off and tried again later. */
const STOP_MS = 3000
const UNLOCK_EVERY_MS = 15_000
const RESTART_MS = 2000
const CONCURRENT_JOBS = 2

/**
 * Brings the queue's schema (`graphile_worker`) up to date, one server at a time. Must be done before any job is enqueued.
 * @param stop ends the wait for other servers
 */
export async function migrateJobQueue(connection: pg.PoolConfig, stop?: AbortSignal): Promise<void> {
  const { pool, close } = open(connection, () => {})
  try {
    await withSchemaLock(pool, () => runMigrations({ pgPool: pool, logger: silent }), stop)
  } finally {
    await close()
  }
}

const open = (connection: pg.PoolConfig, onLost: (error: Error) => void): OpenPool =>
  openPool({ application_name: 'caseward jobs', ...connection, max: CONNECTIONS }, onLost)

const silent = new Logger(() => () => {})

/**
 * Runs the jobs that wait in the database. Several servers share them: each job is run by one, and again only when it
 * failed or its server died.
 */
export async function startWorker(connection: pg.PoolConfig, deps: WorkerDeps): Promise<Worker> {
  const { pool, close } = open(connection, (error) => {
    deps.log.warn(describeConnectionError(error), 'a database connection of the jobs was lost')
  })
  const unlocking = setInterval(() => void unlockStaleJobs(deps), UNLOCK_EVERY_MS)
  const releaseConnections = async () => {
    clearInterval(unlocking)
    await close()
  }
  try {
    await unlockStaleJobs(deps)
    const runner = await superviseRunner(() => startRunner(pool, deps), deps.log)
    let stopping: Promise<void> | undefined
    return { stop: () => (stopping ??= runner.stop().then(releaseConnections)) }
  } catch (error) {
    await releaseConnections()
    throw error
  }
}

const startRunner = (pgPool: pg.Pool, deps: WorkerDeps): Promise<Runner> =>
  run({
    pgPool,
    concurrency: CONCURRENT_JOBS,
    noHandleSignals: true,
    // Left out, or with an empty `crontab`, a file of that name in the working directory would be read.
    parsedCronItems: [],
    gracefulShutdownAbortTimeout: STOP_MS,
    // Without these the worker says that it has stopped before the last jobs are marked as done.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    logger: createWorkerLogger(deps.log),
    taskList: { [SEND_MAIL]: sendMail(deps) },
  })

/** The queue gives up by itself when it cannot mark a job as done, as in an outage of the database. It is started again. */
async function superviseRunner(start: () => Promise<Runner>, log: FastifyBaseLogger): Promise<Worker> {
  const ending = new AbortController()
  const { signal } = ending
  let runner = await start()
  const watch = async () => {
    while (!signal.aborted) {
      await runner.promise.catch((error: unknown) => log.warn({ err: error }, 'the jobs stopped by themselves'))
      await setTimeout(RESTART_MS, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      runner = await start().catch((error: unknown) => {
        log.warn({ err: error }, 'the jobs could not be started again')
        return runner
      })
    }
  }
  const watching = watch()
  return {
    async stop() {
      ending.abort()
      // One that has stopped already says so by an error.
      await runner.stop().catch(() => {})
      await watching
      await runner.stop().catch(() => {})
    },
  }
}

/** What the queue says of itself, without the jobs' contents. */
const createWorkerLogger = (log: FastifyBaseLogger): Logger =>
  new Logger(({ taskIdentifier, jobId }) => (level, message) => {
    if (['error', 'warning'].includes(level)) log.warn({ task: taskIdentifier, job: jobId }, message)
    else log.debug({ task: taskIdentifier, job: jobId }, message)
  })
