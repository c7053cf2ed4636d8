import { createCsvReader, CsvError, type CsvRecord } from '@caseward/case-files/csv'
import type { Encoding } from '@caseward/case-files/decode-text'

import { ImportProblem } from '../import-problem.ts'
import type { ImportFile } from '../input/import-file.ts'
import { readText } from '../input/read-text.ts'
import { LIMITS } from '../limits.ts'
import type { Table, TableRow } from './table.ts'

/** Reads a CSV file as a table, with the line breaks that its cells have. */
export const createCsvTable = (file: ImportFile, encoding: Encoding, delimiter?: string): Table => ({
  name: '',
  async *rows() {
    const reader = createCsvReader({
      ...(delimiter !== undefined && { delimiter }),
      maxRecordLength: LIMITS.columns * 10 + 32 * LIMITS.field,
    })
    let count = 0
    const check = (records: readonly CsvRecord[]): TableRow[] => {
      count += records.length
      if (count > LIMITS.rows)
        throw new ImportProblem('too_many_records', `The file has more than ${LIMITS.rows} rows.`)
      return records.map(({ line, row, cells }) => {
        checkCells(cells, `Line ${line}`)
        return { row, cells }
      })
    }
    for await (const text of readText(file, encoding)) yield* check(run(() => reader.write(text)))
    yield* check(run(() => reader.end()))
  },
})

/** @throws {ImportProblem} if a row has more or longer cells than a table may have */
export function checkCells(cells: readonly string[], place: string): void {
  if (cells.length > LIMITS.columns) {
    throw new ImportProblem(
      'too_many_records',
      `${place} has ${cells.length} columns; the maximum is ${LIMITS.columns}.`,
    )
  }
  const long = cells.findIndex((cell) => cell.length > LIMITS.field)
  if (long < 0) return
  const limit = `the maximum is ${LIMITS.field / 2 ** 20} million characters`
  throw new ImportProblem('too_many_records', `${place}, column ${long + 1}: the cell is too long; ${limit}.`)
}

function run(read: () => CsvRecord[]): CsvRecord[] {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const advice = 'Check the quotes there, or save the file as CSV again.'
    throw new ImportProblem('unreadable_file', `Line ${error.line}: ${error.message}. ${advice}`, { cause: error })
  }
}
