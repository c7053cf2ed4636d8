import { expect, it } from 'vitest'

import { formatCount, formatNumberOf, formatShare } from './format-amounts.ts'

it.each([
  [0, '0'],
  [1432, '1,432'],
  [999_999, '999,999'],
  [1_400_000, '1.4 M'],
  [12_000_000, '12 M'],
])('formats the count %i as %s', (value, text) => {
  expect(formatCount(value)).toBe(text)
})

it('formats a count with its noun in the right number', () => {
  expect([
    formatNumberOf(1, 'test case'),
    formatNumberOf(0, 'test case'),
    formatNumberOf(2, 'entry', 'entries'),
  ]).toEqual(['1 test case', '0 test cases', '2 entries'])
})

it.each([
  [0, 10, '0 %'],
  [71, 100, '71 %'],
  [9999, 10_000, '99 %'],
  [1, 10_000, '1 %'],
  [10, 10, '100 %'],
  [0, 0, '–'],
])('formats %i of %i as %s', (part, total, text) => {
  expect(formatShare(part, total)).toBe(text)
})
