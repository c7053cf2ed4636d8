import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { createLocalClock, isTimeZone, requireTimeZone } from './time-zones.ts'

describe('isTimeZone', () => {
  it('knows names of time zones', () => {
    expect(['UTC', 'Europe/Berlin', 'Asia/Kathmandu'].every(isTimeZone)).toBe(true)
    expect(['', 'Mars/Olympus', 'x'.repeat(60)].some(isTimeZone)).toBe(false)
    expect(() => requireTimeZone('Mars')).toThrow('must be a time zone')
  })
})

describe('the clock of a time zone', () => {
  it('begins days at local midnight, also in the nights of a clock change', () => {
    const find = (timeZone: string, day: string) => createLocalClock(timeZone).findMidnight(day).toISOString()
    expect(find('Europe/Berlin', '2026-03-29')).toBe('2026-03-28T23:00:00.000Z')
    expect(find('Europe/Berlin', '2026-03-30')).toBe('2026-03-29T22:00:00.000Z')
    expect(find('Europe/Berlin', '2026-10-25')).toBe('2026-10-24T22:00:00.000Z')
    expect(find('Europe/Berlin', '2026-10-26')).toBe('2026-10-25T23:00:00.000Z')
    expect(find('Asia/Kolkata', '2026-11-21')).toBe('2026-11-20T18:30:00.000Z')
    // The clocks of Beirut skip midnight in spring, and those of Havana show it twice in autumn.
    expect(find('Asia/Beirut', '2026-03-29')).toBe('2026-03-28T22:00:00.000Z')
    expect(find('America/Havana', '2026-11-01')).toBe('2026-11-01T04:00:00.000Z')
  })

  it('divides time into days without a gap', () => {
    const zones = fc.constantFrom(
      'UTC',
      'Europe/Berlin',
      'Asia/Kolkata',
      'America/Havana',
      'Asia/Beirut',
      'Pacific/Auckland',
    )
    const times = fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
    const property = fc.property(zones, times, (zone, at) => {
      const clock = createLocalClock(zone)
      const begin = clock.findMidnight(clock.formatDay(at))
      expect(begin.getTime()).toBeLessThanOrEqual(at.getTime())
      expect(clock.formatDay(begin)).toBe(clock.formatDay(at))
      expect(clock.formatDay(new Date(begin.getTime() - 1))).not.toBe(clock.formatDay(at))
      expect(clock.getHour(at)).toBe(
        Number(new Intl.DateTimeFormat('en', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' }).format(at)),
      )
    })
    fc.assert(property, { numRuns: 300 })
  })
})
