import type { ImportFile } from '../input/import-file.ts'
import type { TextEncoding } from '../input/read-text.ts'
import type { Losses } from '../losses.ts'
import type { ImportRecord } from '../records.ts'
import type { Columns, Table } from '../tables/table.ts'

export type System =
  | 'caseward'
  | 'testrail'
  | 'qase'
  | 'zephyr-scale'
  | 'zephyr-squad'
  | 'xray'
  | 'testlink'
  | 'testmo'
  | 'kiwi'
  | 'practitest'
  | 'azure'
  | 'qtest'
  | 'testplanit'
  | 'testcaselab'
  | 'squash'
  | 'testomat'
  | 'gherkin'
  | 'markdown'
  | 'sheet'

/** What an import asks before it begins, with what it does without an answer. */
export interface Question {
  readonly id: string
  readonly sentence: string
  readonly options: readonly string[]
  readonly default: string
}

/** What a reader tells besides its records. */
export interface ReadContext {
  readonly losses: Losses
  readonly ask: (question: Question) => void
}

/** A file whose format is known. */
export interface Recognized {
  readonly system: System
  readonly format: string
  readonly encoding?: TextEncoding
  /** What was found in the columns of a sheet. */
  readonly columns?: readonly { readonly sheet: string; readonly heading: string; readonly to: string }[]
  read(context: ReadContext): AsyncIterable<ImportRecord>
}

/** A table whose header was found. */
export interface HeadedTable {
  readonly table: Table
  readonly columns: Columns
  /** The row of the header, from 1. */
  readonly headerRow: number
}

/** A format that is a table with known headings. */
export interface TableFormat {
  readonly system: System
  readonly format: string
  /** Whether a table with these columns is of this format. */
  matches(columns: Columns, sheet: string): boolean
  read(tables: readonly HeadedTable[], context: ReadContext): AsyncIterable<ImportRecord>
}

/** A format that is XML. */
export interface XmlFormat {
  readonly system: System
  readonly format: string
  matches(start: { root: string; attributes: readonly string[]; inner: readonly string[] }): boolean
  read(file: ImportFile, context: ReadContext): AsyncIterable<ImportRecord>
}
