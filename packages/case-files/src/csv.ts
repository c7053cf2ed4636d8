/*
 * CSV according to RFC 4180, and as spreadsheets write it: also with `;` or tabs as the delimiter, with a byte order mark
 * and with CR LF. The libraries that report line numbers are larger than the rest of this command together; the tests
 * compare this parser with one of them.
 */

import { escapeFormula } from './cell-text.ts'

/** A record, and where it is in the file. */
export interface CsvRecord {
  /** The line of the file where it starts, from 1. */
  readonly line: number
  /** The row in which a spreadsheet shows it, from 1: cells may contain line breaks, and `sep=` is not shown. */
  readonly row: number
  readonly cells: readonly string[]
}

/** A syntax error in the file. */
export class CsvError extends Error {
  readonly line: number
  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

/** Formats records, one per line. Lines end in LF, or in CR LF as RFC 4180 has it; line breaks in cells stay. */
export const formatCsv = (records: readonly (readonly string[])[], lineEnd: '\n' | '\r\n' = '\n'): string =>
  records.map((cells) => `${cells.map(formatCell).join(',')}${lineEnd}`).join('')

/** Formats records as RFC 4180 has it. Whatever a cell contains, a spreadsheet shows it as text. */
export const formatSpreadsheetCsv = (records: readonly (readonly string[])[]): string =>
  formatCsv(
    records.map((cells) => cells.map(escapeFormula)),
    '\r\n',
  )

// Quotes also what some spreadsheets take for a delimiter or trim.
const formatCell = (text: string) => (/[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/**
 * Parses records; empty lines are left out. If lines end in CR LF, CR LF within cells is read as LF: spreadsheets,
 * editors and Git convert both together.
 * @throws {CsvError}
 */
export function parseCsv(text: string): CsvRecord[] {
  const reader = createCsvReader()
  const records = [...reader.write(text), ...reader.end()]
  return reader.endsLinesInCrLf() ? records.map(withLf) : records
}

/** Reads a file piece by piece. Line breaks within cells stay as they are. */
export interface CsvReader {
  /** @returns the records that are complete @throws {CsvError} */
  write(piece: string): CsvRecord[]
  /** @returns the rest @throws {CsvError} */
  end(): CsvRecord[]
  /** Whether the first line ended in CR LF. */
  endsLinesInCrLf(): boolean
}

/** The delimiter is found in the first line, which must not be longer than this. */
const HEAD_LENGTH = 65_536

/** @param options.delimiter detected by default @param options.maxRecordLength a longer record is an error */
export function createCsvReader({
  delimiter: chosen,
  maxRecordLength = Number.POSITIVE_INFINITY,
}: { readonly delimiter?: string; readonly maxRecordLength?: number } = {}): CsvReader {
  const pieces: string[] = []
  let [pending, nextTry] = [0, HEAD_LENGTH]
  let delimiter: string | null = null
  let [line, row, firstEnding] = [1, 1, '']

  function read(isLast: boolean): CsvRecord[] {
    let content = pieces.join('')
    let at = 0
    if (delimiter === null) {
      content = content.replace(/^\uFEFF/, '')
      const declaration = findDelimiterLine(content)
      at = declaration?.end ?? 0
      if (declaration !== null) line += 1
      delimiter = chosen ?? declaration?.delimiter ?? findDelimiter(content)
    }
    const records: CsvRecord[] = []
    while (at < content.length) {
      const record = readRecord(content, at, line, delimiter, isLast)
      if (record === null) break
      const { cells, end, ending, lines } = record
      if (firstEnding === '') firstEnding = ending
      if (cells.length > 1 || cells[0] !== '') records.push({ line, row, cells })
      at = end
      line += lines
      row += 1
    }
    const rest = content.slice(at)
    if (rest.length > maxRecordLength) throw new CsvError(line, 'the row that starts here is too long')
    pieces.splice(0, pieces.length, rest)
    pending = rest.length
    // A long record is not read again for each piece.
    nextTry = Math.max(HEAD_LENGTH, 2 * rest.length)
    return records
  }

  return {
    write(piece) {
      pieces.push(piece)
      pending += piece.length
      return pending < nextTry ? [] : read(false)
    },
    end: () => read(true),
    endsLinesInCrLf: () => firstEnding === '\r\n',
  }
}

/** A first line `sep=;` tells spreadsheets the delimiter (it is not part of the table). Some programs quote it. */
function findDelimiterLine(content: string): { delimiter: string; end: number } | null {
  const [line, , delimiter] = /^("?)sep=([^\r\n"])\1(?:\r\n|\r|\n|$)/i.exec(content) ?? []
  return line === undefined || delimiter === undefined ? null : { delimiter, end: line.length }
}

/** Detects the delimiter from the first line. */
function findDelimiter(content: string): string {
  const first = /^[^\r\n]*/.exec(content)?.[0].replaceAll(/"(?:[^"]|"")*"/g, '') ?? ''
  const count = (delimiter: string) => first.split(delimiter).length
  return [',', ';', '\t'].reduce((best, next) => (count(next) > count(best) ? next : best))
}

/** @returns null if the record goes on behind the content that there is so far */
function readRecord(content: string, start: number, line: number, delimiter: string, isLast: boolean) {
  const cells: string[] = []
  let [at, lines] = [start, 0]
  for (;;) {
    const cell = content[at] === '"' ? readQuoted(content, at) : readBare(content, at, delimiter)
    if (cell === null) {
      if (!isLast) return null
      throw new CsvError(line + lines, 'the quote that opens here is never closed')
    }
    cells.push(cell.text)
    lines += countLines(cell.text)
    at = cell.end
    if (content[at] !== delimiter) break
    at += 1
  }
  // A CR at the end of a piece may be half of a CR LF, and a quote half of a doubled one.
  if (!isLast && at >= content.length - 1) return null
  const ending = /\r\n|\r|\n|$/y
  ending.lastIndex = at
  const lineEnd = ending.exec(content)?.[0]
  if (lineEnd === undefined) throw new CsvError(line + lines, 'text follows the closing quote of a cell')
  return { cells, end: at + lineEnd.length, ending: lineEnd, lines: lines + 1 }
}

function readBare(content: string, start: number, delimiter: string) {
  let end = start
  while (end < content.length && !isEnd(content.charAt(end), delimiter)) end += 1
  return { text: content.slice(start, end), end }
}

const isEnd = (character: string, delimiter: string) =>
  character === delimiter || character === '\n' || character === '\r'

function readQuoted(content: string, start: number) {
  let end = content.indexOf('"', start + 1)
  while (end >= 0 && content[end + 1] === '"') end = content.indexOf('"', end + 2)
  if (end < 0) return null
  return { text: content.slice(start + 1, end).replaceAll('""', '"'), end: end + 1 }
}

const countLines = (text: string) => text.match(/\r\n|\r|\n/g)?.length ?? 0

const withLf = ({ cells, ...place }: CsvRecord): CsvRecord => ({
  ...place,
  cells: cells.map((cell) => cell.replaceAll('\r\n', '\n')),
})
