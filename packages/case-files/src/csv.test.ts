import fc from 'fast-check'
import papaparse from 'papaparse'
import { describe, expect, it } from 'vitest'

import { formatCsv, parseCsv } from './csv.ts'

/** Texts of characters that have a meaning in CSV, and any other text. */
const hostile = fc.oneof(
  fc.string({
    unit: fc.constantFrom('"', ',', ';', '\t', '\n', '\r', ' ', 'a', "'", '=', '\\', '\uFEFF', '\u2028', '😀'),
  }),
  fc.string({ unit: 'grapheme' }),
)
const table = fc
  .integer({ min: 2, max: 5 })
  .chain((width) => fc.array(fc.array(hostile, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }))
/** The delimiter is detected from the first line. */
const withHeader = table.map((records) => [(records[0] ?? []).map((_, index) => `column ${index}`), ...records])
const getCells = (text: string) => parseCsv(text).map(({ cells }) => cells)

describe('parseCsv', () => {
  it.each([
    ['sep=;', 'sep=;\na,1;b,2\n', ['a,1', 'b,2']],
    ['a quoted sep=', '"sep=;"\r\na,1;b,2\r\n', ['a,1', 'b,2']],
    ['sep=|', 'sep=|\na|b\n', ['a', 'b']],
  ])('reads a file whose first line is %s', (_, text, cells) => {
    expect(parseCsv(text)).toEqual([{ line: 2, row: 1, cells }])
  })

  it('counts rows as a spreadsheet does, and lines as an editor does', () => {
    const records = parseCsv('a,b\n"x\ny",1\n\nz,2\n')
    expect(records.map(({ line, row }) => [line, row])).toEqual([
      [1, 1],
      [2, 2],
      [5, 4],
    ])
  })

  it('returns the records that formatCsv was given, whatever they contain', () => {
    fc.assert(
      fc.property(withHeader, (records) => {
        expect(getCells(formatCsv(records))).toEqual(records)
      }),
      { numRuns: 2000 },
    )
  })

  it('returns the same records from the output of formatCsv as Papa Parse', () => {
    fc.assert(
      fc.property(withHeader, (records) => {
        const { data } = papaparse.parse(formatCsv(records), { delimiter: ',', newline: '\n' })
        expect(data.slice(0, -1)).toEqual(records)
      }),
      { numRuns: 1000 },
    )
  })

  it.each([',', ';', '\t'])('reads what Papa Parse writes with the delimiter %j', (delimiter) => {
    fc.assert(
      fc.property(withHeader, (records) => {
        expect(getCells(papaparse.unparse(records, { delimiter, newline: '\n' }))).toEqual(records)
      }),
      { numRuns: 1000 },
    )
  })

  it.each([
    ['a byte order mark', '\uFEFFa,b\n1,2\n'],
    ['no line end after the last line', 'a,b\n1,2'],
    ['lines that end in CR LF', 'a,b\r\n1,2\r\n'],
    ['lines that end in CR', 'a,b\r1,2\r'],
    ['empty lines', '\na,b\n\n1,2\n\n'],
    ['quotes where none are needed', '"a","b"\n"1","2"\n'],
  ])('reads a file with %s', (_, text) => {
    expect(getCells(text)).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ])
  })

  it('returns the line on which each record starts', () => {
    const records = parseCsv('a,b\n"1\n2\r\n3",x\n\n4,"\n"\n5,6\n')
    expect(records.map(({ line }) => line)).toEqual([1, 2, 6, 8])
  })

  it('converts CR LF in cells to LF only if the lines end in CR LF', () => {
    expect(getCells('a,b\r\n"x\r\ny",\r\n')).toEqual([
      ['a', 'b'],
      ['x\ny', ''],
    ])
    expect(getCells('a,b\n"x\r\ny",\n')).toEqual([
      ['a', 'b'],
      ['x\r\ny', ''],
    ])
  })

  it('keeps quotes in a cell that does not start with one', () => {
    expect(getCells('a,b\nsay "no",x\n')[1]).toEqual(['say "no"', 'x'])
  })

  it.each([
    ['a,b\n1,"2\n3\n', 2, /never closed/],
    ['a,b\n1,2\n"3"x,4\n', 3, /follows the closing quote/],
  ])('throws an error with the line number for %j', (text, line, message) => {
    expect(() => parseCsv(text)).toThrow(expect.objectContaining({ line, message: expect.stringMatching(message) }))
  })
})
