import { afterEach, describe, expect, it } from 'vitest'

import { chooseTicks, formatFullDay, getMidnight, listDays, listLastDays, shiftDay, toLocalDay } from './days.ts'

const zone = process.env['TZ']
afterEach(() => {
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
})

describe.each(['Europe/Berlin', 'Asia/Kolkata', 'America/New_York'])('days in %s', (timeZone) => {
  it('begin at local midnight, and follow each other in the nights of clock changes', () => {
    process.env['TZ'] = timeZone
    for (const [first, last] of [
      ['2026-03-27', '2026-03-30'],
      ['2026-10-23', '2026-11-03'],
    ] as const) {
      const days = listDays(first, last)
      expect(new Set(days).size).toBe(days.length)
      for (const day of days) {
        expect(toLocalDay(getMidnight(day))).toBe(day)
        expect(toLocalDay(new Date(getMidnight(day).getTime() - 1))).toBe(shiftDay(day, -1))
      }
    }
    expect(listLastDays(7, new Date(2026, 10, 28, 0, 30))).toEqual(listDays('2026-11-22', '2026-11-28'))
  })
})

it('ticks have room, and name the year where it changes', () => {
  const days = listDays('2026-12-20', '2027-01-10')
  expect(chooseTicks(days, 16).map(({ label }) => label)).toEqual(['20 Dec', '24 Dec', '28 Dec', '1 Jan 2027', '5 Jan'])
  expect(chooseTicks(days, 100)).toHaveLength(days.length)
  expect(formatFullDay('2026-11-28')).toBe('Sat 28 Nov 2026')
})
