import type { JsonCursorPage, JsonItems } from '../database/reads.ts'

/** A page of a list: `limit` rows from `offset`. */
export interface PageRange {
  page: number
  perPage: number
  limit: number
  offset: number
}

/** Parses `page` and `per_page`, which the schema has validated. */
export function parsePage(query: { page?: number; per_page?: number }): PageRange {
  const { page = 1, per_page: perPage = 20 } = query
  // Limits the offset to PostgreSQL's bigint. Such a page is empty in any case.
  return { page, perPage, limit: perPage, offset: Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER) }
}

/** Formats a page of a list whose items are JSON already: serializing rows by a schema would limit the speed of a list. */
export function formatJsonPage({ items, total }: JsonItems, { page, perPage }: PageRange): string {
  return `{"data":${items},"meta":{"page":${page},"per_page":${perPage},"total":${total}}}`
}

/** Formats a page of a list that is read by cursor. */
export const formatJsonCursorPage = ({ items, nextAfter }: JsonCursorPage): string =>
  `{"data":${items},"meta":{"next_after":${JSON.stringify(nextAfter)}}}`

/** Returns a LIKE pattern that matches texts which contain `text` literally. */
export const toLikePattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
