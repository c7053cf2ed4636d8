import { setTimeout } from 'node:timers/promises'

import type { FastifyBaseLogger } from 'fastify'
import { Logger, type Runner, run, runMigrations } from 'graphile-worker'
import type pg from 'pg'

import { describeConnectionError, openPool, type OpenPool } from '../database/pool.ts'
import { LOCK_TIMEOUT_MS, type MigrationLog, retryLocks } from '../database/retry-locks.ts'
import { withSchemaLock } from '../database/schema-lock.ts'
import { createSendMailTask, type MailJobDeps, SEND_MAIL } from './mail-jobs.ts'
import { createQueuedTasks, type QueuedJob } from './queued-jobs.ts'
import { createScheduledTasks, type ScheduledJob, toCronItems } from './scheduled-jobs.ts'
import { unlockStaleJobs } from './unlock-stale-jobs.ts'

export interface WorkerDeps extends MailJobDeps {
  scheduledJobs: readonly ScheduledJob[]
  queuedJobs: readonly QueuedJob[]
  log: FastifyBaseLogger
}

/** Runs the jobs of the queue. */
export interface Worker {
  /** Takes no new jobs and waits up to three seconds for the running ones. */
  stop(): Promise<void>
}

/** One listens for new jobs, the other takes them and marks them as done. */
const CONNECTIONS = 2
/** How long running jobs may continue when the service stops; then they are aborted and retried later. */
const STOP_MS = 3000
const UNLOCK_EVERY_MS = 15_000
const RESTART_MS = 2000
const CONCURRENT_JOBS = 2
/** Jobs that were not due when they were added are found by then. */
const POLL_MS = 500

/**
 * Migrates the queue's schema (`graphile_worker`), one server at a time. Must run before any job is enqueued.
 * @param options.stopSignal ends the wait for other servers and for locks
 */
export async function migrateJobQueue(
  connection: pg.PoolConfig,
  { log, stopSignal }: { log?: MigrationLog; stopSignal?: AbortSignal } = {},
): Promise<void> {
  const { pool, close } = openJobPool(connection, () => {})
  const onConnect = (client: pg.PoolClient): unknown => client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`)
  const migrations = openPool(
    { application_name: 'caseward jobs', ...connection, max: 1, onConnect } as pg.PoolConfig,
    () => {},
  )
  const runOnce = () => runMigrations({ pgPool: migrations.pool, logger: silentLogger })
  const options = { subject: 'the migration of the job queue', client: pool, log, stopSignal }
  try {
    await withSchemaLock(pool, () => retryLocks(runOnce, options), stopSignal)
  } finally {
    await migrations.close()
    await close()
  }
}

const openJobPool = (connection: pg.PoolConfig, onConnectionError: (error: Error) => void): OpenPool =>
  openPool({ application_name: 'caseward jobs', ...connection, max: CONNECTIONS }, onConnectionError)

const silentLogger = new Logger(() => () => {})

/**
 * Starts to run the jobs in the queue. Several servers share them: one server runs each job, and it runs again only
 * after it failed or its server died.
 */
export async function startWorker(connection: pg.PoolConfig, deps: WorkerDeps): Promise<Worker> {
  const { pool, close } = openJobPool(connection, (error) => {
    deps.log.warn(describeConnectionError(error), 'lost a database connection of the job worker')
  })
  const unlockTimer = setInterval(() => void unlockStaleJobs(deps), UNLOCK_EVERY_MS)
  const releaseConnections = async () => {
    clearInterval(unlockTimer)
    await close()
  }
  try {
    await unlockStaleJobs(deps)
    const runner = await superviseRunner(() => startRunner(pool, deps), deps.log)
    let stopped: Promise<void> | undefined
    return { stop: () => (stopped ??= runner.stop().then(releaseConnections)) }
  } catch (error) {
    await releaseConnections()
    throw error
  }
}

const startRunner = (pgPool: pg.Pool, deps: WorkerDeps): Promise<Runner> =>
  run({
    pgPool,
    concurrency: CONCURRENT_JOBS,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    // Without this, graphile-worker reads a file named `crontab` in the working directory.
    parsedCronItems: toCronItems(deps.scheduledJobs),
    gracefulShutdownAbortTimeout: STOP_MS,
    // Without these, stop() resolves before the last jobs are marked as done.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    logger: createWorkerLogger(deps.log),
    taskList: {
      [SEND_MAIL]: createSendMailTask(deps),
      ...createQueuedTasks(deps.queuedJobs, deps.db),
      ...createScheduledTasks(deps.scheduledJobs, deps.db),
    },
  })

/** Restarts the runner when it stops on an error: it does when it cannot mark a job as done, as in a database outage. */
async function superviseRunner(start: () => Promise<Runner>, log: FastifyBaseLogger): Promise<Worker> {
  const stopController = new AbortController()
  const { signal } = stopController
  let runner = await start()
  const watch = async () => {
    while (!signal.aborted) {
      await runner.promise.catch((error: unknown) =>
        log.warn({ err: error }, 'job worker stopped unexpectedly, restarting'),
      )
      await setTimeout(RESTART_MS, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      runner = await start().catch((error: unknown) => {
        log.warn({ err: error }, 'job worker could not be restarted')
        return runner
      })
    }
  }
  const watcher = watch()
  return {
    async stop() {
      stopController.abort()
      // Rejects when the runner has stopped already.
      await runner.stop().catch(() => {})
      await watcher
      await runner.stop().catch(() => {})
    },
  }
}

/** Logs the messages of the queue, without the contents of the jobs. */
const createWorkerLogger = (log: FastifyBaseLogger): Logger =>
  new Logger(({ taskIdentifier, jobId }) => (level, message) => {
    if (['error', 'warning'].includes(level)) log.warn({ task: taskIdentifier, job: jobId }, message)
    else log.debug({ task: taskIdentifier, job: jobId }, message)
  })
