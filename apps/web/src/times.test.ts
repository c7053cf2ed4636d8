import { expect, it } from 'vitest'

import { formatDuration, formatTime, getTimeUntilChange } from './times.ts'

const now = new Date('2026-11-20T14:05:00Z')

it.each([
  ['2026-11-20T14:04:30Z', 'now'],
  ['2026-11-20T14:05:20Z', 'now'],
  ['2026-11-20T13:57:00Z', '8 min'],
  ['2026-11-20T13:05:01Z', '59 min'],
  ['2026-11-20T11:05:00Z', '3 h'],
  ['2026-11-17T14:05:00Z', 'Tue 14:05'],
  ['2026-11-03T14:05:00Z', '3 Nov'],
  ['2025-11-03T14:05:00Z', '3 Nov 2025'],
  ['2026-11-25T14:05:00Z', '25 Nov'],
])('formats %s as %s', (at, text) => {
  expect(formatTime(new Date(at), now, { locale: 'en-GB', timeZone: 'UTC' })).toBe(text)
})

it('writes the time as the language of the browser does', () => {
  const at = new Date('2026-11-17T14:05:00Z')
  expect(formatTime(at, now, { locale: 'en-US', timeZone: 'America/New_York' })).toMatch(/^Tue 09:05\sAM$/)
})

it('changes the text after the rest of the minute, later after the rest of the hour', () => {
  expect(getTimeUntilChange(new Date('2026-11-20T14:04:40Z'), now)).toBe(40_000)
  expect(getTimeUntilChange(new Date('2026-11-20T11:35:00Z'), now)).toBe(30 * 60_000)
})

it.each([
  [8.4, '8 s'],
  [84, '1 min 24 s'],
  [120, '2 min'],
  [7800, '2 h 10 min'],
])('formats %f seconds as %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text)
})
