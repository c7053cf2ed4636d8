import { removeBlankRows } from './blank-rows.ts'
import { buildCaseTable } from './case-table.ts'
import { escapeFormula, type Step, unescapeFormula } from './cell-text.ts'
import { type CsvRecord, formatCsv } from './csv.ts'
import {
  type CustomColumns,
  type CustomField,
  type CustomFileField,
  findFieldOfHeading,
  noCustomColumns,
} from './custom-columns.ts'
import { type Column, COLUMNS, fileColumns, type FileNames, type ListedCase } from './file-columns.ts'
import { findColumn } from './find-column.ts'
import { preferKeys, readHeaderKeys } from './header-keys.ts'
import type { LineError } from './line-error.ts'

/** What a column of a file can contain: also one step per row, as other tools export them. */
export const FILE_FIELDS = [...COLUMNS, 'step_action', 'step_expected'] as const
export type FileField = (typeof FILE_FIELDS)[number] | CustomFileField

/** Formats test cases as CSV. */
export const formatTestCases = (
  testCases: readonly ListedCase[],
  names: FileNames,
  custom: CustomColumns = noCustomColumns,
  options: TableOptions = {},
): string => formatCsv(toTable(testCases, names, custom, options).map((cells) => cells.map(escapeFormula)))

interface TableOptions {
  /** Whether a second header has the keys of the columns. */
  readonly hasKeys?: boolean
}

/** Returns the headings and the texts of test cases, for files that do not run formulas. Custom fields come last. */
export function toTable(
  testCases: readonly ListedCase[],
  names: FileNames,
  custom: CustomColumns = noCustomColumns,
  { hasKeys = false }: TableOptions = {},
): string[][] {
  const isUsed = (column: Column) => testCases.some((testCase) => fileColumns[column].write(testCase, names) !== '')
  const table = buildCaseTable({ names, custom, isUsed })
  const headers = [table.headings, ...(hasKeys ? [table.columns.map(({ key }) => key)] : [])]
  return [...headers, ...testCases.map(table.toRow)]
}

/** A line of the file, by column; columns that the file does not have are empty. */
export interface Row {
  readonly line: number
  readonly texts: Readonly<Record<Column, string>>
  /** The texts of the custom fields that have a column, by their keys. */
  readonly custom?: Readonly<Record<string, string>>
  /** The steps, if they are not in the text of `steps`. */
  readonly steps?: readonly Step[]
}

/**
 * Reads the rows of a file. Rows whose cells are all empty are left out.
 * @returns the valid rows, the columns, the headings of unknown ones, the errors of the header and of other rows, and how
 * many rows were left out
 */
export function readRows(
  records: readonly CsvRecord[],
  customFields: readonly CustomField[] = [],
): {
  rows: Row[]
  columns: Column[]
  /** The keys of the custom fields that have a column. */
  customKeys: string[]
  ignoredColumns: string[]
  errors: LineError[]
  blankCount: number
} {
  const { rows: filled, blankCount } = removeBlankRows(records)
  const [header, ...below] = filled
  const fail = (line: number, message: string) => ({
    rows: [],
    columns: [],
    customKeys: [],
    ignoredColumns: [],
    errors: [{ line, message }],
    blankCount,
  })
  if (header === undefined) return fail(1, 'the file is empty')
  const names = header.cells.map((cell) => cell.trim())
  const keys = readHeaderKeys(names, below[0]?.cells)
  const headings = preferKeys(names, keys)
  const lines = keys === null ? below : below.slice(1)
  const columns = headings.map((heading) => findColumn(heading))
  const customKeys = headings.map((heading) => findFieldOfHeading(heading, customFields)?.key)
  const headerError = checkColumns(columns, customKeys)
  if (headerError !== null) return fail(header.line, headerError)
  const errors = findLongLines(lines, columns.length)
  const isTooLong = new Set(errors.map(({ line }) => line))
  return {
    rows: lines
      .filter(({ line }) => !isTooLong.has(line))
      .map(({ line, cells }) => toRow(line, cells, columns, customKeys)),
    errors,
    blankCount,
    columns: columns.filter((column) => column !== undefined),
    customKeys: customKeys.filter((key) => key !== undefined),
    ignoredColumns: headings.filter(
      (heading, index) => heading !== '' && columns[index] === undefined && customKeys[index] === undefined,
    ),
  }
}

/** Finds lines with more cells than the header, which are a sign of a wrong delimiter or of missing quotes. */
export const findLongLines = (lines: readonly CsvRecord[], width: number): LineError[] =>
  lines
    .filter(({ cells }) => cells.slice(width).some((cell) => cell !== ''))
    .map(({ line, cells }) => ({ line, message: `the line has ${cells.length} cells, but the header has ${width}` }))

function toRow(
  line: number,
  cells: readonly string[],
  columns: readonly (Column | undefined)[],
  customKeys: readonly (string | undefined)[],
): Row {
  const getCell = (column: Column) => unescapeFormula(cells[columns.indexOf(column)] ?? '')
  const texts = Object.fromEntries(COLUMNS.map((column) => [column, getCell(column)]))
  const custom = customKeys.flatMap((key, index) =>
    key === undefined ? [] : [[key, unescapeFormula(cells[index] ?? '')] as const],
  )
  return {
    line,
    texts: texts as Record<Column, string>,
    ...(custom.length === 0 ? {} : { custom: Object.fromEntries(custom) }),
  }
}

function checkColumns(
  columns: readonly (Column | undefined)[],
  customKeys: readonly (string | undefined)[],
): string | null {
  const findTwice = (names: readonly (string | undefined)[]) =>
    names.filter((name, index) => name !== undefined && names.indexOf(name) !== index)
  const duplicates = [...findTwice(columns), ...findTwice(customKeys)]
  if (duplicates.length > 0) return `more than one column is named ${duplicates.join(', ')}`
  if (!columns.includes('title')) return `no column is named title; the columns are ${COLUMNS.join(', ')}`
  return null
}
