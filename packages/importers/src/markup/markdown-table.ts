/** Collects cells, and writes them as a table of Markdown. */
export interface TableWriter {
  startRow(): void
  addCell(text: string): void
  /** @param isNested a table within a cell, which is written as one line */
  finish(isNested: boolean): string
}

export function createTableWriter(): TableWriter {
  const rows: string[][] = []
  return {
    startRow() {
      rows.push([])
    },
    addCell(text) {
      if (rows.length === 0) rows.push([])
      rows.at(-1)?.push(text.replaceAll(/\s*\n\s*/g, ' / '))
    },
    finish(isNested) {
      const filled = rows.filter((row) => row.length > 0)
      if (isNested) return filled.map((row) => row.join(', ')).join(' / ')
      return formatTable(filled)
    },
  }
}

/** @param rows of cells without line breaks, the first one is the head */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  if (width === 0) return ''
  const toLine = (row: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, index) => row[index] ?? '').join(' | ')} |`
  const [head = [], ...body] = rows
  return [toLine(head), `|${' --- |'.repeat(width)}`, ...body.map(toLine)].join('\n')
}
