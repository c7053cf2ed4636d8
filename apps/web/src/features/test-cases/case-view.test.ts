import type { Folder } from '@caseward/client/endpoints'
import { expect, it } from 'vitest'

import type { TestCaseRow } from '@caseward/client/endpoints'
import { findDropPlace, fromTableSort, hasFilter, noFilter, toTableSort, withoutDeleted } from './case-view.ts'
import { previewMove } from './preview-folder-move.ts'

const makeRow = (id: string, folder_id: string | null): TestCaseRow => ({
  id,
  folder_id,
  title: id,
  position: id,
  priority: 'low',
  type: 'api',
  tags: [],
  automation_key: null,
  updated_at: '2026-11-03T12:00:00.000Z',
  version: 1,
})
const makeFolder = (id: string, parent_id: string | null, position: number): Folder => ({
  id,
  parent_id,
  position,
  name: id,
  test_case_count: 0,
  created_at: '2026-11-03T12:00:00.000Z',
  updated_at: '2026-11-03T12:00:00.000Z',
})
const rows = [makeRow('A-1', 'x'), makeRow('A-2', 'x'), makeRow('A-3', 'x'), makeRow('A-4', 'y'), makeRow('A-5', null)]
const [first = makeRow('', null), second = first, , fourth = first] = rows

it.each([
  ['at the start', first, 'top', ['A-3'], null],
  ['behind the row', first, 'bottom', ['A-3'], 'A-1'],
  ['behind the row before', second, 'top', ['A-3'], 'A-1'],
  ['behind the row before those that are moved', second, 'bottom', ['A-2', 'A-3'], 'A-1'],
  ['before itself', second, 'top', ['A-1', 'A-2'], null],
  ['alone in another folder', fourth, 'top', ['A-1'], null],
] as const)('drops rows %s', (_, target, edge, moved, after) => {
  expect(findDropPlace(rows, target, edge, new Set(moved))).toEqual({ folder_id: target.folder_id, after })
})

it('translates the order of the URL into that of the table, and back', () => {
  for (const view of [
    { sort: 'tree', by: '', desc: false },
    { sort: 'number', by: '', desc: true },
    { sort: 'updated', by: '', desc: false },
    { sort: 'field', by: 'risk', desc: true },
  ] as const) {
    expect(fromTableSort(toTableSort(view))).toEqual(view)
  }
})

it('knows whether a view has a filter', () => {
  expect(hasFilter({ ...noFilter, q: '  ' })).toBe(false)
  expect(hasFilter({ ...noFilter, q: 'a' })).toBe(true)
  expect(hasFilter({ ...noFilter, tag: ['a'] })).toBe(true)
})

it('shows what is in a folder that is being deleted in the folder around it', () => {
  const folders = [makeFolder('x', null, 0), makeFolder('y', 'x', 0), makeFolder('z', 'y', 0)]
  const shown = withoutDeleted(rows, folders, new Set(['y', 'x', 'A-1']))
  expect(shown.folders.map(({ id, parent_id }) => [id, parent_id])).toEqual([['z', null]])
  expect(shown.rows.map(({ id, folder_id }) => [id, folder_id])).toEqual([
    ['A-2', null],
    ['A-3', null],
    ['A-4', null],
    ['A-5', null],
  ])
  const unchanged = withoutDeleted(rows, folders, new Set())
  expect([unchanged.rows, unchanged.folders]).toEqual([rows, folders])
  expect(unchanged.rows).toBe(rows)
})

it('shows a folder at its new place before the server has answered', () => {
  const folders = [
    makeFolder('a', null, 0),
    makeFolder('b', null, 1),
    makeFolder('c', null, 2),
    makeFolder('d', 'a', 0),
  ]
  const order = (moved: readonly Folder[], parent: string | null) =>
    moved
      .filter(({ parent_id }) => parent_id === parent)
      .toSorted((one, other) => one.position - other.position)
      .map(({ id }) => id)
      .join('')
  expect(order(previewMove(folders, 'c', null, 0), null)).toBe('cab')
  expect(order(previewMove(folders, 'a', null, null), null)).toBe('bca')
  const inside = previewMove(folders, 'b', 'a', 0)
  expect([order(inside, 'a'), order(inside, null)]).toEqual(['bd', 'ac'])
})
