import { expect, it } from 'vitest'

import { getTableAction } from './table-keys.ts'

const context = { active: 5, count: 100, pageSize: 20, hasSelection: false, areLettersOn: true }
const press = (key: string, modifiers: Partial<KeyboardEvent> = {}, changes: Partial<typeof context> = {}) =>
  getTableAction(
    { key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...modifiers },
    { ...context, ...changes },
  )

it.each([
  ['j', 6],
  ['ArrowDown', 6],
  ['k', 4],
  ['ArrowUp', 4],
  ['PageDown', 25],
  ['PageUp', 0],
  ['Home', 0],
  ['End', 99],
])('%s moves from row 5 of 100 to row %i', (key, to) => {
  expect(press(key)).toEqual({ kind: 'move', to, isExtending: false })
})

it('extends the selection with Shift', () => {
  expect(press('J', { shiftKey: true })).toEqual({ kind: 'move', to: 6, isExtending: true })
  expect(press('ArrowUp', { shiftKey: true })).toEqual({ kind: 'move', to: 4, isExtending: true })
})

it('stays at the last row', () => {
  expect(press('j', {}, { active: 99 })).toEqual({ kind: 'move', to: 99, isExtending: false })
})

it('opens a row, in a new tab with Ctrl or Cmd', () => {
  expect([press('Enter'), press('o'), press('Enter', { metaKey: true })]).toEqual([
    { kind: 'open', inNewTab: false },
    { kind: 'open', inNewTab: false },
    { kind: 'open', inNewTab: true },
  ])
})

it('selects one row, all rows and none', () => {
  expect([press('x'), press('a', { ctrlKey: true }), press('Escape', {}, { hasSelection: true })]).toEqual([
    { kind: 'toggle' },
    { kind: 'select-all' },
    { kind: 'clear' },
  ])
})

it('leaves other keys to the page: Esc without a selection, Alt, and letters when they are off', () => {
  expect([press('Escape'), press('ArrowDown', { altKey: true }), press('m'), press('c', { ctrlKey: true })]).toEqual([
    null,
    null,
    null,
    null,
  ])
  expect([press('j', {}, { areLettersOn: false }), press('x', {}, { areLettersOn: false })]).toEqual([null, null])
  expect(press('ArrowDown', {}, { areLettersOn: false })).not.toBeNull()
})
