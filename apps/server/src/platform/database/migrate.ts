import type pg from 'pg'

import { StartError } from '../start-error.ts'
import { type Database, getPool, getPostgresErrorCode, hasCitus } from './connect.ts'
import { createMigrationTables, requireCompatibleSchema, selectExecutedMigrations } from './executed-migrations.ts'
import { getFirstCompatibleVersion, type MigrationFile, readMigrationFiles } from './migration-files.ts'
import { type MigrationLog, retryLocks } from './retry-locks.ts'
import { runAllMigrations, runConcurrently, runInTransaction } from './run-migrations.ts'
import { withSchemaLock } from './schema-lock.ts'

export interface MigrateOptions {
  log?: MigrationLog
  /** Ends the wait for other servers and for locks, and the statement that runs. */
  stopSignal?: AbortSignal
  /** The migrations to run instead of the files of `migrations/`. */
  files?: readonly MigrationFile[]
  /** How long to try to get the locks of one migration. */
  giveUpAfterMs?: number
}

/**
 * Runs the files of `migrations/` that have not run yet, in the order of their names, under an advisory lock, so that several
 * servers can start at the same time. Each is a transaction of its own, which gives up when it does not get a lock in half a
 * second and tries again, so that the requests of other servers never wait long. Takes two connections.
 * @returns the names of the migrations that ran
 * @throws {StartError} when a migration requires a decision of the operator, its locks are not free for ten minutes, or a
 *   newer version has removed what this one uses
 */
export async function migrate(db: Database, options: MigrateOptions = {}): Promise<string[]> {
  const pool = getPool(db)
  const files = options.files ?? (await readMigrationFiles())
  const run = (lockHolder: pg.ClientBase) => runPendingMigrations(pool, lockHolder, files, options)
  return await withSchemaLock(pool, run, options.stopSignal).catch((error: unknown) => {
    throw hasCitus(db) ? toCitusMigrationError(error) : error
  })
}

async function runPendingMigrations(
  pool: pg.Pool,
  lockHolder: pg.ClientBase,
  files: readonly MigrationFile[],
  options: MigrateOptions,
): Promise<string[]> {
  const executed = await selectExecutedMigrations(pool)
  requireCompatibleSchema(executed)
  const pending = files.filter(({ name }) => !executed.has(name))
  if (pending.length === 0) return []
  await withClient(pool, lockHolder, options.stopSignal, async (client) => {
    // Nobody uses an empty database.
    if (executed.size === 0) return await runInTransaction(client, pending)
    await createMigrationTables(client)
    for (const file of pending) await runWithRetries(client, file, options)
  })
  return pending.map(({ name }) => name)
}

/** Runs work with a connection whose statement the holder of the lock cancels when the server stops. The pool may have no third one. */
async function withClient(
  pool: pg.Pool,
  lockHolder: pg.ClientBase,
  stopSignal: AbortSignal | undefined,
  work: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await pool.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const cancel = () => void lockHolder.query('select pg_cancel_backend($1)', [rows[0]?.pid]).catch(() => {})
  stopSignal?.addEventListener('abort', cancel)
  try {
    await work(client)
  } catch (error) {
    stopSignal?.throwIfAborted()
    throw toMigrationError(error)
  } finally {
    stopSignal?.removeEventListener('abort', cancel)
    client.release()
  }
}

async function runWithRetries(client: pg.PoolClient, file: MigrationFile, options: MigrateOptions): Promise<void> {
  const { log, stopSignal, giveUpAfterMs } = options
  const firstVersion = getFirstCompatibleVersion(file.name)
  if (firstVersion !== null) {
    log?.warn({ migration: file.name }, `servers of versions before ${firstVersion} fail from now on`)
  }
  const startedAt = Date.now()
  const run = () => (file.statements === null ? runInTransaction(client, [file]) : runConcurrently(client, file))
  await retryLocks(run, {
    subject: `the migration ${file.name}`,
    stopSignal,
    ...(giveUpAfterMs === undefined ? {} : { giveUpAfterMs }),
    client,
    log,
  })
  log?.info({ migration: file.name, ms: Date.now() - startedAt }, 'ran a migration')
}

/**
 * Runs migrations as a part of the transaction that the client has begun. The caller holds the lock on the schema.
 * @param names runs only these migrations
 * @throws {StartError} when a migration requires a decision of the operator
 */
export async function migrateInTransaction(client: pg.ClientBase, names?: readonly string[]): Promise<void> {
  const executed = await selectExecutedMigrations(client)
  const files = (await readMigrationFiles()).filter(
    ({ name }) => !executed.has(name) && (names?.includes(name) ?? true),
  )
  await runAllMigrations(client, files).catch((error: unknown) => {
    throw toMigrationError(error)
  })
}

/** Returns the names of the migrations of this version, in their order. */
export const listMigrations = async (): Promise<string[]> => (await readMigrationFiles()).map(({ name }) => name)

/** Returns whether the schema is older than this version of the service, or missing. Changes nothing. */
export async function hasPendingMigrations(db: Database): Promise<boolean> {
  const executed = await selectExecutedMigrations(getPool(db))
  return (await listMigrations()).some((name) => !executed.has(name))
}

/** Returns whether any version of the service has created its schema. Changes nothing. */
export const hasExecutedMigrations = async (db: Database): Promise<boolean> =>
  (await selectExecutedMigrations(getPool(db))).size > 0

/** The code of `raise exception`, with which a migration says what the operator has to do. */
const RAISED_BY_MIGRATION = 'P0001'

const toMigrationError = (error: unknown): unknown =>
  error instanceof Error && getPostgresErrorCode(error) === RAISED_BY_MIGRATION ? new StartError(error.message) : error

/** The code of `feature_not_supported`, with which Citus refuses what it cannot do on distributed tables. */
const NOT_SUPPORTED = '0A000'

const toCitusMigrationError = (error: unknown): unknown =>
  error instanceof Error && getPostgresErrorCode(error) === NOT_SUPPORTED
    ? new StartError(
        `This version of Caseward cannot migrate a database that is distributed with Citus: ${error.message}. This migration has ` +
          'changed nothing. Start the previous version again and report this, or move to a database without Citus with ' +
          '`admin backup` and `admin restore`.',
      )
    : error
