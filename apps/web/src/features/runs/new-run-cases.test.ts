import type { Folder } from '@caseward/client/endpoints'
import { describe, expect, it } from 'vitest'

import type { RecentResult, ResultRow, TestCaseRow } from '@caseward/client/endpoints'
import { chooseCases, countFolders, countLastOutcomes, getLastOutcome, orderCases } from './new-run-cases.ts'

const folders = [
  { id: 'b', parent_id: null, name: 'Basket', position: 2 },
  { id: 'a', parent_id: null, name: 'Account', position: 1 },
] as Folder[]

const row = (id: string, folder_id: string | null, position: string, tags: string[] = []): TestCaseRow => ({
  id,
  title: `Title of ${id}`,
  folder_id,
  position,
  priority: 'medium',
  type: 'functional',
  tags,
  automation_key: null,
  updated_at: '2026-11-22T12:00:00.000Z',
  version: 1,
})

const rows = [
  row('WEB-1', null, 'a'),
  row('WEB-2', 'b', 'a', ['smoke']),
  row('WEB-3', 'a', 'b'),
  row('WEB-4', 'a', 'a'),
]
const ordered = orderCases(rows, folders)
const results = [
  { id: 'r1', test_case_id: 'WEB-2', status: 'failed' },
  { id: 'r2', test_case_id: 'WEB-4', status: 'passed' },
  { id: 'r3', test_case_id: null, status: 'failed' },
] as ResultRow[]
const recent = (...statuses: RecentResult['status'][]) => statuses.map((status) => ({ status }) as RecentResult)

const base = {
  source: 'all',
  folderIds: [],
  filter: { q: '', priority: [], type: [], tag: [], owner: [], field: [] },
  ids: [],
  statuses: [],
} as const
const choose = (choice: Partial<Parameters<typeof chooseCases>[2]>) =>
  chooseCases(ordered, folders, { ...base, ...choice }, results).map(({ id }) => id)

describe('chooseCases', () => {
  it('takes all test cases in the order of the tree, with those without a folder at the end', () => {
    expect(choose({})).toEqual(['WEB-4', 'WEB-3', 'WEB-2', 'WEB-1'])
  })

  it('takes the test cases of folders, and those without one', () => {
    expect(choose({ source: 'folders', folderIds: ['a'] })).toEqual(['WEB-4', 'WEB-3'])
    expect(choose({ source: 'folders', folderIds: ['none', 'b'] })).toEqual(['WEB-2', 'WEB-1'])
  })

  it('takes what a filter leaves', () => {
    expect(choose({ source: 'filter', filter: { ...base.filter, tag: ['smoke'] } })).toEqual(['WEB-2'])
    expect(choose({ source: 'filter', filter: { ...base.filter, q: 'web-3' } })).toEqual(['WEB-3'])
  })

  it('takes test cases by hand, without those that are deleted', () => {
    expect(choose({ source: 'hand', ids: ['WEB-1', 'WEB-4', 'WEB-99'] })).toEqual(['WEB-4', 'WEB-1'])
  })

  it('takes the test cases that have a status in a run', () => {
    expect(choose({ source: 'run', statuses: ['failed'] })).toEqual(['WEB-2'])
    expect(choose({ source: 'run', statuses: ['failed', 'passed'] })).toEqual(['WEB-4', 'WEB-2'])
    expect(choose({ source: 'run' })).toEqual([])
  })
})

it('counts folders without the top level', () => {
  expect(countFolders(rows)).toBe(2)
})

describe('last outcomes', () => {
  it('skips runs in which a test case was not tested', () => {
    expect(getLastOutcome(recent('not_tested', 'failed', 'passed'))).toBe('failed')
    expect(getLastOutcome(recent('not_tested'))).toBe('not_tested')
    expect(getLastOutcome(undefined)).toBeUndefined()
  })

  it('are counted once all are known', () => {
    const histories = new Map([['WEB-1', recent('passed')]])
    expect(countLastOutcomes(rows.slice(0, 2), histories)).toBeNull()
    histories.set('WEB-2', [])
    expect(countLastOutcomes(rows.slice(0, 2), histories)).toMatchObject({ passed: 1, not_tested: 1, failed: 0 })
  })
})
