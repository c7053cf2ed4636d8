import { CsvError, parseCsv } from './csv.ts'
import { invalidFileError, type LineError, throwIfInvalid } from './line-errors.ts'
import { type NewTestCase, parseTestCase } from './parse-test-case.ts'
import { findOversized } from './split-into-batches.ts'
import { readRows } from './test-case-rows.ts'

/**
 * Parses a CSV file into test cases.
 * @throws {CommandError} that lists every error in the file by line
 */
export function parseCases(text: string): { testCases: NewTestCase[]; ignoredColumns: readonly string[] } {
  const { rows, ignoredColumns, errors } = readRows(parseRecords(text))
  const testCases: NewTestCase[] = []
  for (const row of rows) {
    const parsed = parseTestCase(row)
    if ('errors' in parsed) errors.push(...parsed.errors.map((message) => ({ line: row.line, message })))
    else testCases.push(parsed)
  }
  throwIfInvalid([...errors, ...findDuplicateKeys(testCases), ...findOversized(testCases)])
  return { testCases, ignoredColumns }
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
  return testCases.flatMap(({ line, body: { automation_key: key } }) => {
    if (typeof key !== 'string') return []
    const firstLine = firstLines.get(key)
    if (firstLine === undefined) firstLines.set(key, line)
    return firstLine === undefined ? [] : [{ line, message: `line ${firstLine} has the same automation key` }]
  })
}

/** Finds automation keys that test cases of the project have already. */
export function findUsedKeys(
  testCases: readonly NewTestCase[],
  existing: readonly { id: string; automation_key: string | null }[],
): LineError[] {
  const idsByKey = new Map(existing.map(({ id, automation_key: key }) => [key, id]))
  return testCases.flatMap(({ line, body: { automation_key: key } }) => {
    const id = typeof key === 'string' ? idsByKey.get(key) : undefined
    return id === undefined ? [] : [{ line, message: `${id} has the same automation key` }]
  })
}
