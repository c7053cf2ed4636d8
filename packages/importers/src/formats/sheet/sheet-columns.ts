import { type TableRow, toHeading } from '../../tables/table.ts'
import { readHeading, type SheetField } from './heading-words.ts'

/** How many rows of a sheet are looked at. */
export const SAMPLE_ROWS = 400
const HEADER_ROWS = 20

export interface SheetColumns {
  readonly headerRow: number
  readonly headings: readonly string[]
  /** The index of the column of each field. */
  readonly fields: ReadonlyMap<SheetField, number>
  /** Folders may have several columns, from the top. */
  readonly folders: readonly number[]
}

const getCell = ({ cells }: TableRow, index: number) => (cells[index] ?? '').trim()

/** Finds the header of a sheet among its first rows: the one with the most known words, at least two, that data follows. */
export function findSheetColumns(rows: readonly TableRow[]): SheetColumns | null {
  let best: { row: TableRow; count: number } | null = null
  for (const [index, row] of rows.slice(0, HEADER_ROWS).entries()) {
    const found = row.cells.map((cell) => (cell.length > 100 ? null : readHeading(toHeading(cell))))
    const count = new Set(found.flatMap((each) => (each === null ? [] : [each.field]))).size
    const isFollowed = rows.slice(index + 1).some(({ cells }) => cells.filter((cell) => cell.trim() !== '').length > 1)
    if (count >= 2 && isFollowed && count > (best?.count ?? 0)) best = { row, count }
  }
  if (best === null) return null
  const { row } = best
  return assign(
    row,
    rows.filter((each) => each.row > row.row),
  )
}

function assign(header: TableRow, body: readonly TableRow[]): SheetColumns | null {
  const fills = header.cells.map((_, index) => body.filter((row) => getCell(row, index) !== '').length)
  const found = header.cells.map((cell) => readHeading(toHeading(cell)))
  const fields = new Map<SheetField, number>()
  const take = (field: SheetField) => {
    const indexes = found.flatMap((each, index) => (each?.field === field ? [index] : []))
    const most = Math.max(0, ...indexes.map((index) => fills[index] ?? 0))
    const rank = (index: number) => found[index]?.rank ?? 0
    const [first] = indexes
      .filter((index) => (fills[index] ?? 0) >= most * 0.8)
      .toSorted((one, other) => rank(one) - rank(other))
    if (first !== undefined) fields.set(field, first)
  }
  const all = new Set(found.flatMap((each) => (each === null ? [] : [each.field])))
  for (const field of all) take(field)
  if (!fields.has('title')) {
    const substitute = fields.get('description')
    if (substitute !== undefined) fields.set('title', substitute)
  }
  const taken = new Set(fields.values())
  const numbered = fields.has('steps')
    ? undefined
    : findNumbered(header.cells.length, body, taken, fields.get('precondition'))
  if (numbered !== undefined) fields.set('steps', numbered)
  if (!fields.has('title')) return null
  return { headerRow: header.row, headings: header.cells, fields, folders: findFolders(header, found) }
}

/** Steps without a known heading are the column in which most cells begin with `1.`. */
function findNumbered(
  count: number,
  body: readonly TableRow[],
  taken: ReadonlySet<number>,
  precondition: number | undefined,
): number | undefined {
  const counts = Array.from({ length: count }, (_, index) =>
    taken.has(index) || index === precondition
      ? 0
      : body.filter((row) => /^(?:[^\n]*\n){0,4}?\s*1\s?[.)]/.test(getCell(row, index))).length,
  )
  const most = Math.max(0, ...counts)
  return most > 0 && most >= body.length / 4 ? counts.indexOf(most) : undefined
}

const LEVEL = /^(?:一级|二级|三级)|^(?:module|feature|area|section|folder) ?\d$|^sub ?(?:module|feature)/

/** A folder has one column, or one for each level. */
function findFolders(header: TableRow, found: readonly ReturnType<typeof readHeading>[]): number[] {
  const indexes = found.flatMap((each, index) => (each?.field === 'folder' ? [index] : []))
  const [first] = indexes.toSorted((one, other) => (found[one]?.rank ?? 0) - (found[other]?.rank ?? 0))
  const levels = indexes.filter((index) => LEVEL.test(toHeading(header.cells[index] ?? '')))
  if (first === undefined) return []
  return levels.length > 0 ? [...new Set([first, ...levels])].toSorted((one, other) => one - other) : [first]
}
