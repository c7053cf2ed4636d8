import { describe, expect, it } from 'vitest'

import {
  formatClock,
  formatDuration,
  formatExactTime,
  formatMilliseconds,
  formatTime,
  formatTimer,
  getTimeValidMs,
} from './times.ts'

// A Sunday.
const now = Date.parse('2026-11-22T12:00:00Z')
const format = { timeZone: 'Europe/Berlin' }

describe('formatTime', () => {
  it.each([
    ['2026-11-22T11:59:30Z', 'now'],
    // The server's clock is ahead.
    ['2026-11-22T12:00:20Z', 'now'],
    ['2026-11-22T11:52:00Z', '8 min'],
    ['2026-11-22T11:00:01Z', '59 min'],
    ['2026-11-22T11:00:00Z', '1 h'],
    ['2026-11-22T00:00:01Z', '11 h'],
    ['2026-11-22T00:00:00Z', 'Sun 01:00'],
    ['2026-11-17T13:05:00Z', 'Tue 14:05'],
    ['2026-11-03T13:05:00Z', '3 Nov'],
    ['2025-11-03T13:05:00Z', '3 Nov 2025'],
    // In Berlin, it is another year.
    ['2025-12-31T23:30:00Z', '1 Jan'],
    ['2026-12-24T12:00:00Z', '24 Dec'],
    ['no time', ''],
  ])('formats %s as "%s"', (at, expected) => {
    expect(formatTime(at, now, format)).toBe(expected)
  })

  it.each([
    ['2026-11-22T11:59:30Z', 'just now'],
    ['2026-11-22T11:52:00Z', '8 min ago'],
    ['2026-11-22T09:52:00Z', '2 h ago'],
    ['2026-11-03T12:00:00Z', '3 Nov'],
  ])('writes %s in a sentence as %s', (at, expected) => {
    expect(formatTime(at, now, { ...format, isInText: true })).toBe(expected)
  })
})

describe('formatExactTime', () => {
  it('contains seconds and the time zone', () => {
    expect(formatExactTime('2026-11-03T13:05:09Z', format)).toMatch(/^Tuesday,? 3 November 2026 at 14:05:09 \S+$/)
    expect(formatExactTime('no time')).toBe('')
  })
})

describe('formatClock', () => {
  it('returns hours and minutes', () => {
    expect(formatClock(Date.parse('2026-11-22T00:05:00Z'), { timeZone: 'UTC' })).toBe('00:05')
  })
})

describe('formatDuration', () => {
  it.each([
    [0, '0 s'],
    [48.4, '48 s'],
    [59.7, '1 min'],
    [480, '8 min'],
    [3599, '1 h'],
    [7800, '2 h 10 min'],
    [3_600_000, '1,000 h'],
  ])('formats %d seconds as "%s"', (seconds, expected) => {
    expect(formatDuration(seconds)).toBe(expected)
  })
})

describe('formatMilliseconds', () => {
  it.each([
    [0, '0 ms'],
    [812.4, '812 ms'],
    [1249, '1.2 s'],
    [9960, '10 s'],
    [48_000, '48 s'],
    [480_000, '8 min'],
  ])('formats %d milliseconds as "%s"', (milliseconds, expected) => {
    expect(formatMilliseconds(milliseconds)).toBe(expected)
  })
})

describe('formatTimer', () => {
  it.each([
    [0, '00:00'],
    [84.9, '01:24'],
    [3723, '1:02:03'],
    [-1, '00:00'],
  ])('formats %d seconds as "%s"', (seconds, expected) => {
    expect(formatTimer(seconds)).toBe(expected)
  })
})

describe('getTimeValidMs', () => {
  it.each([
    '2026-11-22T11:59:30Z',
    '2026-11-22T11:52:10Z',
    '2026-11-22T11:00:01Z',
    '2026-11-22T09:30:00Z',
    '2026-11-17T13:05:00Z',
  ])('returns when the text of %s changes', (at) => {
    const valid = getTimeValidMs(at, now)
    const text = formatTime(at, now, format)
    expect(formatTime(at, now + valid - 1, format)).toBe(text)
    expect(formatTime(at, now + valid, format)).not.toBe(text)
  })
})
