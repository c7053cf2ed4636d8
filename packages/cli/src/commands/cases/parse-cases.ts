import { type CustomColumns, noCustomColumns } from '@caseward/case-files/custom-columns'
import { findDuplicateKeys } from '@caseward/case-files/find-duplicates'
import { CsvError, parseCsv } from '@caseward/case-files/csv'
import { invalidFileError, throwIfInvalid } from './line-errors.ts'
import { type NewTestCase, parseTestCase } from '@caseward/case-files/parse-test-case'
import { findOversized } from './split-into-batches.ts'
import type { Column } from '@caseward/case-files/file-columns'
import { readRows } from '@caseward/case-files/test-case-rows'

interface ParsedCases {
  readonly testCases: readonly NewTestCase[]
  readonly columns: readonly Column[]
  readonly ignoredColumns: readonly string[]
  /** The number of rows whose cells are all empty. */
  readonly blankCount: number
}

/**
 * Parses a CSV file into test cases.
 * @param custom the custom fields of the project
 * @throws {CommandError} that lists every error in the file by line
 */
export function parseCases(text: string, custom: CustomColumns = noCustomColumns): ParsedCases {
  const { rows, columns, ignoredColumns, errors, blankCount } = readRows(parseRecords(text), custom.fields)
  const testCases: NewTestCase[] = []
  for (const row of rows) {
    const parsed = parseTestCase(row, { custom })
    if ('errors' in parsed) errors.push(...parsed.errors.map((message) => ({ line: row.line, message })))
    else testCases.push(parsed)
  }
  throwIfInvalid([...errors, ...findDuplicateKeys(testCases), ...findOversized(testCases)])
  return { testCases, columns, ignoredColumns, blankCount }
}

function parseRecords(text: string) {
  try {
    return parseCsv(text)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw invalidFileError([{ line: error.line, message: error.message }])
  }
}
