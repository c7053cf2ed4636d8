import { describe, expect, it } from 'vitest'

import { toLocalDay } from '../../charts/days.ts'
import { addDays, getEndLimits, splitBranches, toEnd } from './quarantine-end.ts'

const now = new Date(2026, 10, 28, 14, 30)

describe('the end of a quarantine', () => {
  it('is at most 30 days ahead, and at most 90 days after it began', () => {
    const { first, last } = getEndLimits(now, now)
    expect([toLocalDay(first), toLocalDay(last)]).toEqual(['2026-11-29', '2026-12-28'])
    expect(toLocalDay(getEndLimits(now, addDays(now, -80)).last)).toBe('2026-12-08')
    expect(toLocalDay(getEndLimits(now, addDays(now, -40)).last)).toBe('2026-12-28')
  })

  it('is on the chosen day at the present time of day, and none for another day', () => {
    const limits = getEndLimits(now, now)
    expect(toEnd('2026-12-05', now, limits)).toEqual(new Date(2026, 11, 5, 14, 30))
    expect(toEnd('2026-12-28', now, limits)).toEqual(limits.last)
    for (const day of ['', '2026-11-28', '2026-12-29', 'x']) expect(toEnd(day, now, limits)).toBe(null)
    // It began at another time of day.
    const old = getEndLimits(now, addDays(new Date(2026, 10, 28, 9, 0), -80))
    expect(toEnd('2026-12-08', now, old)).toEqual(new Date(2026, 11, 8, 9, 0))
  })
})

it('splits branch patterns at commas and lines, each once', () => {
  expect(splitBranches(' main, release/*,\nmain,,')).toEqual(['main', 'release/*'])
})
