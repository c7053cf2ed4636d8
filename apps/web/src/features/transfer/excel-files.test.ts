import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { FileError } from './file-error.ts'
import { readTable } from './read-table.ts'
import { writeExcel } from './write-excel.ts'

/** Texts that XML, Excel or a formula would change. */
const hostile = fc.string({
  unit: fc.constantFrom(
    '=',
    '+',
    "'",
    '<',
    '&',
    '"',
    ' ',
    '\n',
    '\t',
    '\u0001',
    '\u007F',
    '_x000D_',
    '_',
    'x',
    '1',
    '😀',
    '\uFFFD',
  ),
  maxLength: 12,
})

describe('writeExcel', () => {
  it('writes cells that readTable returns unchanged, whatever they contain', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(hostile, hostile), { minLength: 1, maxLength: 5 }), async (rows) => {
        const cells = rows.map(([first, last]) => [first, `${last}.`])
        const { table } = await readTable(await writeExcel([['a', 'b'], ...cells], 'Sheet'))
        expect(table.records.map((record) => record.cells)).toEqual(cells)
      }),
      { numRuns: 100 },
    )
  })

  it('writes all cells as text, so that no formula runs', async () => {
    const { table, source } = await readTable(await writeExcel([['title'], ['=1+1'], ['1']], 'Test cases'))
    expect(table.records.map(({ cells }) => cells)).toEqual([['=1+1'], ['1']])
    expect(table.hasEscapedFormulas).toBe(false)
    expect(source).toEqual({ kind: 'excel', sheet: 'Test cases', sheets: ['Test cases'] })
  })
})

describe('readTable', () => {
  it('counts rows as Excel does, and leaves out and counts empty ones', async () => {
    const { table, blankCount } = await readTable(
      await writeExcel(
        [
          ['title', 'tags', ''],
          ['', '', ''],
          ['a', '', ''],
          [' ', '', '\t'],
        ],
        'S',
      ),
    )
    expect(blankCount).toBe(2)
    expect(table).toMatchObject({ headings: ['title', 'tags'], records: [{ row: 3, cells: ['a'] }] })
  })

  it.each([
    ['is empty', '', /The file is empty/],
    ['has headings only', 'title,tags\n', /headings only/],
    ['has an open quote', 'title\n"a\n', /^Line 2 of the file is not valid CSV/],
    ['is a picture', '\u0089PNG\r\n\u001A\n\0\0\0\rIHDR', /no CSV or Excel file/],
    ['is an old Excel file', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 1, 2]), /old or protected Excel file/],
    ['is a damaged workbook', 'PK\u0003\u0004 damaged', /cannot be read/],
  ])('refuses a file that %s', async (_, content, message) => {
    const error: unknown = await readTable(new Blob([content])).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(FileError)
    expect(String(error)).toMatch(new RegExp(message.source.replace('^', 'Error: ')))
  })
})
