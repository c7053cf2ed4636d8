import { removeBlankRows } from '@caseward/case-files/blank-rows'
import { CsvError, parseCsv } from '@caseward/case-files/csv'
import { decodeText, type Encoding } from '@caseward/case-files/decode-text'
import { preferKeys, readHeaderKeys } from '@caseward/case-files/header-keys'
import type { FileTable } from '@caseward/case-files/to-import-rows'

import { FileError, unreadableExcelError } from './file-error.ts'

/** How a file is read; by default as its content suggests. */
export interface ReadOptions {
  readonly encoding?: Encoding | undefined
  /** The name of a sheet of an Excel file. */
  readonly sheet?: string | undefined
}

/** A file with its rows. */
export interface ReadFile {
  readonly table: FileTable
  readonly source: FileSource
  /** The number of rows whose cells are all empty; they are ignored. */
  readonly blankCount: number
}

/** What a file is. */
export type FileSource =
  | {
      readonly kind: 'csv'
      readonly encoding: Encoding
      /** Whether the encoding follows from the bytes, or is a guess. */
      readonly isCertain: boolean
      /** Whether there are bytes that the encoding does not know. */
      readonly hasUnreadable: boolean
    }
  | { readonly kind: 'excel'; readonly sheet: string; readonly sheets: readonly string[] }

const MAX_FILE_BYTES = 50 * 1024 * 1024

/**
 * Reads a CSV or Excel file. The first row with text has the headings.
 * @throws {FileError}
 */
export async function readTable(file: Blob, options: ReadOptions = {}): Promise<ReadFile> {
  if (file.size > MAX_FILE_BYTES) throw new FileError('The file is larger than 50 MB. Split it into several files.')
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])) return await readExcel(bytes, options)
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) {
    throw new FileError(
      'This is an old or protected Excel file. Save it as “Excel workbook (.xlsx)” without a password.',
    )
  }
  return readCsv(bytes, options)
}

const startsWith = (bytes: Uint8Array, start: readonly number[]) => start.every((byte, index) => bytes[index] === byte)

function readCsv(bytes: Uint8Array, { encoding: chosen }: ReadOptions): ReadFile {
  const { text, encoding, isCertain } = decodeText(bytes, chosen)
  // Pictures and programs contain such characters, texts do not. With the wrong encoding, the user chooses another one.
  if (chosen === undefined && text.includes('\0')) throw new FileError('This is no CSV or Excel file.')
  const { rows, blankCount } = removeBlankRows(parse(text))
  const table = toTable(rows, true)
  return { table, blankCount, source: { kind: 'csv', encoding, isCertain, hasUnreadable: text.includes('\uFFFD') } }
}

function parse(text: string) {
  try {
    return parseCsv(text)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new FileError(`Line ${error.line} of the file is not valid CSV: ${error.message}.`)
  }
}

async function readExcel(bytes: Uint8Array<ArrayBuffer>, { sheet: chosen }: ReadOptions): Promise<ReadFile> {
  const [{ default: readSheets }, { checkWorkbook }] = await Promise.all([
    import('read-excel-file/universal'),
    import('./check-workbook.ts'),
  ])
  try {
    checkWorkbook(bytes)
  } catch (error) {
    throw error instanceof FileError ? error : unreadableExcelError()
  }
  const sheets = await readSheets(bytes.buffer, { trim: false }).catch(() => null)
  const sheet = sheets?.find(({ sheet: name }) => name === chosen) ?? sheets?.[0]
  if (sheets === null || sheet === undefined) throw unreadableExcelError()
  const rows = sheet.data.map((cells, index) => ({
    row: index + 1,
    cells: trimEnd(cells.map((cell) => toText(cell as CellValue))),
  }))
  const { rows: filled, blankCount } = removeBlankRows(rows)
  const table = toTable(filled, false)
  return {
    table,
    blankCount,
    source: { kind: 'excel', sheet: sheet.sheet, sheets: sheets.map(({ sheet: name }) => name) },
  }
}

/** The types of the library have the constructor of dates in place of dates. */
type CellValue = string | number | boolean | Date | null

/** Returns what the cell shows, except for the format of numbers and dates. */
function toText(value: CellValue): string {
  if (value === null) return ''
  if (value instanceof Date) return value.toISOString().replace(/T00:00:00\.000Z$/, '')
  // Excel ends lines of a cell with LF; files of other programs may have CR LF.
  return String(value).replaceAll('\r\n', '\n')
}

/** Sheets have empty cells up to the width of the longest row. */
const trimEnd = (cells: readonly string[]) => cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1)

type Records = FileTable['records']

function toTable(records: Records, hasEscapedFormulas: boolean): FileTable {
  const [header, ...below] = records
  if (header === undefined) throw new FileError('The file is empty.')
  const keys = readHeaderKeys(header.cells, below[0]?.cells)
  const rows = keys === null ? below : below.slice(1)
  if (rows.length === 0) throw new FileError('The file has headings only, and no test cases below them.')
  const filled = header.cells.findLastIndex((cell) => cell.trim() !== '') + 1
  return { headings: preferKeys(header.cells.slice(0, filled), keys), records: rows, hasEscapedFormulas }
}
