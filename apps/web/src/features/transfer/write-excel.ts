import { toExcelText } from '@caseward/case-files/excel-text'

const HEADER_ROWS = 1
/** Widths of columns in characters. */
const MIN_WIDTH = 10
const MAX_WIDTH = 60
/** Enough rows to know how wide a column is. */
const SAMPLE_ROWS = 200

/**
 * Writes an Excel file with one sheet. All cells are text: none is run as a formula.
 * @param rows the first one has the headings
 */
export async function writeExcel(rows: readonly (readonly string[])[], sheet: string): Promise<Blob> {
  const { default: writeFile } = await import('write-excel-file/universal')
  const [headings = []] = rows
  const data = rows.map((cells, index) =>
    cells.map((text) => ({
      value: toExcelText(text),
      type: String,
      alignVertical: 'top' as const,
      ...(index < HEADER_ROWS ? { fontWeight: 'bold' as const } : { wrap: text.includes('\n') }),
    })),
  )
  const columns = headings.map((_, index) => ({ width: getWidth(rows.slice(0, SAMPLE_ROWS), index) }))
  return await writeFile(data, { sheet, columns, stickyRowsCount: HEADER_ROWS }).toBlob()
}

function getWidth(rows: readonly (readonly string[])[], column: number): number {
  const lengths = rows.flatMap((cells) => (cells[column] ?? '').split('\n').map(({ length }) => length))
  return Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, ...lengths))
}
