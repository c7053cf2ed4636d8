import type { Losses } from '../losses.ts'
import type { Columns, TableRow } from '../tables/table.ts'
import type { HeadedTable } from './format.ts'
import { readBody } from './table-body.ts'

export type Rows = readonly [TableRow, ...TableRow[]]

/**
 * Groups rows: each case, and the rows below that belong to it. Rows before the first case are counted as ignored.
 * @param isStart whether a row begins a case; `last` is the row that began the one above
 */
export async function* groupRows(
  table: HeadedTable,
  losses: Losses,
  isStart: (columns: Columns, row: TableRow, last: TableRow | null) => boolean,
): AsyncGenerator<Rows> {
  let group: [TableRow, ...TableRow[]] | null = null
  for await (const row of readBody(table, losses)) {
    if (isStart(table.columns, row, group?.[0] ?? null)) {
      if (group !== null) yield group
      group = [row]
    } else if (group === null) {
      losses.add('step_without_case', { place: `${table.table.name} row ${row.row}`.trim() })
    } else group.push(row)
  }
  if (group !== null) yield group
}
