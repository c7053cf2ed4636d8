import { expect, it } from 'vitest'

import { findSuccessor } from './find-successor.ts'

const before = ['a', 'b', 'c', 'd']

it('finds the next row that is left', () => {
  expect(findSuccessor(before, ['a', 'd'], 'b')).toBe('d')
})

it('finds the row before if none after it is left', () => {
  expect(findSuccessor(before, ['a', 'b'], 'd')).toBe('b')
})

it('finds none if the row was not there, or nothing is left', () => {
  expect(findSuccessor(before, before, 'x')).toBeNull()
  expect(findSuccessor(before, [], 'b')).toBeNull()
})
