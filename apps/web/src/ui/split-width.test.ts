import { expect, it } from 'vitest'

import { getWidthForKey } from './split-width.ts'

const limits = { defaultWidth: 260, minWidth: 200, maxWidth: 400 }

it.each([
  ['ArrowRight', 'start', 260, 276],
  ['ArrowRight', 'end', 260, 244],
  ['ArrowLeft', 'start', 205, 200],
  ['Home', 'end', 260, 200],
  ['End', 'start', 260, 400],
  ['Enter', 'start', 300, 260],
  ['a', 'start', 260, null],
] as const)('%s on the handle of a panel at the %s changes its width from %i to %s', (key, side, width, expected) => {
  expect(getWidthForKey(key, width, side, limits)).toBe(expected)
})
