import type { Encoding } from '@caseward/case-files/decode-text'
import { suggestFields, suggestFolderSeparator } from '@caseward/case-files/suggest-fields'
import type { FileField } from '@caseward/case-files/test-case-rows'
import { type FileChoices, type FileRow, type FileTable, toImportRows } from '@caseward/case-files/to-import-rows'

import { FileError } from './file-error.ts'
import { type FileSource, readTable } from './read-table.ts'
import { writeExcel } from './write-excel.ts'

/** What the page asks of the worker. */
export type TableRequest =
  | {
      readonly kind: 'read'
      readonly file: Blob
      readonly encoding?: Encoding | undefined
      readonly sheet?: string | undefined
    }
  | { readonly kind: 'convert'; readonly choices: FileChoices }
  | { readonly kind: 'write'; readonly rows: readonly (readonly string[])[]; readonly sheet: string }

/** What the page shows of a file; its rows stay in the worker. */
export interface FileSummary {
  readonly source: FileSource
  readonly headings: readonly string[]
  /** The first rows. */
  readonly sample: readonly (readonly string[])[]
  readonly rowCount: number
  /** The number of rows whose cells are all empty; they are ignored. */
  readonly blankCount: number
  readonly suggestedFields: readonly (FileField | null)[]
  /** What separates folders in a column, by its index. */
  readonly separators: readonly ('/' | '>')[]
}

/** A test case of a file, and how large it is in a request. */
export interface SizedRow extends FileRow {
  readonly bytes: number
}

/** What a request returns. */
export interface TableReplies {
  readonly read: FileSummary
  readonly convert: readonly SizedRow[]
  readonly write: Blob
}

export type TableMessage =
  | { readonly id: number; readonly value: TableReplies[keyof TableReplies] }
  | { readonly id: number; readonly error: string; readonly isFileError: boolean }

const SAMPLE_ROWS = 12
/** The rows that the suggestion of columns looks at. */
const SUGGESTION_ROWS = 500

/** Handles the requests of a page: remembers the file that was read last. */
export function createTableHandler(): (request: TableRequest) => Promise<TableReplies[keyof TableReplies]> {
  let table: FileTable | null = null
  return async (request) => {
    if (request.kind === 'write') return await writeExcel(request.rows, request.sheet)
    if (request.kind === 'convert') {
      if (table === null) throw new FileError('Choose a file first.')
      return toImportRows(table, request.choices).map((row) => ({ ...row, bytes: getBytes(row) }))
    }
    const { source, table: read, blankCount } = await readTable(request.file, request)
    table = read
    const { headings, records } = read
    const rows = records.slice(0, SUGGESTION_ROWS).map(({ cells }) => cells)
    return {
      source,
      headings,
      sample: rows.slice(0, SAMPLE_ROWS),
      rowCount: records.length,
      blankCount,
      suggestedFields: suggestFields(headings, rows),
      separators: headings.map((_, index) => suggestFolderSeparator(rows.map((cells) => cells[index] ?? ''))),
    }
  }
}

/** Counts the bytes here, since it takes as long as sending them. */
const getBytes = ({ input }: FileRow): number => (input === null ? 0 : encoder.encode(JSON.stringify(input)).length + 1)

const encoder = new TextEncoder()
