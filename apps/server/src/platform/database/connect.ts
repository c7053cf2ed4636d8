import { createHash } from 'node:crypto'

import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'

import { openPool } from './pool.ts'
import type { DB } from './schema.generated.ts'
import { toIsoTimestamp } from './timestamp-text.ts'

/** The database, or a transaction on it: what every query function takes first. */
export type Database = Kysely<DB>

/** A database and the way to let go of it. */
export interface DatabaseConnection {
  db: Database
  /** Waits for the queries under way, then closes every connection. */
  close(): Promise<void>
}

const types = new pg.TypeOverrides()
// count(*) and the like are bigint. None of ours comes near 2^53, and a number is what everybody expects.
types.setTypeParser(pg.types.builtins.INT8, Number)
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => new Date(toIsoTimestamp(text)))

/**
 * Opens a pool of connections.
 *
 * Every statement with parameters is prepared once on each connection and then known by its name: parsing and
 * planning a page of results again would cost more than running it. Statements are therefore always of a fixed text
 * (arrays as parameters, never lists of placeholders).
 */
export function connect(
  connection: pg.PoolConfig,
  options: { poolSize: number; onError(error: Error): void },
): DatabaseConnection {
  const { pool, close } = openPool(
    {
      application_name: 'caseward',
      connectionTimeoutMillis: 10_000,
      ...connection,
      max: options.poolSize,
      // A connection that is given up has to be made, and its statements prepared, anew after every pause.
      idleTimeoutMillis: 0,
      types,
      // (The pool waits for what this returns, though its types do not tell.)
      onConnect: (client): unknown =>
        client.query(`set plan_cache_mode = ${PLAN_CACHE_MODE}; set time zone 'UTC'; set datestyle = 'ISO'`),
    },
    options.onError,
  )
  pool.on('connect', prepareStatements)
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  pools.set(db, pool)
  return { db, close }
}

/** Left to choose, PostgreSQL plans a page anew each time, since an unknown LIMIT makes the kept plan look costly. */
export const PLAN_CACHE_MODE = 'force_generic_plan'

const pools = new WeakMap<Database, pg.Pool>()

/** The pool behind a database. A transaction has none, only one connection of it. */
export function getPool(db: Database): pg.Pool {
  const pool = pools.get(db)
  if (pool === undefined) throw new Error('A transaction has no pool')
  return pool
}

const statementNames = new Map<string, string>()

/** The name by which each connection knows a statement once it has prepared it. */
export function getStatementName(text: string): string {
  let name = statementNames.get(text)
  if (name === undefined) {
    name = createHash('sha1').update(text).digest('hex')
    statementNames.set(text, name)
  }
  return name
}

function prepareStatements(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const prepared = (text: unknown, values?: unknown, ...rest: unknown[]) =>
    typeof text === 'string' && Array.isArray(values) && values.length > 0
      ? query({ name: getStatementName(text), text, values }, ...rest)
      : query(text, values, ...rest)
  client.query = prepared as typeof client.query
}

/** PostgreSQL's error code, when `error` came from there (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
export function getPostgresErrorCode(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

/** Whether a constraint of this name was violated. */
export function violatesConstraint(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.constraint === constraint
}
