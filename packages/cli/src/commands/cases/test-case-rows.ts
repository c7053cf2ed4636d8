import type { TestCase } from '@caseward/client/endpoints'

import { formatSteps, formatTags, escapeFormula, unescapeFormula } from './cell-text.ts'
import { type CsvRecord, formatCsv } from './csv.ts'
import type { LineError } from './line-errors.ts'

/** The columns of an export, in order. An import requires only the title, and accepts any order. */
export const COLUMNS = [
  'id',
  'title',
  'folder',
  'priority',
  'type',
  'precondition',
  'steps',
  'expected_result',
  'tags',
  'automation_key',
] as const
export type Column = (typeof COLUMNS)[number]

/** A test case with the fields of an export. */
export type ListedCase = Pick<TestCase, Exclude<Column, 'folder'> | 'folder_id'> &
  Partial<Pick<TestCase, 'automation_keys'>>

/** Formats test cases as CSV. */
export function formatTestCases(
  testCases: readonly ListedCase[],
  getPath: (folderId: string | null) => string,
): string {
  const rows = testCases.map((testCase) => {
    const texts: Record<Column, string> = {
      ...testCase,
      folder: getPath(testCase.folder_id),
      steps: formatSteps(testCase.steps),
      tags: formatTags(testCase.tags),
      automation_key: testCase.automation_key ?? '',
    }
    return COLUMNS.map((column) => escapeFormula(texts[column]))
  })
  return formatCsv([COLUMNS, ...rows])
}

/** A line of the file, by column; columns that the file does not have are empty. */
export interface Row {
  readonly line: number
  readonly texts: Readonly<Record<Column, string>>
}

/** @returns the valid rows, the columns, the headings of unknown ones, and the errors of the header and of other rows */
export function readRows(records: readonly CsvRecord[]): {
  rows: Row[]
  columns: Column[]
  ignoredColumns: string[]
  errors: LineError[]
} {
  const [header, ...lines] = records
  const fail = (line: number, message: string) => ({
    rows: [],
    columns: [],
    ignoredColumns: [],
    errors: [{ line, message }],
  })
  if (header === undefined) return fail(1, 'the file is empty')
  const headings = header.cells.map((cell) => cell.trim())
  const columns = headings.map((heading) => findColumn(heading))
  const headerError = checkColumns(columns)
  if (headerError !== null) return fail(header.line, headerError)
  const isTooLong = ({ cells }: CsvRecord) => cells.slice(columns.length).some((cell) => cell !== '')
  const errors = lines.filter(isTooLong).map(({ line, cells }) => ({
    line,
    message: `the line has ${cells.length} cells, but the header has ${columns.length}`,
  }))
  const getCell = (cells: readonly string[], column: Column) => unescapeFormula(cells[columns.indexOf(column)] ?? '')
  const toRow = ({ line, cells }: CsvRecord): Row => {
    const texts = Object.fromEntries(COLUMNS.map((column) => [column, getCell(cells, column)]))
    return { line, texts: texts as Record<Column, string> }
  }
  return {
    rows: lines.filter((line) => !isTooLong(line)).map(toRow),
    errors,
    columns: columns.filter((column) => column !== undefined),
    ignoredColumns: headings.filter((heading, index) => heading !== '' && columns[index] === undefined),
  }
}

function checkColumns(columns: readonly (Column | undefined)[]): string | null {
  const duplicates = columns.filter((column, index) => column !== undefined && columns.indexOf(column) !== index)
  if (duplicates.length > 0) return `more than one column is named ${duplicates.join(', ')}`
  if (!columns.includes('title')) return `no column is named title; the columns are ${COLUMNS.join(', ')}`
  return null
}

/** Other tools may write `Expected Result` for `expected_result`. */
function findColumn(heading: string): Column | undefined {
  const name = heading.toLowerCase().replaceAll(/[\s-]+/g, '_')
  return COLUMNS.find((column) => column === name)
}
