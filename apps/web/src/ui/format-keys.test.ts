import { expect, it } from 'vitest'

import { formatKeys } from './format-keys.ts'

it.each([
  ['$mod+k', false, ['Ctrl', 'K']],
  ['$mod+k', true, ['⌘', 'K']],
  ['g c', false, ['G', 'C']],
  ['Shift+ArrowDown', false, ['Shift', '↓']],
  ['?', true, ['?']],
])('shows %s (on a Mac: %s) as %j', (keys, isMac, expected) => {
  expect(formatKeys(keys, isMac)).toEqual(expected)
})
