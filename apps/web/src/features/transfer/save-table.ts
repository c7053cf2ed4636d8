import { escapeFormula } from '@caseward/case-files/cell-text'
import { formatCsv } from '@caseward/case-files/csv'

import { buildFileName, downloadFile } from './download-file.ts'
import { MAX_EXCEL_CHARACTERS } from '@caseward/case-files/excel-text'
import type { ExportFormat, ExportTable } from './export-table.ts'
import { FileError } from './file-error.ts'
import { startTableWorker } from './table-worker.ts'

/**
 * Saves a table as a file of the user.
 * @throws {FileError} when Excel cannot contain it
 */
export async function saveTable({ rows, name, sheet, noun }: ExportTable, format: ExportFormat): Promise<void> {
  if (format === 'csv') {
    // Excel reads UTF-8 only with a byte order mark.
    const text = `\uFEFF${formatCsv(rows.map((cells) => cells.map(escapeFormula)))}`
    downloadFile(new Blob([text], { type: 'text/csv;charset=utf-8' }), buildFileName(name, 'csv'))
    return
  }
  const long = rows.filter((cells) => cells.some(({ length }) => length > MAX_EXCEL_CHARACTERS)).length
  if (long > 0) {
    throw new FileError(
      `Excel allows ${MAX_EXCEL_CHARACTERS.toLocaleString('en')} characters in a cell, and ${long} ${long === 1 ? `${noun} has` : `${noun}s have`} more. Export as CSV.`,
    )
  }
  const worker = startTableWorker()
  try {
    downloadFile(await worker.write(rows, sheet), buildFileName(name, 'xlsx'))
  } finally {
    worker.close()
  }
}
