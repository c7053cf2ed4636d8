import type { ReactNode } from 'react'

/** The widths of the table below which columns are hidden, in the order in which they go. */
export type HiddenBelow = 1000 | 860 | 740 | 620

export interface Column<Row> {
  id: string
  head: string
  /** Hides the head from sight, for glyphs. */
  isHeadHidden?: boolean
  render: (row: Row) => ReactNode
  /** In pixels. One column has none: it takes the rest, and shrinks last. */
  width?: number
  /** Numbers stand at the end. */
  align?: 'start' | 'end'
  isSortable?: boolean
  /** The columns that are hidden first have the largest number. */
  hiddenBelow?: HiddenBelow
  /** Whether the menu of columns can hide it. */
  isOptional?: boolean
  /** Whether it stands before both lines of narrow tables: a glyph. Only the first column. */
  isLeading?: boolean
  /** Whether it is left out of the two lines of narrow tables. */
  isLeftOutWhenNarrow?: boolean
}

export interface Sort {
  column: string
  direction: 'ascending' | 'descending'
}

/** The order after a click on the head of a column: ascending, descending, then the order of the list itself. */
export function getNextSort(sort: Sort | null, column: string): Sort | null {
  if (sort?.column !== column) return { column, direction: 'ascending' }
  return sort.direction === 'ascending' ? { column, direction: 'descending' } : null
}

/** The parameters of a URL that sort a table: a column, or the order of the list itself. */
interface SortSearch<Name extends string> {
  readonly sort: Name
  readonly desc: boolean
}

/** Converts the parameters of the URL to an order. @param own the name of the order of the list itself */
export const toSort = ({ sort, desc }: SortSearch<string>, own: string): Sort | null =>
  sort === own ? null : { column: sort, direction: desc ? 'descending' : 'ascending' }

/** Converts an order to parameters of the URL. @param names all that the URL knows, first that of the list itself */
export function fromSort<Name extends string>(order: Sort | null, names: readonly [Name, ...Name[]]): SortSearch<Name> {
  const sort = names.find((name) => name === order?.column)
  return sort === undefined ? { sort: names[0], desc: false } : { sort, desc: order?.direction === 'descending' }
}
