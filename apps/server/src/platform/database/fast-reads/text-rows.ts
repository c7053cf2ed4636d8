import type pg from 'pg'
import { serialize } from 'pg-protocol'

import { type Database, getPool, getStatementName, hasCitus } from '../connect.ts'
import { getRequestClient } from '../request-transaction.ts'

/*
 * Reads rows as the text that PostgreSQL sends, over pg's internal connection.
 *
 * pg's public API (`rowMode: 'array'` with `types` that keep text) describes every result again, builds three objects for
 * each query, and writes each message on its own. For one row of 13 columns that takes 47 µs of processor time in Node
 * instead of 22 µs, and 49 µs instead of 40 µs in PostgreSQL; a whole request takes about 100 µs. Reads of test cases,
 * results and projects would miss the limits of `npm run bench` by a fifth.
 */

/** A row in the order of its columns, each as PostgreSQL writes it: `12`, `t`, `2026-11-21 09:30:00.123456+00`. */
export type TextRow = readonly (string | null)[]

export type TextValue = string | number

/**
 * A statement with its parameters. Each connection prepares it once, so its text must be one of a few. Build the text
 * once where a read must be fast: finding the prepared statement of a new string takes microseconds.
 */
export interface TextQuery {
  readonly text: string
  readonly values: readonly TextValue[]
  /** Plans the statement for these values, where the best plan depends on them. Costs a fraction of a millisecond. */
  readonly useCustomPlan?: boolean
}

/** Runs a query outside of any transaction, except for that of the current request. */
export function runTextQuery(db: Database, query: TextQuery): Promise<readonly TextRow[]> {
  return new Promise((resolve, reject) => {
    const pool = getPool(db)
    const requestClient = getRequestClient(pool)
    if (requestClient !== null) {
      requestClient.query(
        new TextRowsQuery(withPlan(db, query), (failure, rows) => (failure === null ? resolve(rows) : reject(failure))),
      )
      return
    }
    pool.connect((error, client, release) => {
      if (error !== undefined || client === undefined) {
        reject(error ?? new Error('The pool returned no connection'))
        return
      }
      client.query(
        new TextRowsQuery(withPlan(db, query), (failure, rows) => {
          release()
          if (failure === null) resolve(rows)
          else reject(failure)
        }),
      )
    })
  })
}

/** With Citus, generic plans are not forced: PostgreSQL itself makes a custom plan where the values matter. */
const withPlan = (db: Database, query: TextQuery): TextQuery =>
  query.useCustomPlan === true && hasCitus(db) ? { text: query.text, values: query.values } : query

/** The internals of pg's connection that a query uses, as pg-cursor does (https://node-postgres.com/apis/cursor). */
interface Connection {
  stream: { writable: boolean; write(message: Uint8Array): void }
  parsedStatements: Record<string, string | undefined>
  submittedNamedStatements: Record<string, string | undefined>
}

const EXECUTE = serialize.execute()
const SYNC = serialize.sync()
const EXECUTE_AND_SYNC = Buffer.concat([EXECUTE, SYNC])
const buildSet = (setting: string) =>
  Buffer.concat([serialize.parse({ text: `set ${setting}` }), serialize.bind(), serialize.execute()])
/** Sent around a read. Everything up to `SYNC` is one transaction: when the read fails, the setting is rolled back. */
const SET_CUSTOM_PLAN = buildSet('plan_cache_mode = force_custom_plan')
const SET_GENERIC_PLAN = buildSet('plan_cache_mode = force_generic_plan')

/** A prepared statement whose rows are neither described nor decoded. pg calls its methods by their names. */
class TextRowsQuery implements pg.Submittable {
  readonly #values: string[]
  readonly #useCustomPlan: boolean
  readonly #rows: TextRow[] = []
  readonly name: string
  readonly text: string
  readonly callback: (error: Error | null, rows: readonly TextRow[]) => void

  constructor({ text, values, useCustomPlan = false }: TextQuery, callback: TextRowsQuery['callback']) {
    this.name = getStatementName(text)
    this.text = text
    this.#values = values.map(String)
    this.#useCustomPlan = useCustomPlan
    this.callback = callback
  }

  submit(on: object): void {
    const connection = on as Connection
    const { name, text } = this
    const messages: Uint8Array[] = [serialize.bind({ statement: name, values: this.#values })]
    if (this.#useCustomPlan) {
      messages.unshift(SET_CUSTOM_PLAN)
      messages.push(EXECUTE, SET_GENERIC_PLAN, SYNC)
    } else {
      messages.push(EXECUTE_AND_SYNC)
    }
    if (connection.parsedStatements[name] === undefined && connection.submittedNamedStatements[name] === undefined) {
      messages.unshift(serialize.parse({ name, text }))
      connection.submittedNamedStatements[name] = text
    }
    // A broken connection rejects its own query.
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
