import { expect, it } from 'vitest'

import { getHeadState, setRange, toggle } from './selection.ts'

const ids = ['a', 'b', 'c', 'd']

it('says whether all, some or none of the rows are selected', () => {
  expect(getHeadState(new Set(ids), ids)).toBe(true)
  expect(getHeadState(new Set(['b']), ids)).toBe('mixed')
  expect(getHeadState(new Set(['of another filter']), ids)).toBe(false)
  expect(getHeadState(new Set(), [])).toBe(false)
})

it('adds and removes one row', () => {
  expect([...toggle(new Set(['a']), 'b')]).toEqual(['a', 'b'])
  expect([...toggle(new Set(['a', 'b']), 'a')]).toEqual(['b'])
})

it('adds and removes all rows between two, in both directions', () => {
  expect([...setRange(new Set(['a']), ids, [3, 2], true)]).toEqual(['a', 'c', 'd'])
  expect([...setRange(new Set(ids), ids, [1, 2], false)]).toEqual(['a', 'd'])
})
