import { createHash } from 'node:crypto'

import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'

import { openPool } from './pool.ts'
import { joinRequestTransactions } from './request-transaction.ts'
import type { DB } from './schema.generated.ts'
import { toIsoTimestamp } from './timestamp-text.ts'

/** The database or a transaction: the first parameter of every query function. */
export type Database = Kysely<DB>

export interface DatabaseConnection {
  db: Database
  /** Waits for running queries, then closes every connection. */
  close(): Promise<void>
}

const types = new pg.TypeOverrides()
// The type of count(*). No value in this schema comes near 2^53.
types.setTypeParser(pg.types.builtins.INT8, Number)
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => new Date(toIsoTimestamp(text)))

const CONNECTION_TIMEOUT_MS = 10_000

/**
 * Opens a pool of connections. `onWarning` receives what a migration reports with `raise warning`.
 *
 * Every statement with parameters is prepared once on each connection and then executed by name, because parsing and
 * planning it would often take longer than running it. Statements must therefore have a fixed text: arrays as parameters,
 * never lists of placeholders.
 */
export function connect(
  connection: pg.PoolConfig,
  options: { poolSize: number; onError(error: Error): void; onWarning?(message: string): void },
): DatabaseConnection {
  const { pool, close } = openPool(
    {
      application_name: 'caseward',
      connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
      ...connection,
      max: options.poolSize,
      // Keeps idle connections: a new one would have to prepare all statements again.
      idleTimeoutMillis: 0,
      types,
      // The pool awaits the returned promise, although its types do not say so.
      onConnect: (client): unknown => client.query(SESSION_SETTINGS),
    },
    options.onError,
  )
  pool.on('connect', prepareStatements)
  pool.on('connect', (client) =>
    client.on('notice', ({ code, message = '' }) => {
      if (code === RAISED_WARNING) options.onWarning?.(message)
    }),
  )
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: joinRequestTransactions(pool) }) })
  pools.set(db, pool)
  connections.set(db, connection)
  return { db, close }
}

/** Returns the transaction that a client has begun as one of the service. */
export function toDatabase(client: pg.ClientBase): Database {
  // Kysely takes the one connection again and again.
  const connection = { query: client.query.bind(client), release() {} } as PostgresPoolClient
  const pool = { connect: async () => connection, end: async () => {} }
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
}

/** The code of `raise warning`. The warning of a PostgreSQL that crashes has another one. */
const RAISED_WARNING = '01000'

/** By default PostgreSQL plans a page again each time, because an unknown LIMIT makes the generic plan look expensive. */
export const PLAN_CACHE_MODE = 'force_generic_plan'

/**
 * A plan is made once and kept, also when it was made while the tables were almost empty. PostgreSQL would then read whole
 * tables, and continue to until it next analyses them, while the first large run arrives: 200 test cases of a run of 100,000
 * took minutes. Without JIT, because the cost of a plan that cannot avoid reading a table would start the compiler.
 */
const SESSION_SETTINGS = [
  `plan_cache_mode = ${PLAN_CACHE_MODE}`,
  'enable_seqscan = off',
  'jit = off',
  `time zone 'UTC'`,
  `datestyle = 'ISO'`,
]
  .map((setting) => `set ${setting}`)
  .join('; ')

const pools = new WeakMap<Database, pg.Pool>()

/** Returns the pool of a database. A transaction has no pool. */
export function getPool(db: Database): pg.Pool {
  const pool = pools.get(db)
  if (pool === undefined) throw new Error('A transaction has no pool')
  return pool
}

const connections = new WeakMap<Database, pg.PoolConfig>()

/** Creates a client outside of the pool, for a connection that is never given back. It is not connected yet. */
export function createClient(db: Database, applicationName: string): pg.Client {
  return new pg.Client({
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    keepAlive: true,
    ...connections.get(db),
    application_name: applicationName,
  })
}

const statementNames = new Map<string, string>()

/** Returns the name under which each connection prepares a statement. */
export function getStatementName(text: string): string {
  let name = statementNames.get(text)
  if (name === undefined) {
    name = createHash('sha1').update(text).digest('hex')
    statementNames.set(text, name)
  }
  return name
}

/** The beginning of a statement that is not prepared; see `plans.ts`. */
export const PLANNED_ANEW = '/* planned anew */'

function prepareStatements(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const queryPrepared = (text: unknown, values?: unknown, ...rest: unknown[]) =>
    typeof text === 'string' && Array.isArray(values) && values.length > 0 && !text.startsWith(PLANNED_ANEW)
      ? query({ name: getStatementName(text), text, values }, ...rest)
      : query(text, values, ...rest)
  client.query = queryPrepared as typeof client.query
}

/** Returns PostgreSQL's error code, or undefined for any other error (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
export function getPostgresErrorCode(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

/** Whether an error is the violation of this constraint. */
export function violatesConstraint(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.constraint === constraint
}
