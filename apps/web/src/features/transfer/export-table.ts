/** A table to export. */
export interface ExportTable {
  /** All cells as texts; the first row has the headings. */
  readonly rows: readonly (readonly string[])[]
  /** The number of rows above those of items; 1 without it. */
  readonly headerCount?: number
  /** What the file is named after. */
  readonly name: readonly string[]
  /** The name of the sheet in an Excel file. */
  readonly sheet: string
  /** What a row is: "test case". */
  readonly noun: string
}

/** What the loading of a table tells, and how it ends early. */
export interface ExportProgress {
  /** Called with the share of the rows that have arrived, from 0 to 1. */
  onProgress: (share: number) => void
  signal: AbortSignal
}

export interface ExportOptions {
  /** Whether the table has the keys of custom fields, too. */
  readonly hasKeys?: boolean
}

export type ExportFormat = 'csv' | 'excel'
