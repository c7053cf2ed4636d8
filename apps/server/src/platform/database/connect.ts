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
  const state: DatabaseState = { hasCitus: false }
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
      onConnect: (client): unknown => prepareSession(client, state),
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
  states.set(db.getExecutor().adapter, state)
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

/**
 * How a connection plans statements, for {@link planGenerically}. By default PostgreSQL plans a page again each time, because
 * an unknown LIMIT makes the generic plan look expensive. Citus cannot execute generic plans that do not know which node a
 * statement is for.
 */
const PLAN_CACHE_MODE = `case when exists (select from pg_extension where extname = 'citus') then 'auto' else 'force_generic_plan' end`

/**
 * A plan is made once and kept, also when it was made while the tables were almost empty. PostgreSQL would then read whole
 * tables, and continue to until it next analyses them, while the first large run arrives: 200 test cases of a run of 100,000
 * took minutes. Without JIT, because the cost of a plan that cannot avoid reading a table would start the compiler.
 */
const SESSION_SETTINGS = `
  set enable_seqscan = off; set jit = off; set time zone 'UTC'; set datestyle = 'ISO';
  select set_config('plan_cache_mode', set_config('caseward.plan_cache_mode', ${PLAN_CACHE_MODE}, false), false) as mode`

async function prepareSession(client: pg.ClientBase, state: DatabaseState): Promise<void> {
  // The driver returns one result for each statement.
  const results = (await client.query(SESSION_SETTINGS)) as unknown as pg.QueryResult<{ mode: string }>[]
  state.hasCitus = results.at(-1)?.rows[0]?.mode === 'auto'
}

interface DatabaseState {
  hasCitus: boolean
}

/** The states of databases by their adapter, which a database shares with its transactions. */
const states = new WeakMap<object, DatabaseState>()

/** Whether the extension `citus` was installed when the newest connection was opened. */
export const hasCitus = (db: Database): boolean => states.get(db.getExecutor().adapter)?.hasCitus ?? false

/** Returns a function that creates a value, such as a cache, once for each database. Its transactions share the value. */
export function createPerDatabase<T>(create: () => T): (db: Database) => T {
  const values = new WeakMap<object, T>()
  return (db) => {
    const key = db.getExecutor().adapter
    const value = values.get(key) ?? create()
    values.set(key, value)
    return value
  }
}

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

/** Whether an error is the violation of this constraint. Citus names it only in the message, with the number of a shard. */
export function violatesConstraint(error: unknown, constraint: string): boolean {
  if (!(error instanceof pg.DatabaseError)) return false
  const name = error.constraint ?? VIOLATED_CONSTRAINT.exec(error.message)?.[1] ?? ''
  return name.replace(SHARD_NUMBER, '') === constraint
}

const VIOLATED_CONSTRAINT = /violates .*constraint "([^"]+)"$/

const SHARD_NUMBER = /_\d{6,}$/
