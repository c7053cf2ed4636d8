import type { TestCase } from '@caseward/client/endpoints'

import { formatSteps, formatTags, escapeFormula, unescapeFormula } from './cell-text.ts'
import { type CsvRecord, formatCsv } from './csv.ts'

/** The columns of an export, in their order. An import needs the title alone, takes any order, and reads no ids. */
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

/** The fields of a test case that an export contains. */
export type ListedCase = Pick<TestCase, Exclude<Column, 'folder'> | 'folder_id'>

/** Test cases as CSV. */
export function formatTestCases(cases: readonly ListedCase[], getPath: (folderId: string | null) => string): string {
  const rows = cases.map((one) => {
    const texts: Record<Column, string> = {
      ...one,
      folder: getPath(one.folder_id),
      steps: formatSteps(one.steps),
      tags: formatTags(one.tags),
      automation_key: one.automation_key ?? '',
    }
    return COLUMNS.map((column) => escapeFormula(texts[column]))
  })
  return formatCsv([COLUMNS, ...rows])
}

/** A line of a file, by column; columns that the file does not have are empty. */
export interface Row {
  readonly line: number
  readonly texts: Readonly<Record<Column, string>>
}

/** The rows of a file, and the headings that mean nothing here; or what is wrong with the file, by line. */
export function readRows(
  records: readonly CsvRecord[],
): { rows: Row[]; ignored: string[] } | { wrong: { line: number; message: string }[] } {
  const [header, ...rest] = records
  if (header === undefined) return { wrong: [{ line: 1, message: 'the file is empty' }] }
  const headings = header.cells.map((cell) => cell.trim())
  const columns = headings.map((heading) => findColumn(heading))
  const duplicateColumns = columns.filter((column, index) => column !== undefined && columns.indexOf(column) !== index)
  if (!columns.includes('title') || duplicateColumns.length > 0) {
    const message =
      duplicateColumns.length > 0
        ? `two columns are called ${duplicateColumns.join(', ')}`
        : `no column is called title; the columns are ${COLUMNS.join(', ')}`
    return { wrong: [{ line: header.line, message }] }
  }
  const wrong = rest
    .filter(({ cells }) => cells.slice(columns.length).some((cell) => cell !== ''))
    .map(({ line, cells }) => ({ line, message: `it has ${cells.length} cells, and the header has ${columns.length}` }))
  if (wrong.length > 0) return { wrong }
  const getCell = (cells: readonly string[], column: Column) => unescapeFormula(cells[columns.indexOf(column)] ?? '')
  const rows = rest.map(({ line, cells }) => {
    const texts = Object.fromEntries(COLUMNS.map((column) => [column, getCell(cells, column)])) as Record<
      Column,
      string
    >
    return { line, texts }
  })
  return { rows, ignored: headings.filter((heading, index) => heading !== '' && columns[index] === undefined) }
}

/** As it stands or nearly so: `Expected Result` is what another tool may call it. */
function findColumn(heading: string): Column | undefined {
  const name = heading.toLowerCase().replaceAll(/[\s-]+/g, '_')
  return COLUMNS.find((column) => column === name)
}
