import { removeBlankRows } from './blank-rows.ts'
import { escapeFormula, type Step, unescapeFormula } from './cell-text.ts'
import { type CsvRecord, formatCsv } from './csv.ts'
import { type Column, COLUMNS, fileColumns, type FileNames, type ListedCase } from './file-columns.ts'
import type { LineError } from './line-error.ts'

/** What a column of a file can contain: also one step per row, as other tools export them. */
export const FILE_FIELDS = [...COLUMNS, 'step_action', 'step_expected'] as const
export type FileField = (typeof FILE_FIELDS)[number]

/** Formats test cases as CSV. */
export const formatTestCases = (testCases: readonly ListedCase[], names: FileNames): string =>
  formatCsv(toTable(testCases, names).map((cells) => cells.map(escapeFormula)))

/** Returns the headings and the texts of test cases, for files that do not run formulas. */
export function toTable(testCases: readonly ListedCase[], names: FileNames): string[][] {
  const columns = COLUMNS.map((column) => ({
    column,
    cells: testCases.map((testCase) => fileColumns[column].write(testCase, names)),
  })).filter(({ column, cells }) => !fileColumns[column].isLeftOutIfEmpty || cells.some((cell) => cell !== ''))
  return [
    columns.map(({ column }) => column),
    ...testCases.map((_, index) => columns.map(({ cells }) => cells[index] ?? '')),
  ]
}

/** A line of the file, by column; columns that the file does not have are empty. */
export interface Row {
  readonly line: number
  readonly texts: Readonly<Record<Column, string>>
  /** The steps, if they are not in the text of `steps`. */
  readonly steps?: readonly Step[]
}

/**
 * Reads the rows of a file. Rows whose cells are all empty are left out.
 * @returns the valid rows, the columns, the headings of unknown ones, the errors of the header and of other rows, and how
 * many rows were left out
 */
export function readRows(records: readonly CsvRecord[]): {
  rows: Row[]
  columns: Column[]
  ignoredColumns: string[]
  errors: LineError[]
  blankCount: number
} {
  const { rows: filled, blankCount } = removeBlankRows(records)
  const [header, ...lines] = filled
  const fail = (line: number, message: string) => ({
    rows: [],
    columns: [],
    ignoredColumns: [],
    errors: [{ line, message }],
    blankCount,
  })
  if (header === undefined) return fail(1, 'the file is empty')
  const headings = header.cells.map((cell) => cell.trim())
  const columns = headings.map((heading) => findColumn(heading))
  const headerError = checkColumns(columns)
  if (headerError !== null) return fail(header.line, headerError)
  const errors = findLongLines(lines, columns.length)
  const isTooLong = new Set(errors.map(({ line }) => line))
  return {
    rows: lines.filter(({ line }) => !isTooLong.has(line)).map(({ line, cells }) => toRow(line, cells, columns)),
    errors,
    blankCount,
    columns: columns.filter((column) => column !== undefined),
    ignoredColumns: headings.filter((heading, index) => heading !== '' && columns[index] === undefined),
  }
}

/** Finds lines with more cells than the header, which are a sign of a wrong delimiter or of missing quotes. */
export const findLongLines = (lines: readonly CsvRecord[], width: number): LineError[] =>
  lines
    .filter(({ cells }) => cells.slice(width).some((cell) => cell !== ''))
    .map(({ line, cells }) => ({ line, message: `the line has ${cells.length} cells, but the header has ${width}` }))

function toRow(line: number, cells: readonly string[], columns: readonly (Column | undefined)[]): Row {
  const getCell = (column: Column) => unescapeFormula(cells[columns.indexOf(column)] ?? '')
  const texts = Object.fromEntries(COLUMNS.map((column) => [column, getCell(column)]))
  return { line, texts: texts as Record<Column, string> }
}

function checkColumns(columns: readonly (Column | undefined)[]): string | null {
  const duplicates = columns.filter((column, index) => column !== undefined && columns.indexOf(column) !== index)
  if (duplicates.length > 0) return `more than one column is named ${duplicates.join(', ')}`
  if (!columns.includes('title')) return `no column is named title; the columns are ${COLUMNS.join(', ')}`
  return null
}

/** Finds the column of a heading. Other tools may write `Expected Result` for `expected_result`. */
export function findColumn(heading: string): Column | undefined {
  const name = heading.toLowerCase().replaceAll(/[\s-]+/g, '_')
  return COLUMNS.find((column) => column === name)
}
