import type { RawBuilder } from 'kysely'
import type pg from 'pg'
import { serialize } from 'pg-protocol'

import { type Database, getStatementName, PLAN_CACHE_MODE, getPool } from './connect.ts'

/**
 * A row in the order of its columns, each as PostgreSQL writes it: `12`, `t`, `2026-11-21 09:30:00.123456+00`. Reads that
 * are asked for all day are made into JSON from these: to have each column described, decoded and named, only to be
 * written again, takes longer than all the rest of such a request.
 */
export type TextRow = readonly (string | null)[]

/** What these reads are asked with. */
type Parameter = string | number

/** A read of a fixed text. To build one from a template costs as much as to run it. */
export function defineTextQuery<Row extends TextRow>(
  text: string,
): (db: Database, values: readonly Parameter[]) => Promise<Row[]> {
  const name = getStatementName(text)
  return (db, values) => read<Row>(db, { name, text, values })
}

/**
 * The rows of a read that was put together, of few enough forms that each connection may prepare all of them.
 * @param options.plansAnew whether its best plan depends on the data so much that a fraction of a millisecond for a plan
 *   of its own is well spent
 */
export async function runTextQuery<Row extends TextRow>(
  db: Database,
  query: RawBuilder<unknown> | { readonly text: string; readonly values: readonly Parameter[] },
  { plansAnew: useCustomPlan = false } = {},
): Promise<Row[]> {
  if ('text' in query) return await read<Row>(db, { name: getStatementName(query.text), ...query, useCustomPlan })
  const { sql, parameters } = query.compile(db)
  return await read<Row>(db, {
    name: getStatementName(sql),
    text: sql,
    values: parameters as readonly Parameter[],
    useCustomPlan,
  })
}

/** What is read, by a statement that each connection prepares once and then knows by its name. */
interface PreparedQuery {
  readonly name: string
  readonly text: string
  readonly values: readonly Parameter[]
  readonly useCustomPlan?: boolean
}

function read<Row extends TextRow>(db: Database, question: PreparedQuery) {
  return new Promise<Row[]>((resolve, reject) => {
    getPool(db).connect((error, client, release) => {
      if (error !== undefined || client === undefined) {
        reject(error ?? new Error('The pool gave no connection'))
        return
      }
      client.query(
        new TextRowsQuery(question, (failure, rows) => {
          release()
          // The columns are as the statement names them; who writes it says what a row is.
          if (failure === null) resolve(rows as readonly unknown[] as Row[])
          else reject(failure)
        }),
      )
    })
  })
}

/** What a query of pg's does with the connection, as its cursors do (https://node-postgres.com/apis/cursor). */
interface Connection {
  stream: { writable: boolean; write(message: Uint8Array): void }
  parsedStatements: Record<string, string | undefined>
  submittedNamedStatements: Record<string, string | undefined>
}

const EXECUTE = serialize.execute()
const SYNC = serialize.sync()
const set = (setting: string) =>
  Buffer.concat([serialize.parse({ text: `set ${setting}` }), serialize.bind(), serialize.execute()])
/** Sent around a read. Up to `SYNC` all is one transaction: when the read fails, the first is undone with it. */
const SET_CUSTOM_PLAN = set('plan_cache_mode = force_custom_plan')
const SET_GENERIC_PLAN = set(`plan_cache_mode = ${PLAN_CACHE_MODE}`)

/** A prepared statement whose rows are neither described nor decoded. pg calls its methods by their names. */
class TextRowsQuery implements pg.Submittable {
  readonly #values: readonly string[]
  readonly #plansAnew: boolean
  readonly #rows: TextRow[] = []
  readonly name: string
  readonly text: string
  readonly callback: (error: Error | null, rows: TextRow[]) => void

  constructor({ name, text, values, useCustomPlan = false }: PreparedQuery, callback: TextRowsQuery['callback']) {
    this.name = name
    this.text = text
    this.#values = values.map(String)
    this.#plansAnew = useCustomPlan
    this.callback = callback
  }

  submit(on: object): void {
    const connection = on as Connection
    const { name, text } = this
    const messages: Uint8Array[] = [serialize.bind({ statement: name, values: [...this.#values] }), EXECUTE]
    if (this.#plansAnew) {
      messages.unshift(SET_CUSTOM_PLAN)
      messages.push(SET_GENERIC_PLAN)
    }
    if (connection.parsedStatements[name] === undefined && connection.submittedNamedStatements[name] === undefined) {
      messages.unshift(serialize.parse({ name, text }))
      connection.submittedNamedStatements[name] = text
    }
    messages.push(SYNC)
    // A connection that broke tells its query so by itself.
    if (connection.stream.writable) connection.stream.write(Buffer.concat(messages))
  }

  handleDataRow({ fields }: { fields: TextRow }): void {
    this.#rows.push(fields)
  }

  handleError(error: Error): void {
    this.callback(error, [])
  }

  handleReadyForQuery(): void {
    this.callback(null, this.#rows)
  }

  handleCommandComplete(): void {}
}
