import type { HeadedTable, Recognized } from './formats/format.ts'
import { recognizeSheets } from './formats/sheet/read-sheets.ts'
import { TABLE_FORMATS } from './formats/table-formats.ts'
import { Columns, readFirstRows, type Table } from './tables/table.ts'

const HEADER_ROWS = 20

/** Recognizes a format by the headings of its tables. @returns null if no table has any that are known */
export async function recognizeTables(tables: readonly Table[]): Promise<Omit<Recognized, 'encoding'> | null> {
  const candidates: { table: Table; headers: HeadedTable[] }[] = []
  for (const table of tables) {
    const rows = await readFirstRows(table, HEADER_ROWS)
    const headers = rows.map(({ row, cells }) => ({ table, columns: new Columns(cells), headerRow: row }))
    candidates.push({ table, headers })
  }
  for (const format of TABLE_FORMATS) {
    const found = candidates.flatMap(({ table, headers }) => {
      const header = headers.find(({ columns }) => format.matches(columns, table.name))
      return header === undefined ? [] : [header]
    })
    if (found.length === 0) continue
    return { system: format.system, format: format.format, read: (context) => format.read(found, context) }
  }
  return recognizeSheets(tables)
}
