import { expect, it } from 'vitest'

import { toIsoTimestamp } from './timestamp-text.ts'

it.each([
  ['2026-11-21 09:30:00.123+00', '2026-11-21T09:30:00.123Z'],
  ['2026-11-21 09:30:00.12+00', '2026-11-21T09:30:00.120Z'],
  ['2026-11-21 09:30:00.1+00', '2026-11-21T09:30:00.100Z'],
  ['2026-11-21 09:30:00+00', '2026-11-21T09:30:00.000Z'],
  ['2026-11-21 09:30:00.123456+00', '2026-11-21T09:30:00.123Z'],
])('toIsoTimestamp converts %s to %s', (text, expected) => {
  expect(toIsoTimestamp(text)).toBe(expected)
})
