import { expect, it } from 'vitest'

import { buildLine } from './build-line.ts'

it('draws 100 at the top, the lowest value at the bottom, the first value at the left and the last at the right', () => {
  expect(buildLine([0, 50, 100], 106, 26)).toEqual({ path: 'M3 23L53 13L103 3', last: { x: 103, y: 3 } })
})

it('draws 80 at the bottom when all values are higher', () => {
  expect(buildLine([90, 100], 106, 26).path).toBe('M3 13L103 3')
})

it('draws a point for one value and nothing for none', () => {
  expect(buildLine([100], 106, 26)).toEqual({ path: 'M3 3', last: { x: 3, y: 3 } })
  expect(buildLine([], 106, 26)).toEqual({ path: '', last: null })
})
