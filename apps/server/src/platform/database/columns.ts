import { CompiledQuery, type RawBuilder } from 'kysely'

import type { Database } from './connect.ts'
import { runTextQuery, type TextQuery, type TextRow } from './fast-reads/text-rows.ts'

/*
 * How reads are answered: the fields of a response are declared once, each with its SQL expression and its encoder. The
 * select list and the JSON follow from that. Rows stay the text that PostgreSQL sends: decoding values only to encode
 * them again would take longer than the rest of a request. A response schema serializes only what is derived in
 * JavaScript (milestones), short (folders, tokens), or the answer to a write.
 */

/** A field of a response. */
export interface Column<Context = void> {
  readonly sql: string
  /** Writes the value's text as JSON. Null is written without it. */
  readonly encode: (text: string, context: Context) => string
}

/** A column for each field of a response; the compiler reports a missing or unknown one. */
export type ColumnsOf<Item, Context = void> = { readonly [Field in keyof Item]-?: Column<Context> }

export interface Columns<Context = void> {
  /** For `select`. */
  readonly selectList: string
  /** The same as an array of text, for transactions: their connection decodes all other types. */
  readonly textArray: string
  /** Writes a row as a JSON object. Further columns of the row are ignored. */
  present(row: TextRow, context: Context): string
}

/**
 * Declares the columns that a response is read from.
 * @param Context what encoders need besides the value, such as the project whose prefix is part of an id
 */
export function defineColumns<Item extends object, Context = void>(
  columns: ColumnsOf<Item, Context>,
): Columns<Context> {
  const entries = Object.entries<Column<Context>>(columns)
  const fields = entries.map(([name, { encode }], index) => ({
    key: `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`,
    encode,
  }))
  return {
    selectList: entries.map(([, column]) => column.sql).join(', '),
    textArray: `array[${entries.map(([, column]) => `(${column.sql})::text`).join(', ')}]`,
    present(row, context) {
      let json = ''
      let index = 0
      for (const { key, encode } of fields) {
        const text = row[index] ?? null
        json += key + (text === null ? 'null' : encode(text, context))
        index += 1
      }
      return `${json}}`
    },
  }
}

/** The last argument of a read, left out where no encoder needs a context. */
type ContextArgument<Context> = Context extends void ? [context?: Context] : [context: Context]

/** The items of a page as a JSON array, and how many there are on all pages. */
export interface JsonItems {
  items: string
  total: number
}

/**
 * Reads a page of a list; null when there is no such list.
 * @param queries.rows selects the columns, and the total after them
 * @param queries.total selects the total alone, for a page without rows; no row when the list itself does not exist
 */
export async function readPage<Context = void>(
  db: Database,
  columns: Columns<Context>,
  queries: { rows: TextQuery; total: () => TextQuery },
  ...[context]: ContextArgument<Context>
): Promise<JsonItems | null> {
  const rows = await runTextQuery(db, queries.rows)
  const total = rows[0]?.at(-1) ?? (await runTextQuery(db, queries.total()))[0]?.[0]
  if (typeof total !== 'string') return null
  return { items: `[${rows.map((row) => columns.present(row, context as Context)).join(',')}]`, total: Number(total) }
}

/**
 * Reads one item as a JSON object; null when there is none.
 * @param from the statement after its select list
 */
export async function readItem<Context>(
  db: Database,
  columns: Columns<Context>,
  from: TextQuery,
  ...[context]: ContextArgument<Context>
): Promise<string | null> {
  const row = db.isTransaction ? await readRowInTransaction(db, columns, from) : await readRow(db, columns, from)
  return row === undefined ? null : columns.present(row, context as Context)
}

async function readRow(db: Database, { selectList }: Columns<never>, { text, values }: TextQuery) {
  const [row] = await runTextQuery(db, { text: `select ${selectList} ${text}`, values })
  return row
}

async function readRowInTransaction(tx: Database, { textArray }: Columns<never>, { text, values }: TextQuery) {
  const query = CompiledQuery.raw(`select ${textArray} as item ${text}`, [...values])
  const { rows } = await tx.executeQuery<{ item: TextRow }>(query)
  return rows[0]?.item
}

/** A query that is put together from SQL templates, of few enough forms that each connection can prepare all of them. */
export function toTextQuery(db: Database, query: RawBuilder<unknown>): TextQuery {
  const { sql: text, parameters } = query.compile(db)
  return { text, values: parameters as readonly (string | number)[] }
}
