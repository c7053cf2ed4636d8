import { findColumn } from './find-column.ts'

/*
 * A second header with the keys of the columns, which an export writes on request: names of fields may change or be ambiguous,
 * keys are not.
 */

/** The form of keys of columns and fields. */
const KEY = /^[a-z][a-z0-9_]{0,39}$/

/**
 * Returns the keys of a second header; null if the row is none. It has a key in each column that has a heading, and the own names
 * of built-in columns.
 * @param row the one below the headings
 */
export function readHeaderKeys(headings: readonly string[], row: readonly string[] | undefined): string[] | null {
  if (row === undefined) return null
  const keys = headings.map((_, index) => (row[index] ?? '').trim())
  const isHeader = headings.every((heading, index) => {
    const key = keys[index] ?? ''
    const column = findColumn(heading)
    return column === undefined ? heading.trim() === '' || KEY.test(key) : key === column
  })
  // Otherwise a test case that is called title could be one.
  const isExport = (['id', 'title'] as const).every((column) =>
    headings.some((heading) => findColumn(heading) === column),
  )
  return isHeader && isExport ? keys : null
}

/** Headings in which keys of fields take the place of the names that people gave them. */
export const preferKeys = (headings: readonly string[], keys: readonly string[] | null): readonly string[] =>
  keys === null
    ? headings
    : headings.map((heading, index) => (findColumn(heading) === undefined ? (keys[index] ?? heading) : heading))
