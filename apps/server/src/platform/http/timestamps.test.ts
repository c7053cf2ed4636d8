import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { parseTimestamp, presentTime } from './timestamps.ts'

const toIso = (text: string) => {
  const parsed = parseTimestamp(text)
  return parsed === null ? null : presentTime(parsed)
}

describe('parseTimestamp', () => {
  it('parses every time that presentTime formats', () => {
    const times = fc.date({ min: new Date('0101-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(times, (time) => {
        expect(parseTimestamp(presentTime(time))).toEqual(time)
      }),
    )
  })

  it('parses any offset', () => {
    const times = fc.date({ min: new Date('1971-01-01'), max: new Date('2999-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(times, fc.integer({ min: -1439, max: 1439 }), (time, minutes) => {
        const local = new Date(time.getTime() + minutes * 60_000).toISOString().slice(0, -1)
        const pad = (number: number) => String(number).padStart(2, '0')
        const size = Math.abs(minutes)
        const offset = `${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`
        expect(parseTimestamp(local + offset)).toEqual(time)
      }),
    )
  })

  it.each([
    ['2026-11-21', '2026-11-21T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-11-21T09:30:00Z', '2026-11-21T09:30:00.000Z'],
    ['2026-11-21t09:30:00z', '2026-11-21T09:30:00.000Z'],
    ['2026-11-21 09:30:00Z', '2026-11-21T09:30:00.000Z'],
    ['2026-11-21T09:30:00.5Z', '2026-11-21T09:30:00.500Z'],
    ['2026-11-21T09:30:00.123456789Z', '2026-11-21T09:30:00.123Z'],
    ['2026-11-21T00:30:00+05:30', '2026-11-20T19:00:00.000Z'],
    ['2026-11-21T09:30:00-00:00', '2026-11-21T09:30:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
  ])('parses %s as %s', (text, time) => {
    expect(toIso(text)).toBe(time)
  })

  it.each([
    [''],
    ['now'],
    ['2026'],
    ['2026-11'],
    ['21.11.2026'],
    ['2026-11-21T09:30:00'],
    ['2026-11-21T24:00:00Z'],
    ['2026-11-21T09:60:00Z'],
    ['2026-11-21T09:30:61Z'],
    ['2026-11-21T09:30:00+24:00'],
    ['2026-11-21T09:30:00+0200'],
    ['2026-02-29'],
    ['2026-02-31T00:00:00Z'],
    ['2026-13-01'],
    ['2026-00-10'],
    ['2026-01-00'],
    ['0000-01-01'],
    ['-2026-01-01'],
    ['+12026-01-01'],
    ['2026-11-21T09:30:00Z\n'],
    [' 2026-11-21'],
    ['9999-12-31T23:59:59-23:59'],
    ['1732181400'],
  ])('returns null for %j', (text) => {
    expect(parseTimestamp(text)).toBeNull()
  })

  it('returns null for a time whose year in UTC does not have four digits', () => {
    const text = fc.stringMatching(/^(?:00[0-9]{2}|9999)-[01][0-9]-[0-3][0-9]T[0-2][0-9]:00:00[+-][0-2][0-9]:00$/)
    fc.assert(
      fc.property(text, (timestamp) => (toIso(timestamp) ?? '2000-').match(/^\d{4}-/) !== null),
      { numRuns: 1000 },
    )
  })
})
