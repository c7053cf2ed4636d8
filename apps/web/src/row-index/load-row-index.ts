import { emptyIndex, type IndexRow, mergeRows, type RowIndex, type RowPage } from './row-index.ts'

/** The largest page of compact rows. */
export const ROWS_PER_PAGE = 2000

/** How the rows of a list are read from the server. */
export interface RowSource<Row extends IndexRow> {
  /** The keys of the custom fields that rows get; none by default. */
  readonly columns?: readonly string[]
  /** Reads a page of all rows, or of those that changed since a time. */
  readPage(query: { after?: string; changed_since?: string; per_page: number }): Promise<RowPage<Row>>
  /** Whether a row that changed is no longer in the list. Without it, such rows are noticed by their number alone. */
  isGone?: (row: Row) => boolean
}

/** Showing a part takes about as long as loading the next one, so that showing each would slow down a fast connection. */
export const SHOW_EVERY_MS = 300

interface LoadOptions<Row extends IndexRow> {
  /** Returns the index that is shown, which live updates may have changed since the load began; undefined if there is none. */
  readonly getShown: () => RowIndex<Row> | undefined
  /** Shows a part of a first load: the first page, and after {@link SHOW_EVERY_MS} more. */
  readonly show: (index: RowIndex<Row>) => void
}

/**
 * Brings an index up to date: reads all pages, or, if it is complete, only the rows that changed since.
 * @throws what `readPage` throws
 */
export async function loadRowIndex<Row extends IndexRow>(
  source: RowSource<Row>,
  options: LoadOptions<Row>,
): Promise<RowIndex<Row>> {
  const shown = options.getShown()
  const { columns = [] } = source
  const canRefresh = shown?.isComplete === true && columns.every((key) => shown.columns?.includes(key))
  const refreshed = canRefresh ? await refreshRowIndex(source, shown, options.getShown) : null
  const index = refreshed ?? (await loadAllRows(source, options))
  return columns.length === 0 ? index : { ...index, columns }
}

async function loadAllRows<Row extends IndexRow>(
  source: RowSource<Row>,
  { getShown, show }: LoadOptions<Row>,
): Promise<RowIndex<Row>> {
  const before = getShown()
  // Rows of earlier live updates are on the pages, too.
  const earlierLiveRows = before?.liveRows
  const isFirstLoad = !before?.isComplete
  const rows: Row[] = []
  let readAt: string | undefined
  let shownAt = -Infinity
  for (let after: string | null | undefined; after !== null;) {
    const page: RowPage<Row> = await source.readPage({
      per_page: ROWS_PER_PAGE,
      ...(after === undefined ? {} : { after }),
    })
    const liveRows = getShown()?.liveRows
    rows.push(...page.rows)
    // Pages are read one after another: changes since the first one may be missing.
    readAt ??= page.readAt
    after = page.nextAfter
    const changed = findNewLiveRows(liveRows, earlierLiveRows)
    const index = { ...emptyIndex<Row>(), total: page.total, readAt }
    if (after === null) return complete({ ...index, rows }, changed)
    if (!isFirstLoad || performance.now() - shownAt < SHOW_EVERY_MS) continue
    shownAt = performance.now()
    const loadedIds = new Set(rows.map((row) => row.id))
    const loadedChanges = changed.filter((row) => loadedIds.has(row.id))
    show({ ...index, rows: mergeRows([...rows], loadedChanges), liveRows: liveRows ?? new Map<string, Row>() })
  }
  // Not reached: the loop ends with the last page.
  return emptyIndex<Row>()
}

/**
 * Reads the rows that changed since the index was read. Deleted rows are not among them: they are found by the number of
 * rows.
 * @returns null if rows were deleted and the whole index must be read
 */
async function refreshRowIndex<Row extends IndexRow>(
  source: RowSource<Row>,
  before: RowIndex<Row>,
  getShown: () => RowIndex<Row> | undefined,
): Promise<RowIndex<Row> | null> {
  const changed: Row[] = []
  let readAt: string | undefined
  for (let after: string | null | undefined; after !== null;) {
    const page: RowPage<Row> = await source.readPage({
      changed_since: before.readAt,
      per_page: ROWS_PER_PAGE,
      ...(after === undefined ? {} : { after }),
    })
    readAt ??= page.readAt
    changed.push(...page.rows)
    after = page.nextAfter
  }
  const { total } = await source.readPage({ per_page: 1 })
  const shown = getShown() ?? before
  const all = mergeRows(mergeRows(shown.rows, changed), findNewLiveRows(shown.liveRows, before.liveRows))
  const { isGone } = source
  const merged = isGone !== undefined && changed.some(isGone) ? all.filter((row) => !isGone(row)) : all
  if (merged.length !== total) return null
  return { rows: merged, total, isComplete: true, readAt: readAt ?? before.readAt, liveRows: new Map<string, Row>() }
}

/** Returns the rows that live updates brought since `earlier`. */
function findNewLiveRows<Row extends IndexRow>(
  liveRows: ReadonlyMap<string, Row> = new Map<string, Row>(),
  earlier: ReadonlyMap<string, Row> = new Map<string, Row>(),
): Row[] {
  return [...liveRows].filter(([id, row]) => earlier.get(id) !== row).map(([, row]) => row)
}

function complete<Row extends IndexRow>(index: RowIndex<Row>, changed: readonly Row[]): RowIndex<Row> {
  const rows = mergeRows(index.rows, changed)
  return { ...index, rows, total: rows.length, isComplete: true, liveRows: new Map<string, Row>() }
}
