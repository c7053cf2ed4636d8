import { describe, expect, it } from 'vitest'

import { parseCsv } from './csv.ts'
import { suggestFields } from './suggest-fields.ts'
import { checkChoices, type FileChoices, toImportRows } from './to-import-rows.ts'

/** Reads a CSV file with the suggested columns. */
function read(text: string, choices: Partial<FileChoices> = {}) {
  const [header, ...records] = parseCsv(text)
  const headings = header?.cells ?? []
  const table = { headings, records, hasEscapedFormulas: true }
  const fields = suggestFields(
    headings,
    records.map(({ cells }) => cells),
  )
  return toImportRows(table, { fields, acceptsLooseSteps: true, ...choices })
}

describe('toImportRows', () => {
  it('returns what is sent for each row, without fields that the file does not have', () => {
    expect(read('title,folder,priority\nPays,Checkout/Payment,High\nReturns,,\n')).toEqual([
      {
        row: 2,
        id: '',
        title: 'Pays',
        folder: ['Checkout', 'Payment'],
        errors: [],
        input: { title: 'Pays', folder_path: ['Checkout', 'Payment'], priority: 'high' },
      },
      { row: 3, id: '', title: 'Returns', folder: [], errors: [], input: { title: 'Returns', folder_path: [] } },
    ])
  })

  it('updates the fields of rows with ids, and keeps the title if it is empty', () => {
    const rows = read('id,title,tags,precondition\nWEB-1,,"a, b",\nWEB-2,New title,,x\n')
    expect(rows.map(({ input }) => input)).toEqual([
      { id: 'WEB-1', tags: ['a', 'b'], precondition: '' },
      { id: 'WEB-2', title: 'New title', tags: [], precondition: 'x' },
    ])
  })

  it('lists every error by the row of a spreadsheet, not by the line of the file', () => {
    const rows = read('title,priority,precondition\nA,P1,"two\nlines"\n,low,\n\nB,urgent,x,y\nC,,\n')
    expect(rows.map(({ row, errors, input }) => [row, errors.length, input === null])).toEqual([
      [2, 1, true],
      [3, 1, true],
      [5, 2, true],
      [6, 0, false],
    ])
    expect(rows[0]?.errors[0]).toBe('unknown priority "p1"; the values are critical, high, medium, low')
    expect(rows[1]?.errors[0]).toBe('the title is empty')
    expect(rows[2]?.errors[0]).toBe('the row has 4 cells, but there are 3 headings')
  })

  it('refuses the second of two rows with the same id or automation key', () => {
    const rows = read('id,title,automation_key\nWEB-1,A,k\nWEB-1,B,x\n,C,k\n')
    expect(rows.map(({ errors }) => errors)).toEqual([
      [],
      ['row 2 updates WEB-1 as well'],
      ['row 2 has the same automation key'],
    ])
  })

  it('joins rows with one step each to test cases', () => {
    const rows = read(
      'Title,Priority,Action,Expected Result\nPays,high,Open,It opens\n,,Pay,Paid\nReturns,low,Send,\nReturns,low,Wait,Refund\n',
    )
    expect(rows.map(({ row, input }) => [row, input?.title, input?.steps])).toEqual([
      [
        2,
        'Pays',
        [
          { action: 'Open', expected: 'It opens' },
          { action: 'Pay', expected: 'Paid' },
        ],
      ],
      [
        4,
        'Returns',
        [
          { action: 'Send', expected: '' },
          { action: 'Wait', expected: 'Refund' },
        ],
      ],
    ])
  })

  it('refuses a test case whose rows contradict each other', () => {
    const rows = read('Title,Priority,Action\nPays,high,Open\n,low,Pay\n')
    expect(rows[0]?.errors).toEqual(['row 3: priority differs from row 2, which begins this test case'])
  })

  it('splits folders at the separator that is chosen, and reads steps that are numbered in other ways', () => {
    const [row] = read('title,folder,steps\nPays,Checkout > Payment,"1) Open\n2) Pay"\n', { folderSeparator: '>' })
    expect(row?.folder).toEqual(['Checkout', 'Payment'])
    expect(row?.input?.steps).toHaveLength(2)
  })

  it('leaves out rows whose cells are all empty, also if they are wider than the headings', () => {
    const rows = read('Title,Tags\nPays,\n , , ,\nShips,x\n,\n')
    expect(rows.map(({ row, title, errors }) => ({ row, title, errors }))).toEqual([
      { row: 2, title: 'Pays', errors: [] },
      { row: 4, title: 'Ships', errors: [] },
    ])
  })

  it('undoes the apostrophe that protects spreadsheets from formulas, in CSV only', () => {
    const records = [{ row: 2, cells: ["'=1+1"] }]
    const read2 = (hasEscapedFormulas: boolean) =>
      toImportRows({ headings: ['title'], records, hasEscapedFormulas }, { fields: ['title'] })[0]?.title
    expect([read2(true), read2(false)]).toEqual(['=1+1', "'=1+1"])
  })
})

describe('checkChoices', () => {
  it.each([
    [['title'], null],
    [['id', 'tags'], null],
    [['folder', null], 'no-title'],
    [['title', 'step_expected'], 'no-step-action'],
  ] as const)('returns for the fields %j: %s', (fields, error) => {
    expect(checkChoices({ fields })).toBe(error)
  })
})
