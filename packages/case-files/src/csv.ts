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
  const content = text.replace(/^\uFEFF/, '')
  const declaration = findDelimiterLine(content)
  const start = declaration?.end ?? 0
  const delimiter = declaration?.delimiter ?? findDelimiter(content)
  const records: CsvRecord[] = []
  let [at, line, row, firstEnding] = [start, declaration === null ? 1 : 2, 1, '']
  while (at < content.length) {
    const { cells, end, ending, lines } = readRecord(content, at, line, delimiter)
    if (at === start) firstEnding = ending
    if (cells.length > 1 || cells[0] !== '') records.push({ line, row, cells })
    at = end
    line += lines
    row += 1
  }
  return firstEnding === '\r\n' ? records.map(withLf) : records
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

function readRecord(content: string, start: number, line: number, delimiter: string) {
  const cells: string[] = []
  let [at, lines] = [start, 0]
  for (;;) {
    const cell = content[at] === '"' ? readQuoted(content, at, line + lines) : readBare(content, at, delimiter)
    cells.push(cell.text)
    lines += countLines(cell.text)
    at = cell.end
    if (content[at] !== delimiter) break
    at += 1
  }
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

function readQuoted(content: string, start: number, line: number) {
  let end = content.indexOf('"', start + 1)
  while (end >= 0 && content[end + 1] === '"') end = content.indexOf('"', end + 2)
  if (end < 0) throw new CsvError(line, 'the quote that opens here is never closed')
  return { text: content.slice(start + 1, end).replaceAll('""', '"'), end: end + 1 }
}

const countLines = (text: string) => text.match(/\r\n|\r|\n/g)?.length ?? 0

const withLf = ({ cells, ...place }: CsvRecord): CsvRecord => ({
  ...place,
  cells: cells.map((cell) => cell.replaceAll('\r\n', '\n')),
})
