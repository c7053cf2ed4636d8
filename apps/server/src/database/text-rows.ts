import type { RawBuilder } from 'kysely'
import type pg from 'pg'
import { serialize } from 'pg-protocol'

import { type Database, nameOf, poolOf } from './connect.ts'

/**
 * A row in the order of its columns, each as PostgreSQL writes it: `12`, `t`, `2026-11-21 09:30:00.123456+00`. Reads that
 * are asked for all day are made into JSON from these: to have each column described, decoded and named, only to be
 * written again, takes longer than all the rest of such a request.
 */
export type TextRow = readonly (string | null)[]

/** What these reads are asked with. */
type Parameter = string | number

/** A read of a fixed text. To build one from a template costs as much as to run it. */
export function textRows<Row extends TextRow>(
  text: string,
): (db: Database, values: readonly Parameter[]) => Promise<Row[]> {
  const name = nameOf(text)
  return (db, values) => read<Row>(db, name, text, values)
}

/** The rows of a read that varies. */
export async function selectTextRows<Row extends TextRow>(db: Database, query: RawBuilder<unknown>): Promise<Row[]> {
  const { sql, parameters } = query.compile(db)
  return await read<Row>(db, nameOf(sql), sql, parameters as readonly Parameter[])
}

function read<Row extends TextRow>(db: Database, name: string, text: string, values: readonly Parameter[]) {
  return new Promise<Row[]>((resolve, reject) => {
    poolOf(db).connect((error, client, release) => {
      if (error !== undefined || client === undefined) {
        reject(error ?? new Error('The pool gave no connection'))
        return
      }
      client.query(
        new Read(name, text, values, (failure, rows) => {
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

/** The messages that end every read: all of its rows are wanted, and nothing follows. */
const EXECUTE_AND_SYNC = Buffer.concat([serialize.execute(), serialize.sync()])

/** A prepared statement whose rows are neither described nor decoded. pg calls its methods by their names. */
class Read implements pg.Submittable {
  readonly #values: readonly string[]
  readonly #rows: TextRow[] = []
  readonly name: string
  readonly text: string
  readonly callback: (error: Error | null, rows: TextRow[]) => void

  constructor(name: string, text: string, values: readonly Parameter[], callback: Read['callback']) {
    this.name = name
    this.text = text
    this.#values = values.map(String)
    this.callback = callback
  }

  submit(on: object): void {
    const connection = on as Connection
    const { name, text } = this
    const messages = [serialize.bind({ statement: name, values: [...this.#values] }), EXECUTE_AND_SYNC]
    if (connection.parsedStatements[name] === undefined && connection.submittedNamedStatements[name] === undefined) {
      messages.unshift(serialize.parse({ name, text }))
      connection.submittedNamedStatements[name] = text
    }
    // One message to the kernel: pg's own way, one for each, takes a tenth of such a request's time.
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
