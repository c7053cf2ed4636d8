import { describe, expect, it } from 'vitest'

import { isLocalTime, readTime } from './read-time.ts'

describe('readTime', () => {
  it.each([
    ['2008-09-08 14:00:00', '2008-09-08T14:00:00.000Z'],
    ['2024-01-15T10:30:00Z', '2024-01-15T10:30:00.000Z'],
    ['2024-01-15T10:30:00.123+02:00', '2024-01-15T08:30:00.123Z'],
    ['2023-08-21 10:28:31 UTC', '2023-08-21T10:28:31.000Z'],
    ['10-Jan-2024  11:12', '2024-01-10T11:12:00.000Z'],
    ['15 Nov 2024, 11:41:12', '2024-11-15T11:41:12.000Z'],
    ['24.4.2021 11:31', '2021-04-24T11:31:00.000Z'],
    ['10/29/2022 4:30 PM', '2022-10-29T16:30:00.000Z'],
    ['29/10/2022', '2022-10-29T00:00:00.000Z'],
    ['1700000000', '2023-11-14T22:13:20.000Z'],
  ])('reads %s', (text, expected) => {
    expect(readTime(text)?.toISOString()).toBe(expected)
  })

  it.each(['', 'yesterday', '2/9/2023 4:12 PM', '2024-02-31', '2024-13-01', '2024-01-01 25:00', '0001-01-01', '12'])(
    'does not guess %j',
    (text) => {
      expect(readTime(text)).toBeNull()
    },
  )

  it('reads a date that could be either way round in the order that it is told', () => {
    expect(readTime('03/04/2025 4:30 PM', 'day_first')?.toISOString()).toBe('2025-04-03T16:30:00.000Z')
    expect(readTime('03/04/2025', 'month_first')?.toISOString()).toBe('2025-03-04T00:00:00.000Z')
    expect(readTime('10/29/2022', 'day_first')?.toISOString()).toBe('2022-10-29T00:00:00.000Z')
  })
})

it.each([
  ['2025-07-03 08:00', '2025-07-03T06:00:00.000Z'],
  ['2025-12-03 08:00:05.25', '2025-12-03T07:00:05.250Z'],
  ['3 Jul 2025 12:30', '2025-07-03T10:30:00.000Z'],
  ['2025-07-03 08:00 UTC', '2025-07-03T08:00:00.000Z'],
  ['2025-07-03T08:00:00+02:00', '2025-07-03T06:00:00.000Z'],
  ['2025-07-03', '2025-07-03T00:00:00.000Z'],
  ['1751529600', '2025-07-03T08:00:00.000Z'],
])('reads %s of Berlin', (text, expected) => {
  expect(readTime(text, null, 'Europe/Berlin')?.toISOString()).toBe(expected)
})

it('only times of a clock without a zone are local', () => {
  const texts = ['2025-07-03 08:00', '3/4/2025 8:00 AM', '2025-07-03', '2025-07-03T08:00Z', '1751529600', 'never', '']
  expect(texts.filter(isLocalTime)).toEqual(['2025-07-03 08:00', '3/4/2025 8:00 AM'])
})
