import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import {
  Kysely,
  type Migration,
  type MigrationProvider,
  Migrator,
  PostgresDialect,
  type PostgresPoolClient,
  sql,
} from 'kysely'
import type pg from 'pg'

import { StartError } from '../start-error.ts'
import { type Database, getPool, getPostgresErrorCode, hasCitus } from './connect.ts'
import { withSchemaLock } from './schema-lock.ts'

const directory = fileURLToPath(new URL('../../../migrations/', import.meta.url))

/**
 * Runs the files of `migrations/` that have not run yet, in the order of their names, in one transaction and under an
 * advisory lock, so that several servers can start at the same time. Takes two connections.
 * @param stopSignal ends the wait for other servers
 * @returns the names of the migrations that ran
 * @throws {StartError} when a migration requires a decision of the operator
 */
export async function migrate(db: Database, stopSignal?: AbortSignal): Promise<string[]> {
  return await withSchemaLock(getPool(db), () => runMigrator(new Migrator({ db, provider })), stopSignal).catch(
    (error: unknown) => {
      throw hasCitus(db) ? toCitusMigrationError(error) : error
    },
  )
}

/**
 * Runs migrations as a part of the transaction that the client has begun. The caller holds the lock on the schema.
 * @param names runs only these migrations
 * @throws {StartError} when a migration requires a decision of the operator
 */
export async function migrateInTransaction(client: pg.ClientBase, names?: readonly string[]): Promise<void> {
  // Kysely takes the one connection again and again.
  const connection = { query: client.query.bind(client), release() {} } as PostgresPoolClient
  const pool = { connect: async () => connection, end: async () => {} }
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) })
  const getMigrations = async () => {
    const migrations = Object.entries(await readMigrations())
    return Object.fromEntries(migrations.filter(([name]) => names?.includes(name) ?? true))
  }
  await runMigrator(new Migrator({ db, provider: { getMigrations }, disableTransactions: true }))
}

async function runMigrator(migrator: Migrator): Promise<string[]> {
  const { error, results } = await migrator.migrateToLatest()
  if (error !== undefined) throw toMigrationError(error)
  return (results ?? []).map((result) => result.migrationName)
}

/** Returns the names of the migrations of this version, in their order. */
export const listMigrations = async (): Promise<string[]> => Object.keys(await readMigrations()).toSorted()

/** Returns whether the schema is older than this version of the service, or missing. Changes nothing. */
export async function hasPendingMigrations(db: Database): Promise<boolean> {
  const migrations = await new Migrator({ db, provider }).getMigrations()
  return migrations.some(({ executedAt }) => executedAt === undefined)
}

/** Returns whether any version of the service has created its schema. Changes nothing. */
export async function hasExecutedMigrations(db: Database): Promise<boolean> {
  const migrations = await new Migrator({ db, provider }).getMigrations()
  return migrations.some(({ executedAt }) => executedAt !== undefined)
}

/** The code of `raise exception`, with which a migration says what the operator has to do. */
const RAISED_BY_MIGRATION = 'P0001'

const toMigrationError = (error: unknown): unknown =>
  error instanceof Error && getPostgresErrorCode(error) === RAISED_BY_MIGRATION ? new StartError(error.message) : error

/** The code of `feature_not_supported`, with which Citus refuses what it cannot do on distributed tables. */
const NOT_SUPPORTED = '0A000'

const toCitusMigrationError = (error: unknown): unknown =>
  error instanceof Error && getPostgresErrorCode(error) === NOT_SUPPORTED
    ? new StartError(
        `This version of Caseward cannot migrate a database that is distributed with Citus: ${error.message}. Nothing was changed. ` +
          'Start the previous version again, and report this, or move to a new database with `admin backup` and `admin restore`.',
      )
    : error

async function readMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql'))
  const migrations = files.map(async (file): Promise<[string, Migration]> => {
    const text = await readFile(directory + file, 'utf8')
    return [file.slice(0, -'.sql'.length), { up: (db: Database) => runMigration(db, text) }]
  })
  return Object.fromEntries(await Promise.all(migrations))
}

async function runMigration(db: Database, text: string): Promise<void> {
  // Citus refuses changes of tables, and of foreign keys between them, on several connections in one transaction.
  if (hasCitus(db)) await sql`set local citus.multi_shard_modify_mode = 'sequential'`.execute(db)
  await sql.raw(text).execute(db)
}

const provider: MigrationProvider = { getMigrations: readMigrations }
