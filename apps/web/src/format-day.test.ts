import { describe, expect, it } from 'vitest'

import { formatDay } from './format-day.ts'

describe('formatDay', () => {
  const today = Date.parse('2026-11-28T00:30:00Z')
  it.each([
    ['2026-11-28T00:10:00Z', 'UTC', 'Today'],
    ['2026-11-27T23:50:00Z', 'UTC', 'Yesterday'],
    ['2026-11-27T23:50:00Z', 'Europe/Berlin', 'Today'],
    ['2026-11-27T18:29:00Z', 'Asia/Kolkata', 'Yesterday'],
    ['2026-11-03T12:00:00Z', 'UTC', 'Tue 3 Nov'],
    ['2025-11-03T12:00:00Z', 'UTC', 'Mon 3 Nov 2025'],
    ['nonsense', 'UTC', ''],
  ])('formats %s in %s as %s', (at, timeZone, expected) => {
    expect(formatDay(at, today, { timeZone })).toBe(expected)
  })

  it('counts the day of a clock change as one', () => {
    const monday = Date.parse('2026-10-26T00:30:00+01:00')
    expect(formatDay('2026-10-25T00:10:00+02:00', monday, { timeZone: 'Europe/Berlin' })).toBe('Yesterday')
    expect(formatDay('2026-10-24T23:50:00+02:00', monday, { timeZone: 'Europe/Berlin' })).toBe('Sat 24 Oct')
  })
})
