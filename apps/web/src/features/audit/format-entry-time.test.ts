import { expect, it } from 'vitest'

import { formatEntryTime } from './format-entry-time.ts'

const now = Date.parse('2026-11-20T12:00:00Z')

it.each([
  ['2026-11-20T11:59:59Z', '20 Nov 12:59'],
  ['2026-01-01T00:30:00Z', '1 Jan 01:30'],
  ['2025-12-31T23:30:00Z', '1 Jan 00:30'],
  ['2025-11-03T13:05:00Z', '3 Nov 2025 14:05'],
  ['x', ''],
])('formats %s in Berlin as “%s”', (at, words) => {
  expect(formatEntryTime(at, now, { timeZone: 'Europe/Berlin' })).toBe(words)
})
