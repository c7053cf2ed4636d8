import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { parseCsv } from './csv.ts'
import { type CustomColumns, type CustomField, getHeading, readFieldValue, writeFieldValue } from './custom-columns.ts'
import type { ListedCase } from './file-columns.ts'
import { parseTestCase } from './parse-test-case.ts'
import { suggestCustomFields, suggestFields } from './suggest-fields.ts'
import { formatTestCases, readRows } from './test-case-rows.ts'
import { toImportRows } from './to-import-rows.ts'

const people = [
  { id: '019aa5b0-11aa-7b7b-8c8c-9d9d0e0e1f1f', name: 'Ada Lovelace' },
  { id: '019aa5b0-11aa-7b7b-8c8c-9d9d0e0e1f20', name: 'Bob Stone' },
  { id: '019aa5b0-11aa-7b7b-8c8c-9d9d0e0e1f21', name: 'bob stone' },
]
const options = [
  { key: 'blocker', label: 'Blocker', is_retired: false },
  { key: 'a_b', label: 'A; B', is_retired: false },
  // A label that is the key of another option.
  { key: 'minor', label: 'blocker', is_retired: false },
  { key: 'old', label: 'Old one', is_retired: true },
]
const fields: readonly CustomField[] = [
  { key: 'severity', name: 'Severity', type: 'select', options },
  { key: 'browsers', name: 'Browsers', type: 'multi_select', options },
  { key: 'risk', name: 'Risk', type: 'number', options: null },
  { key: 'due', name: 'Due', type: 'date', options: null },
  { key: 'checked', name: 'Checked', type: 'checkbox', options: null },
  { key: 'expert', name: 'Expert', type: 'user', options: null },
  // Names that are those of other columns.
  { key: 'component', name: 'Title', type: 'text', options: null },
  { key: 'area', name: 'Risk', type: 'long_text', options: null },
]
const custom: CustomColumns = { fields, people }
const find = (key: string) => {
  const field = fields.find((item) => item.key === key)
  if (field === undefined) throw new Error(key)
  return field
}

const optionKey = fc.constantFrom(...options.map(({ key }) => key))
const text = fc
  .string({ unit: fc.constantFrom('=', '-', "'", ';', ',', '"', 'a', ' ', '1') })
  .map((some) => some.trim())
const values = fc.record(
  {
    severity: optionKey,
    browsers: fc.uniqueArray(optionKey, { minLength: 1 }),
    risk: fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }).map((value) => value + 0),
    due: fc.constantFrom('2026-12-24', '1900-01-01'),
    checked: fc.boolean(),
    expert: fc.constantFrom(...people.map(({ id }) => id)),
    component: text.filter((some) => some !== ''),
    area: text.filter((some) => some !== ''),
  },
  { requiredKeys: [] },
)
const listed: ListedCase = {
  id: 'WEB-1',
  title: 'Pays',
  folder_id: null,
  priority: 'high',
  type: 'smoke',
  precondition: '',
  steps: [],
  expected_result: '',
  tags: [],
  automation_key: null,
}

describe('custom fields in a file', () => {
  it('are read back as they were written, whatever they contain; without a value they are null', () => {
    fc.assert(
      fc.property(values, fc.boolean(), (given, hasKeys) => {
        const testCases = [{ ...listed, fields: given }]
        const csv = formatTestCases(testCases, { getPath: () => '', getOwner: String }, custom, { hasKeys })
        // With keys, another name of each field does not matter.
        const renamed = hasKeys ? fields.map((field) => ({ ...field, name: `New ${field.name}` })) : fields
        const { rows, errors, ignoredColumns } = readRows(parseCsv(csv), renamed)
        expect(rows).toHaveLength(1)
        expect([...errors, ...ignoredColumns]).toEqual([])
        const [row] = rows
        const parsed = row === undefined ? null : parseTestCase(row, { custom })
        const none = Object.fromEntries(fields.map(({ key }) => [key, null]))
        expect(parsed).toMatchObject({ body: { fields: { ...none, ...given } } })
      }),
    )
  })

  it('have their name as heading, or the key where another column could be meant', () => {
    expect(fields.map((field) => getHeading(field, fields))).toEqual([
      'Severity',
      'Browsers',
      'Risk',
      'Due',
      'Checked',
      'Expert',
      'component',
      'area',
    ])
  })

  it.each([
    ['severity', 'Bloker', 'the field Severity has no option "Bloker"; the nearest is "Blocker"'],
    ['browsers', 'Blocker; x', 'the field Browsers has no option "x"; the nearest is "A; B"'],
    ['risk', 'high', 'the field Risk is no number: "high"'],
    ['risk', '0x10', 'the field Risk is no number: "0x10"'],
    ['risk', '1,000', 'the field Risk could be two numbers: "1,000"; write 1500, or 1.5'],
    ['due', '24.12.2026', 'the field Due is no date such as 2026-11-21: "24.12.2026"'],
    ['checked', 'maybe', 'the field Checked is neither yes nor no: "maybe"'],
    ['expert', 'Eve', 'the field Expert names nobody in the project: "Eve"'],
    ['expert', 'Bob Stone', 'the field Expert names several people in the project: "Bob Stone"'],
    ['component', 'x'.repeat(1001), 'the field Title has 1001 characters; the maximum is 1000'],
  ])('of %s refuse %j', (key, cell, message) => {
    expect(readFieldValue(find(key), cell, custom)).toMatchObject({ errors: [message] })
  })

  it('name the options that could be added', () => {
    expect(readFieldValue(find('browsers'), 'Blocker; x', custom)).toMatchObject({ unknownOptions: ['x'] })
    expect(readFieldValue(find('risk'), 'high', custom)).not.toHaveProperty('unknownOptions')
  })

  it('accept labels and keys in any case, and commas in numbers', () => {
    expect(readFieldValue(find('browsers'), ' BLOCKER ; a_b', custom)).toEqual({ value: ['blocker', 'a_b'] })
    const numbers = ['7,5', '0,125', '-.5', '1500', '12,5000', '1e-7']
    expect(numbers.map((cell) => readFieldValue(find('risk'), cell, custom))).toEqual(
      [7.5, 0.125, -0.5, 1500, 12.5, 1e-7].map((value) => ({ value })),
    )
    expect(readFieldValue(find('expert'), 'ada lovelace', custom)).toEqual({ value: people[0]?.id })
    expect(writeFieldValue(find('expert'), people[1]?.id, custom)).toBe(people[1]?.id)
  })
})

describe('suggestCustomFields', () => {
  it('suggests a field by its name or key, before what other tools call a built-in one', () => {
    const headings = ['Title', 'Severity', 'browsers', 'Due']
    expect(suggestFields(headings, [])).toEqual(['title', 'priority', null, null])
    expect(suggestCustomFields(headings, suggestFields(headings, []), fields)).toEqual([
      'title',
      'field.severity',
      'field.browsers',
      'field.due',
    ])
  })
})

describe('toImportRows with custom fields', () => {
  it('sends the fields that have a column, and says which rows of one test case differ', () => {
    const [header, ...records] = parseCsv(
      'Title,Step,Severity,Due\nPays,Open,Blocker,\n,Pay,Old one,\nReturns,Open,Bloker,2026-12-24\n',
    )
    const headings = header?.cells ?? []
    const chosen = suggestCustomFields(headings, suggestFields(headings, []), fields)
    const rows = toImportRows({ headings, records, hasEscapedFormulas: true }, { fields: chosen, custom })
    expect(rows.map(({ errors }) => errors)).toEqual([
      ['row 3: severity differs from row 2, which begins this test case'],
      ['the field Severity has no option "Bloker"; the nearest is "Blocker"'],
    ])
    const fixed = records.map(({ cells: [title = '', step = '', , due = ''], ...row }, index) => ({
      ...row,
      cells: [title, step, index === 1 ? '' : 'Blocker', due],
    }))
    const [first] = toImportRows({ headings, records: fixed, hasEscapedFormulas: true }, { fields: chosen, custom })
    expect(first?.input).toMatchObject({ title: 'Pays', fields: { severity: 'blocker', due: null } })
  })
})
