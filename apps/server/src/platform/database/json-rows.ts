import type { Database } from './connect.ts'
import { runTextQuery, type TextQuery } from './fast-reads/text-rows.ts'

/*
 * Compact rows: thousands of small items in one response. PostgreSQL builds the JSON of a whole page as one text, because
 * converting the rows one by one (columns.ts) would block the event loop. Measured for 2,000 test cases: 1.3 ms of processor
 * time in Node instead of 6 ms, and with ten connections on two cores more than twice as many responses.
 */

/** The fields of a row: for each, a SQL expression of its JSON as text, which is never null. */
export type JsonRowOf<Row> = {
  readonly [Field in keyof Row as object extends Pick<Row, Field> ? never : Field]: string
}

/**
 * Returns the SQL expression of a row as JSON text.
 * @param fields those that each row has
 * @param optional those of {@link jsonFieldWhenSet}
 */
export function buildJsonRow<Row>(fields: JsonRowOf<Row>, optional: readonly string[] = []): string {
  const parts = Object.entries<string>(fields).map(
    ([name, sql], index) => `'${index === 0 ? '{' : ','}"${name}":' || ${sql}`,
  )
  return `${[...parts, ...optional].join(' || ')} || '}'`
}

/** A text, or any other value that PostgreSQL can convert to JSON; possibly null. */
export const jsonValue = (sql: string): string => `coalesce(to_json(${sql})::text, 'null')`

/** An id, an enum value or another text that needs no escaping; possibly null. */
export const jsonPlainText = (sql: string): string => `coalesce('"' || ${sql} || '"', 'null')`

/** A time; possibly null. */
export const jsonTimestamp = (sql: string): string => jsonPlainText(`to_char(${sql}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)

/** A field that a row has only if the value is not null. */
export const jsonFieldWhenSet = (name: string, sql: string, toJson = jsonValue): string =>
  `case when ${sql} is null then '' else ',"${name}":' || ${toJson(sql)} end`

/** The parts of a statement that reads a page of rows. */
interface RowSelect {
  /** A row as JSON text. */
  json: string
  /** The tables with the rows of the page, in any order. */
  from: string
  /** The column that orders the rows. */
  key: string
  /** An aggregate: the largest key of the page. */
  lastKey: string
  /** A query that returns a row if one follows the page; `page.last_key` is the largest key of the page. */
  following: string
  /** The number of rows on all pages. */
  total: string
  /**
   * What the list belongs to: a query of one row, which `json` and `total` can use by its name. It is read on its own, because
   * Citus joins no table that is not distributed with the rows.
   */
  owner: { name: string; query: string }
  /** A query whose rows the others can use as `matched`. */
  matched?: string
}

/** Returns a statement for {@link readJsonRows}. */
export const buildRowSelect = ({ json, from, key, lastKey, following, total, owner, matched }: RowSelect): string => `
  with ${owner.name} as materialized (${owner.query})${matched === undefined ? '' : `, matched as materialized (${matched})`}
  select page.items, case when exists (${following}) then page.last_key end, ${total}
  from ${owner.name}, lateral (
    select '[' || coalesce(string_agg(${json}, ',' order by ${key}), '') || ']' as items, ${lastKey} as last_key
    from ${from}
  ) page`

/** A page of rows as a JSON array. */
export interface JsonRows {
  items: string
  total: number
  /** The key of the last row; null if no row follows. */
  nextAfter: string | null
}

/**
 * Reads a page of rows; null when there is no such list.
 * @param query of {@link buildRowSelect}
 */
export async function readJsonRows(db: Database, query: TextQuery): Promise<JsonRows | null> {
  const [row] = await runTextQuery(db, query)
  if (row === undefined) return null
  const [items, nextAfter, total] = row
  return { items: items ?? '[]', nextAfter: nextAfter ?? null, total: Number(total) }
}
