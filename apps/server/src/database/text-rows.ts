import type { RawBuilder } from 'kysely'
import type pg from 'pg'

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
  stream: { cork(): void; uncork(): void }
  parsedStatements: Record<string, string | undefined>
  submittedNamedStatements: Record<string, string | undefined>
  parse(query: { name: string; text: string }): void
  bind(config: { statement: string; values: readonly string[] }): void
  execute(config: object): void
  sync(): void
}

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
    connection.stream.cork()
    if (connection.parsedStatements[name] === undefined && connection.submittedNamedStatements[name] === undefined) {
      connection.parse({ name, text })
      connection.submittedNamedStatements[name] = text
    }
    connection.bind({ statement: name, values: this.#values })
    connection.execute({})
    connection.sync()
    connection.stream.uncork()
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
