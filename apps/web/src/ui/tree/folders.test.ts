import { expect, it } from 'vitest'

import { findByPrefix, groupByParent, ROOT_ID } from './folders.ts'

it('groups folders by their parent in the order of the list', () => {
  const groups = groupByParent([
    { id: 'b', name: 'B', parentId: null },
    { id: 'a', name: 'A', parentId: null },
    { id: 'a1', name: 'A1', parentId: 'a' },
    { id: 'x', name: 'X', parentId: 'unknown' },
  ])
  expect(Object.fromEntries(groups)).toEqual({ [ROOT_ID]: ['b', 'a', 'x'], a: ['a1'] })
})

it.each([
  ['c', 0, 2],
  ['c', 2, 3],
  ['c', 3, 2],
  ['ch', 2, 3],
  ['z', 0, -1],
])('typing “%s” at the folder %i finds the folder %i', (typed, current, expected) => {
  expect(findByPrefix(['Account', 'Basket', 'Cart', 'Checkout'], current, typed)).toBe(expected)
})
