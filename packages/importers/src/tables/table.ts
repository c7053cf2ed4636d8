/** A row of a table. Cells are texts as a spreadsheet shows them. */
export interface TableRow {
  /** As a spreadsheet counts it, from 1. */
  readonly row: number
  readonly cells: readonly string[]
}

/** A sheet of a workbook, or a CSV file. */
export interface Table {
  /** The name of the sheet; '' for a file without sheets. */
  readonly name: string
  /** Reads it from the start, as a stream, as often as it is asked for. */
  rows(): AsyncIterable<TableRow>
}

/** The first rows of a table. */
export async function readFirstRows(table: Table, count: number): Promise<TableRow[]> {
  const rows: TableRow[] = []
  for await (const row of table.rows()) {
    rows.push(row)
    if (rows.length >= count) break
  }
  return rows
}

/** `Test Script (Step-by-Step) - Step` and `test_script step by step step` are one heading. */
export const toHeading = (cell: string): string =>
  cell
    .toLowerCase()
    .replaceAll(/[\s_()\-/:.*]+/g, ' ')
    .trim()

/** Finds columns by their headings, which may occur several times. */
export class Columns {
  readonly headings: readonly string[]
  /** Headings as they are in the file. */
  readonly names: readonly string[]

  constructor(cells: readonly string[]) {
    this.names = cells.map((cell) => cell.trim())
    this.headings = cells.map(toHeading)
  }

  has(...names: readonly string[]): boolean {
    return names.every((name) => this.headings.includes(toHeading(name)))
  }

  /** The indexes of the columns with one of these headings, in the order of the headings. */
  all(...names: readonly string[]): number[] {
    return names
      .map(toHeading)
      .flatMap((name) => this.headings.flatMap((heading, index) => (heading === name ? [index] : [])))
  }

  /** The cell in the first column with one of these headings that is not empty; trimmed. */
  get({ cells }: TableRow, ...names: readonly string[]): string {
    for (const index of this.all(...names)) {
      const cell = (cells[index] ?? '').trim()
      if (cell !== '') return cell
    }
    return ''
  }

  /** All texts of a row in columns with one of these headings, each once. */
  list({ cells }: TableRow, ...names: readonly string[]): string[] {
    return [...new Set(this.all(...names).map((index) => (cells[index] ?? '').trim()))].filter((text) => text !== '')
  }

  /** The first text that several rows have in columns with one of these headings. */
  first(rows: readonly TableRow[], ...names: readonly string[]): string {
    return rows.map((row) => this.get(row, ...names)).find((text) => text !== '') ?? ''
  }

  /**
   * What the rows of one object have in columns without a place, by the name of the column: each text once.
   * @param known columns of which the first text has a place; other texts of later rows are kept here
   * @param ofRows columns that every row has for itself, such as those of steps
   */
  restOf(rows: readonly TableRow[], known: readonly string[], ofRows: readonly string[]): Record<string, string> {
    const [ofEach, withPlace] = [new Set(this.all(...ofRows)), new Set(this.all(...known))]
    const fields: Record<string, string> = {}
    for (const [index, heading] of this.names.entries()) {
      if (ofEach.has(index)) continue
      const texts = [...new Set(rows.map(({ cells }) => (cells[index] ?? '').trim()).filter((text) => text !== ''))]
      const kept = withPlace.has(index) ? texts.slice(1) : texts
      const name = heading === '' ? `Column ${index + 1}` : heading
      if (kept.length > 0) fields[name] = [...(name in fields ? [fields[name]] : []), ...kept].join('\n')
    }
    return fields
  }

  /** Cells in columns that have none of these headings, by the name of the column. */
  rest({ cells }: TableRow, known: readonly string[]): Record<string, string> {
    const indexes = new Set(this.all(...known))
    const fields: Record<string, string> = {}
    for (const [index, cell] of cells.entries()) {
      const name = this.names[index] ?? ''
      if (indexes.has(index) || cell.trim() === '' || name === '') continue
      fields[name] = name in fields ? `${fields[name]}\n${cell.trim()}` : cell.trim()
    }
    return fields
  }
}

export const isBlank = ({ cells }: TableRow): boolean => cells.every((cell) => cell.trim() === '')
