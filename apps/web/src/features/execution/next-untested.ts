import type { ResultStatus } from '@caseward/client/endpoints'

interface ExecutionRow {
  readonly id: string
  readonly status: ResultStatus
}

/**
 * Returns the row to test after `currentId`: the next one below that is not tested, or else the first one above.
 * @param rows the rows that the filter shows, in their order
 * @returns null if all are tested
 */
export function findNextUntested<Row extends ExecutionRow>(rows: readonly Row[], currentId: string | null): Row | null {
  return findNext(rows, currentId, ({ status }) => status === 'not_tested')
}

/** Returns the next failed row after `currentId`, from the top again at the end; null if there is no other. */
export function findNextFailed<Row extends ExecutionRow>(rows: readonly Row[], currentId: string | null): Row | null {
  return findNext(rows, currentId, ({ status }) => status === 'failed')
}

function findNext<Row extends ExecutionRow>(
  rows: readonly Row[],
  currentId: string | null,
  matches: (row: Row) => boolean,
): Row | null {
  const current = rows.findIndex(({ id }) => id === currentId)
  const isNext = (row: Row) => row.id !== currentId && matches(row)
  return rows.slice(current + 1).find(isNext) ?? rows.slice(0, Math.max(0, current)).find(isNext) ?? null
}

/**
 * Keeps rows in the list whose status no longer matches the filter: a row keeps its place until the filter changes or the
 * page is loaded again.
 * @param rows all rows in order
 * @param matches the filter
 * @param shownIds the ids that the list has shown with this filter
 */
export function keepPlaces<Row extends ExecutionRow>(
  rows: readonly Row[],
  matches: (row: Row) => boolean,
  shownIds: ReadonlySet<string>,
): readonly Row[] {
  return rows.filter((row) => shownIds.has(row.id) || matches(row))
}
