import type { Field, Folder, TestCaseRow } from '@caseward/client/endpoints'
import { describe, expect, it } from 'vitest'

import { type CaseView, countFacets, prepareSearch, searchCases } from './search-cases.ts'

const view: CaseView = {
  folder: null,
  q: '',
  priority: [],
  type: [],
  tag: [],
  owner: [],
  field: [],
  sort: 'number',
  by: '',
  desc: false,
}

const row = (id: string, more: Partial<TestCaseRow> = {}): TestCaseRow => ({
  id,
  title: `Title of ${id}`,
  folder_id: null,
  position: id,
  priority: 'medium',
  type: 'functional',
  tags: [],
  automation_key: null,
  updated_at: '2026-11-21T09:00:00.000Z',
  version: 1,
  ...more,
})
const folder = (id: string, parent_id: string | null, position: number): Folder => ({
  id,
  name: id,
  parent_id,
  position,
  test_case_count: 0,
  created_at: '',
  updated_at: '',
})
const folders = [folder('b', null, 1), folder('a', null, 0), folder('a1', 'a', 0)]

const find = (rows: readonly TestCaseRow[], more: Partial<CaseView>) =>
  searchCases(rows, folders, { ...view, ...more }).map(({ id }) => id)

describe('searchCases', () => {
  const rows = [
    row('WEB-10', { title: 'A customer pays by card', folder_id: 'a1', tags: ['payment'], priority: 'low' }),
    row('WEB-2', { title: 'A guest pays by invoice', folder_id: 'b', automation_key: 'checkout.invoice' }),
    row('WEB-1', { title: 'Sign-in with a Café account', type: 'security', priority: 'critical' }),
  ]

  it.each([
    ['', ['WEB-1', 'WEB-2', 'WEB-10']],
    ['pays', ['WEB-2', 'WEB-10']],
    ['CARD pays', ['WEB-10']],
    ['web-10', ['WEB-10']],
    ['payment', ['WEB-10']],
    ['checkout.inv', ['WEB-2']],
    // Decomposed é, as macOS types it in file names.
    ['cafe\u0301', ['WEB-1']],
    ['nothing', []],
  ])('finds every word of "%s" in id, title, tags and automation key', (q, expected) => {
    expect(find(rows, { q })).toEqual(expected)
  })

  it('combines filters, of which each accepts any of its values', () => {
    expect(find(rows, { priority: ['low', 'critical'] })).toEqual(['WEB-1', 'WEB-10'])
    expect(find(rows, { priority: ['low', 'critical'], type: ['security'] })).toEqual(['WEB-1'])
    expect(find(rows, { tag: ['payment', 'other'] })).toEqual(['WEB-10'])
  })

  it('shows a folder with its subfolders, or test cases without folder', () => {
    expect(find(rows, { folder: 'a' })).toEqual(['WEB-10'])
    expect(find(rows, { folder: 'none' })).toEqual(['WEB-1'])
    expect(find(rows, { folder: 'deleted' })).toEqual([])
  })

  it('sorts by every column in both directions', () => {
    expect(find(rows, { sort: 'title' })).toEqual(['WEB-10', 'WEB-2', 'WEB-1'])
    expect(find(rows, { sort: 'title', desc: true })).toEqual(['WEB-1', 'WEB-2', 'WEB-10'])
    expect(find(rows, { sort: 'priority' })).toEqual(['WEB-1', 'WEB-2', 'WEB-10'])
    expect(find(rows, { sort: 'number', desc: true })).toEqual(['WEB-10', 'WEB-2', 'WEB-1'])
    const later = [...rows, row('WEB-3', { updated_at: '2026-11-22T09:00:00.000Z' })]
    expect(find(later, { sort: 'updated' })[0]).toBe('WEB-3')
  })

  it('sorts the tree by folder, then position, with those without folder last', () => {
    const inTree = [
      row('WEB-1'),
      row('WEB-2', { folder_id: 'b' }),
      row('WEB-3', { folder_id: 'a1' }),
      row('WEB-4', { folder_id: 'a', position: 'b2' }),
      row('WEB-5', { folder_id: 'a', position: 'b12' }),
    ]
    expect(find(inTree, { sort: 'tree' })).toEqual(['WEB-5', 'WEB-4', 'WEB-3', 'WEB-2', 'WEB-1'])
  })

  it('reads the texts of prepared rows no more, so that a key costs the same in long titles', () => {
    let reads = 0
    const words = ['customer', 'guest', 'invoice', 'card', 'basket', 'address', 'refund', 'voucher']
    const many = Array.from({ length: 100 }, (_, number) => {
      const title = `A ${words[number % 8]} sees the ${words[(number * 7) % 8]} of order ${number}`
      const found = row(`WEB-${number + 1}`, {
        folder_id: folders[number % 3]?.id ?? null,
        tags: [`tag-${number % 40}`],
      })
      return Object.defineProperty(found, 'title', {
        get() {
          reads += 1
          return title
        },
      })
    })
    prepareSearch(many)
    expect(reads).toBeGreaterThan(0)
    reads = 0
    const counts = ['c', 'cu', 'cus', 'cust', 'guest refund', 'zzz'].map(
      (q) => searchCases(many, folders, { ...view, q, sort: 'tree' }).length,
    )
    expect(counts[0]).toBeGreaterThan(counts[4] ?? 0)
    expect(counts[5]).toBe(0)
    expect(reads).toBe(0)
  })
})

describe('countFacets', () => {
  it('counts the values of priority, type and tags', () => {
    const { priority, type, tag } = countFacets([
      row('WEB-1', { tags: ['a', 'b'] }),
      row('WEB-2', { tags: ['b'], priority: 'low' }),
    ])
    expect([...priority]).toEqual([
      ['medium', 1],
      ['low', 1],
    ])
    expect([...type]).toEqual([['functional', 2]])
    expect([...tag]).toEqual([
      ['a', 1],
      ['b', 2],
    ])
  })
})

describe('searchCases by custom fields', () => {
  const makeField = (key: string, type: Field['type'], options: string[] | null = null): [string, Field] => [
    key,
    {
      id: key,
      subject: 'case',
      key,
      name: key,
      description: '',
      type,
      is_required: false,
      required_on: [],
      default: null,
      options: options?.map((option) => ({ key: option, label: option, is_retired: false })) ?? null,
      min: null,
      max: null,
      decimals: null,
      position: 1,
      scope: 'project',
      retired_at: null,
    },
  ]
  const fields = new Map([
    makeField('risk', 'number'),
    makeField('due', 'date'),
    makeField('severity', 'select', ['blocker', 'minor']),
    makeField('browsers', 'multi_select', ['chrome', 'safari']),
    makeField('checked', 'checkbox'),
  ])
  const rows = [
    row('A-1', { fields: { risk: 7.5, severity: 'minor', browsers: ['chrome'] } }),
    row('A-2'),
    row('A-3', { fields: { risk: 2, severity: 'blocker', due: '2026-12-24', checked: false } }),
    row('A-4', { fields: { risk: 2, due: '2025-01-31', browsers: ['chrome', 'safari'] } }),
  ]
  const findIds = (changes: Partial<CaseView>) =>
    searchCases(rows, [], { ...view, ...changes }, fields).map(({ id }) => id)

  it.each([
    ['risk', false, ['A-3', 'A-4', 'A-1', 'A-2']],
    ['risk', true, ['A-1', 'A-3', 'A-4', 'A-2']],
    ['severity', false, ['A-3', 'A-1', 'A-2', 'A-4']],
    ['severity', true, ['A-1', 'A-3', 'A-2', 'A-4']],
    ['due', false, ['A-4', 'A-3', 'A-1', 'A-2']],
    ['due', true, ['A-3', 'A-4', 'A-1', 'A-2']],
  ] as const)('sorts by %s (descending: %s), and what has no value comes last', (by, desc, expected) => {
    expect(findIds({ sort: 'field', by, desc })).toEqual(expected)
  })

  it.each([
    [
      ['severity:blocker', 'severity:minor'],
      ['A-1', 'A-3'],
    ],
    [['severity:none'], ['A-2', 'A-4']],
    [['risk:any', 'severity:none'], ['A-4']],
    [['browsers:safari'], ['A-4']],
    [['checked:false'], ['A-3']],
    [
      ['risk.min:2', 'risk.max:5'],
      ['A-3', 'A-4'],
    ],
    [['due.min:2026-01-01'], ['A-3']],
    // A field that was deleted filters nothing.
    [['gone:x', 'risk:7.5'], ['A-1']],
  ])('finds what matches %j', (field, expected) => {
    expect(findIds({ field })).toEqual(expected)
  })
})
