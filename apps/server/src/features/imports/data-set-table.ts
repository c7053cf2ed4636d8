import type { CaseRecord } from '@caseward/importers/records'

/** Rows of test data that a table shows; the rest is in the details. */
export const MAX_TABLE_ROWS = 200
const escapeCell = (cell: string) => cell.replaceAll(/\s+/g, ' ').replaceAll('|', String.raw`\|`)

/** Test data as a table of Markdown. */
export function formatDataSet(dataSet: CaseRecord['data_set']): string {
  if (dataSet === null || dataSet.columns.length === 0) return ''
  const toRow = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(' | ')} |`
  const rows = [
    toRow(dataSet.columns),
    toRow(dataSet.columns.map(() => '---')),
    ...dataSet.rows.slice(0, MAX_TABLE_ROWS).map(toRow),
  ]
  return `**Test data**\n\n${rows.join('\n')}`
}
