import { CompiledQuery, type RawBuilder } from 'kysely'

import type { Columns } from './columns.ts'
import type { Database } from './connect.ts'
import { runTextQuery, type TextQuery, type TextRow, type TextValue } from './fast-reads/text-rows.ts'

/** The items of a page as a JSON array, and the number of items on all pages. */
export interface JsonItems {
  items: string
  total: number
}

/**
 * Reads a page of a list; null when there is no such list.
 * @param queries.rows selects the columns, then the total
 * @param queries.total selects only the total, for a page without rows; returns no row when there is no such list
 * @param queries.prepare reads what else the rows need before they are converted
 */
export async function readPage(
  db: Database,
  queries: { rows: TextQuery; total: () => TextQuery; prepare?: (rows: readonly TextRow[]) => Promise<void> },
  toJson: (row: TextRow) => string,
): Promise<JsonItems | null> {
  const rows = await runTextQuery(db, queries.rows)
  const total = rows[0]?.at(-1) ?? (await runTextQuery(db, queries.total()))[0]?.[0]
  if (typeof total !== 'string') return null
  if (queries.prepare !== undefined) await queries.prepare(rows)
  return { items: `[${rows.map((row) => toJson(row)).join(',')}]`, total: Number(total) }
}

/** The items of a page as a JSON array, and the cursor of the next page; null on the last one. */
export interface JsonCursorPage {
  items: string
  nextAfter: string | null
}

/**
 * Reads a page of a list by cursor, which takes the same time for every page.
 * @param query selects the columns, then the cursor of the row, and one row more than the page has
 * @param prepare reads what else the rows of the page need before they are converted
 */
export async function readCursorPage(
  db: Database,
  query: TextQuery,
  perPage: number,
  toJson: (row: TextRow) => string,
  prepare?: (rows: readonly TextRow[]) => Promise<void>,
): Promise<JsonCursorPage> {
  const rows = await runTextQuery(db, query)
  const page = rows.slice(0, perPage)
  await prepare?.(page)
  const nextAfter = rows.length > perPage ? (page.at(-1)?.at(-1) ?? null) : null
  return { items: `[${page.map((row) => toJson(row)).join(',')}]`, nextAfter }
}

/** Reads one item as a JSON object; null when there is none. */
export type ReadItem<Context> = (db: Database, values: readonly TextValue[], context: Context) => Promise<string | null>

/**
 * Defines how one item is read, also within a transaction.
 * @param from the statement after its select list
 * @param prepare returns a context with what else the row needs
 */
export function defineItemRead<Context = void>(
  columns: Columns<Context>,
  from: string,
  prepare?: (db: Database, row: TextRow, context: Context) => Promise<Context>,
): ReadItem<Context> {
  const select = `select ${columns.selectList} ${from}`
  const selectInTransaction = `select ${columns.textArray} as item ${from}`
  return async (db, values, context) => {
    const row = db.isTransaction
      ? await readRowInTransaction(db, selectInTransaction, values)
      : (await runTextQuery(db, { text: select, values }))[0]
    if (row === undefined) return null
    return columns.toJson(row, prepare === undefined ? context : await prepare(db, row, context))
  }
}

async function readRowInTransaction(tx: Database, text: string, values: readonly TextValue[]) {
  const { rows } = await tx.executeQuery<{ item: TextRow }>(CompiledQuery.raw(text, [...values]))
  return rows[0]?.item
}

/** A query built from SQL templates. It must have few forms, since each connection prepares all of them. */
export function toTextQuery(db: Database, query: RawBuilder<unknown>): TextQuery {
  const { sql: text, parameters } = query.compile(db)
  return { text, values: parameters as readonly TextValue[] }
}
