/*
 * CSV as RFC 4180 has it, and as spreadsheets write it: also with `;` or a tab between cells, a byte order mark, and
 * lines that end in CR LF. There are libraries for it, but those that tell on which line of the file a record stands are
 * larger than all the rest of this command; the tests hold this one against one of them.
 */

/** A record, and the line of the file on which it begins, from 1. */
export interface CsvRecord {
  readonly line: number
  readonly cells: readonly string[]
}

/** A file that is no CSV, with the line at which it ceases to be. */
export class CsvError extends Error {
  readonly line: number
  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

/** Records as text, each on a line that ends in LF. */
export const formatCsv = (records: readonly (readonly string[])[]): string =>
  records.map((cells) => `${cells.map(formatCell).join(',')}\n`).join('')

// Also what a spreadsheet of another country takes for the end of a cell, and what some would trim.
const formatCell = (text: string) => (/[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/**
 * Reads records; lines without anything are left out. Where lines end in CR LF, so do those within cells: they are read
 * as LF, which is what editors and Git had made of it.
 * @throws {CsvError}
 */
export function parseCsv(text: string): CsvRecord[] {
  const content = text.replace(/^\uFEFF/, '')
  const delimiter = findDelimiter(content)
  const records: CsvRecord[] = []
  let [at, line, firstEnding] = [0, 1, '']
  while (at < content.length) {
    const { cells, end, ending, lines } = readRecord(content, at, line, delimiter)
    if (at === 0) firstEnding = ending
    if (cells.length > 1 || cells[0] !== '') records.push({ line, cells })
    at = end
    line += lines
  }
  return firstEnding === '\r\n' ? records.map(withLf) : records
}

/** Which character of the first line stands between cells. */
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
  const found = ending.exec(content)?.[0]
  if (found === undefined) throw new CsvError(line + lines, 'there is text behind the closing quote of a cell')
  return { cells, end: at + found.length, ending: found, lines: lines + 1 }
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
  if (end < 0) throw new CsvError(line, 'a quote that opens here is never closed')
  return { text: content.slice(start + 1, end).replaceAll('""', '"'), end: end + 1 }
}

const countLines = (text: string) => text.match(/\r\n|\r|\n/g)?.length ?? 0

const withLf = ({ line, cells }: CsvRecord): CsvRecord => ({
  line,
  cells: cells.map((cell) => cell.replaceAll('\r\n', '\n')),
})
