import { MAX_PER_PAGE } from '@caseward/contract/pagination'

import type { JsonRows } from '../database/json-rows.ts'
import { parsePage } from './pagination.ts'
import { invalidFieldProblem } from './problems.ts'
import { parseTimestamp } from './timestamps.ts'

/** The part of the query that the list and its compact rows have in common. */
interface ListQuery {
  fields?: string
  after?: string
  page?: number
  per_page?: number
}

/** A page of compact rows: `limit` rows after the one with the cursor `after`, or from `offset`. */
export interface RowPageRange {
  page: number
  perPage: number
  after: string | null
  offset: number
}

/**
 * Checks what the schema cannot express: only pages of compact rows are large and have a cursor.
 * @returns whether the query asks for compact rows
 * @throws {Problem} 400
 */
export function isRowQuery<Q extends ListQuery>(query: Q): query is Extract<Q, { fields: 'row' }> {
  const { fields, after, page = 1, per_page: perPage = 20 } = query
  if (fields === 'row') {
    if (after !== undefined && page > 1) {
      throw invalidFieldProblem('/page', 'cannot be combined with `after`: leave one of them out')
    }
    return true
  }
  if (perPage > MAX_PER_PAGE) {
    throw invalidFieldProblem('/per_page', `must be ${MAX_PER_PAGE} or less, except with \`fields=row\``)
  }
  if (after !== undefined) throw invalidFieldProblem('/after', 'can only be used with `fields=row`')
  return false
}

export function parseRowPage(query: { after?: string; page?: number; per_page?: number }): RowPageRange {
  const { page, perPage, offset } = parsePage(query)
  return { page, perPage, after: query.after ?? null, offset }
}

/** Formats a page of compact rows. */
export const formatRowPage = ({ items, total, nextAfter }: JsonRows, { page, perPage }: RowPageRange): string =>
  `{"data":${items},"meta":{"page":${page},"per_page":${perPage},"total":${total},"next_after":${JSON.stringify(nextAfter)}}}`

/**
 * A transaction stores its time of change before it commits. Someone who has read up to a time may have missed a change of
 * the seconds before.
 */
const LATE_COMMIT_MS = 10_000

/** Returns the time from which `changed_since` must look, for a statement. */
export function toFirstChange(changedSince: string): string {
  const time = parseTimestamp(changedSince)?.getTime() ?? 0
  return new Date(time - LATE_COMMIT_MS).toISOString()
}
