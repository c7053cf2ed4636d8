import { normalizeKey } from '@caseward/matching/normalize-key'

import { CsvError, parseCsv } from './csv.ts'
import { invalidFileError, type LineError, throwIfInvalid } from './line-errors.ts'
import { type NewTestCase, parseTestCase } from './parse-test-case.ts'
import { findOversized } from './split-into-batches.ts'
import { type Column, readRows } from './test-case-rows.ts'

interface ParsedCases {
  readonly testCases: readonly NewTestCase[]
  readonly columns: readonly Column[]
  readonly ignoredColumns: readonly string[]
}

/**
 * Parses a CSV file into test cases.
 * @throws {CommandError} that lists every error in the file by line
 */
export function parseCases(text: string): ParsedCases {
  const { rows, columns, ignoredColumns, errors } = readRows(parseRecords(text))
  const testCases: NewTestCase[] = []
  for (const row of rows) {
    const parsed = parseTestCase(row)
    if ('errors' in parsed) errors.push(...parsed.errors.map((message) => ({ line: row.line, message })))
    else testCases.push(parsed)
  }
  throwIfInvalid([...errors, ...findDuplicateKeys(testCases), ...findOversized(testCases)])
  return { testCases, columns, ignoredColumns }
}

function parseRecords(text: string) {
  try {
    return parseCsv(text)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw invalidFileError([{ line: error.line, message: error.message }])
  }
}

function findDuplicateKeys(testCases: readonly NewTestCase[]): LineError[] {
  const firstLines = new Map<string, number>()
  return testCases.flatMap(({ line, body: { automation_key: automationKey } }) => {
    if (typeof automationKey !== 'string') return []
    const key = normalizeKey(automationKey)
    const firstLine = firstLines.get(key)
    if (firstLine === undefined) firstLines.set(key, line)
    return firstLine === undefined ? [] : [{ line, message: `line ${firstLine} has the same automation key` }]
  })
}
