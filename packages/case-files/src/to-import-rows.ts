import { type ImportRow, MAX_IMPORT_ROWS } from '@caseward/client/endpoints'

import { removeBlankRows } from './blank-rows.ts'
import { type Step, unescapeFormula } from './cell-text.ts'
import { type CustomColumns, isCustomFileField, toCustomFileField, type UnknownOption } from './custom-columns.ts'
import { findDuplicateKeys } from './find-duplicates.ts'
import { groupRows, type StepRow, withoutStep } from './group-rows.ts'
import { type Column, COLUMNS, fileColumns, type ParseOptions } from './file-columns.ts'
import { type NewTestCase, parseTestCase } from './parse-test-case.ts'
import type { FileField, Row } from './test-case-rows.ts'

/** The rows of a file below its headings. */
export interface FileTable {
  readonly headings: readonly string[]
  readonly records: readonly { readonly row: number; readonly cells: readonly string[] }[]
  /** Whether cells may start with an apostrophe so that spreadsheets do not run them as formulas. */
  readonly hasEscapedFormulas: boolean
}

/** What the columns of a file contain, and how its cells are read. */
export interface FileChoices extends ParseOptions {
  /** Null for a column that is left out. */
  readonly fields: readonly (FileField | null)[]
  /** The custom fields of the project. */
  readonly custom?: CustomColumns
}

/** A test case of a file. */
export interface FileRow {
  /** The row in which it begins, as a spreadsheet counts. */
  readonly row: number
  readonly id: string
  readonly title: string
  /** Names of its folders, from the top level down. */
  readonly folder: readonly string[]
  /** Why it cannot be imported; sentences without capitals and periods. */
  readonly errors: readonly string[]
  /** What is sent; null if there are errors. */
  readonly input: ImportRow | null
  /** Options that would have to be added first. */
  readonly unknownOptions?: readonly UnknownOption[]
}

/** Why columns cannot be imported. */
export type ChoiceError = 'no-title' | 'no-step-action'

/** Checks what the user has chosen for the columns. */
export function checkChoices({ fields }: FileChoices): ChoiceError | null {
  if (!fields.includes('title') && !fields.includes('id')) return 'no-title'
  if (fields.includes('step_expected') && !fields.includes('step_action')) return 'no-step-action'
  return null
}

/** Whether a file has more test cases than one import takes. */
export const isTooLong = (rows: readonly FileRow[]): boolean => rows.length > MAX_IMPORT_ROWS

/** Converts the rows of a file to test cases, with every error in each of them. */
export function toImportRows({ headings, hasEscapedFormulas, ...table }: FileTable, choices: FileChoices): FileRow[] {
  const { rows: records } = removeBlankRows(table.records)
  const { fields } = choices
  const errors = new Map<number, string[]>()
  const addError = (row: number, message: string) => errors.set(row, [...(errors.get(row) ?? []), message])
  for (const { row, cells } of records) {
    if (cells.slice(headings.length).some((cell) => cell !== '')) {
      addError(row, `the row has ${cells.length} cells, but there are ${headings.length} headings`)
    }
  }
  const read = hasEscapedFormulas ? unescapeFormula : (cell: string) => cell
  const customKeys = fields.filter(isCustomFileField).map((field) => field.slice('field.'.length))
  const getText = (cells: readonly string[], field: FileField) => read(cells[fields.indexOf(field)] ?? '')
  const toRow = ({ row, cells }: FileTable['records'][number]): StepRow => {
    const texts = Object.fromEntries(COLUMNS.map((column) => [column, getText(cells, column)]))
    const step: Step = { action: getText(cells, 'step_action'), expected: getText(cells, 'step_expected') }
    const custom = Object.fromEntries(customKeys.map((key) => [key, getText(cells, toCustomFileField(key))]))
    return { line: row, texts: texts as Record<Column, string>, step, ...(customKeys.length === 0 ? {} : { custom }) }
  }
  const filled = records.filter(({ cells }) =>
    cells.some((cell, index) => cell !== '' && (fields[index] ?? null) !== null),
  )
  const rows = joinSteps(filled.map(toRow), fields, addError)

  const present = new Set(fields)
  const testCases: NewTestCase[] = []
  const parsed = rows.map((row) => {
    // A change of other fields needs no title.
    const keepsTitle = row.texts.id.trim() !== '' && row.texts.title.trim() === ''
    const testCase = parseTestCase(keepsTitle ? withTitle(row, '-') : row, choices)
    if ('errors' in testCase) for (const message of testCase.errors) addError(row.line, message)
    else testCases.push(testCase)
    const unknownOptions = 'errors' in testCase ? (testCase.unknownOptions ?? []) : []
    return { row, testCase: 'errors' in testCase ? null : testCase, keepsTitle, unknownOptions }
  })
  for (const { line, message } of findDuplicateKeys(testCases, 'row')) addError(line, message)
  for (const { line, message } of findDuplicateIds(rows)) addError(line, message)
  return parsed.map(({ row, testCase, keepsTitle, unknownOptions }) => {
    const rowErrors = errors.get(row.line) ?? []
    const input = testCase === null || rowErrors.length > 0 ? null : toInput(testCase, row, present, keepsTitle)
    return {
      row: row.line,
      id: row.texts.id.trim(),
      title: keepsTitle ? '' : (testCase?.body.title ?? row.texts.title.trim()),
      folder: testCase?.folder ?? [],
      errors: rowErrors,
      input,
      ...(unknownOptions.length === 0 ? {} : { unknownOptions }),
    }
  })
}

/** Joins rows with one step each, if the file has such columns. Errors of a row count for its test case. */
function joinSteps(
  rows: readonly StepRow[],
  fields: FileChoices['fields'],
  addError: (row: number, message: string) => void,
): readonly Row[] {
  if (!fields.includes('step_action')) return rows.map(withoutStep)
  const grouped = groupRows(rows)
  const starts = grouped.rows.map(({ line }) => line)
  for (const { line, message } of grouped.errors) {
    const start = starts.findLast((candidate) => candidate <= line) ?? line
    addError(start, `row ${line}: ${message}`)
  }
  return grouped.rows
}

const withTitle = (row: Row, title: string): Row => ({ ...row, texts: { ...row.texts, title } })

function findDuplicateIds(rows: readonly Row[]): { line: number; message: string }[] {
  const firstRows = new Map<string, number>()
  return rows.flatMap(({ line, texts }) => {
    const id = texts.id.trim()
    const firstRow = firstRows.get(id)
    if (id !== '' && firstRow === undefined) firstRows.set(id, line)
    return id === '' || firstRow === undefined ? [] : [{ line, message: `row ${firstRow} updates ${id} as well` }]
  })
}

/** Fields without a column stay as they are; so do those whose cell is empty, if the column says so. */
function toInput(
  { id, folder, body }: NewTestCase,
  { texts }: Row,
  present: ReadonlySet<FileField | null>,
  keepsTitle: boolean,
): ImportRow {
  const values: ImportRow = { ...body, id, folder_path: [...folder] }
  const isSent = (column: Column) => {
    if (fileColumns[column].isKeptIfEmpty) return texts[column].trim() !== ''
    if (column === 'title') return !keepsTitle
    return present.has(column) || (column === 'steps' && present.has('step_action'))
  }
  const sent = COLUMNS.filter(isSent).map((column) => fileColumns[column].field)
  const custom = body.fields === undefined ? {} : { fields: body.fields }
  return { ...Object.fromEntries(sent.map((field) => [field, values[field]])), ...custom }
}
