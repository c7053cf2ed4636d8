/** All rows of a list, such as the test cases of a project or the results of a run, for local search, filters and counts. */
export interface RowIndex<Row extends IndexRow> {
  /** In the order of the server; new rows are at the end. */
  readonly rows: readonly Row[]
  /** Number of rows on the server. While the index loads, it is higher than the number of `rows`. */
  readonly total: number
  /** Whether all rows are loaded. Until then, searches and filters ask the server. */
  readonly isComplete: boolean
  /** Time of the server (ISO) up to which the rows contain all changes. */
  readonly readAt: string
  /** The keys of the custom fields that all rows have; none by default. */
  readonly columns?: readonly string[]
  /** Rows that live updates brought since the last load. They are newer than a page that was requested before. */
  readonly liveRows: ReadonlyMap<string, Row>
}

/** Every row has an id. */
export interface IndexRow {
  readonly id: string
}

/** A page as the server returns it. */
export interface RowPage<Row> {
  readonly rows: readonly Row[]
  readonly total: number
  /** Cursor of the next page; null at the end. */
  readonly nextAfter: string | null
  /** Time of the server (ISO) when it began to read the page, or a little earlier. */
  readonly readAt: string
}

export const emptyIndex = <Row extends IndexRow>(): RowIndex<Row> => ({
  rows: [],
  total: 0,
  isComplete: false,
  readAt: new Date(0).toISOString(),
  liveRows: new Map<string, Row>(),
})

/**
 * Replaces rows, and adds those that are new at the end.
 * @returns the same list if `changed` is empty
 */
export function mergeRows<Row extends IndexRow>(rows: readonly Row[], changed: Iterable<Row>): readonly Row[] {
  const byId = new Map<string, Row>()
  for (const row of changed) byId.set(row.id, row)
  if (byId.size === 0) return rows
  const merged = rows.map((row) => {
    const replacement = byId.get(row.id)
    if (replacement === undefined) return row
    byId.delete(row.id)
    return replacement
  })
  merged.push(...byId.values())
  return merged
}

/** Applies rows of a live update. While the index loads, rows that are on a later page wait in `liveRows`. */
export function applyLiveRows<Row extends IndexRow>(index: RowIndex<Row>, changed: readonly Row[]): RowIndex<Row> {
  if (changed.length === 0) return index
  const liveRows = new Map(index.liveRows)
  for (const row of changed) liveRows.set(row.id, row)
  if (index.isComplete) {
    const rows = mergeRows(index.rows, changed)
    return { ...index, rows, total: rows.length, liveRows }
  }
  const loadedIds = new Set(index.rows.map((row) => row.id))
  return {
    ...index,
    rows: mergeRows(
      index.rows,
      changed.filter((row) => loadedIds.has(row.id)),
    ),
    liveRows,
  }
}

/** Removes rows, for example those whose deletion can still be undone. */
export function removeRows<Row extends IndexRow>(index: RowIndex<Row>, ids: ReadonlySet<string>): RowIndex<Row> {
  const rows = index.rows.filter((row) => !ids.has(row.id))
  if (rows.length === index.rows.length) return index
  const liveRows = new Map([...index.liveRows].filter(([id]) => !ids.has(id)))
  return { ...index, rows, liveRows, total: Math.max(rows.length, index.total - (index.rows.length - rows.length)) }
}
