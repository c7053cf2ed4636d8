import type { Losses } from '../losses.ts'
import { isBlank, type TableRow } from '../tables/table.ts'
import type { HeadedTable } from './format.ts'

/** The rows below a header. Rows above it are counted as ignored; empty ones are left out. */
export async function* readBody(
  { table, headerRow }: Pick<HeadedTable, 'table' | 'headerRow'>,
  losses: Losses,
  countsRows = true,
): AsyncGenerator<TableRow> {
  for await (const row of table.rows()) {
    if (isBlank(row)) continue
    if (row.row > headerRow) yield row
    else if (row.row < headerRow && countsRows) {
      const text = row.cells.find((cell) => cell.trim() !== '') ?? ''
      losses.add('rows_ignored', { title: text.slice(0, 80), place: `${table.name} row ${row.row}`.trim() })
    }
  }
}
