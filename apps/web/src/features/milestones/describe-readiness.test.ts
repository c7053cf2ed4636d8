import { describe, expect, it } from 'vitest'

import { describePace, describeParts } from './describe-readiness.ts'

const readiness = {
  tested: 71,
  total: 100,
  failed: 12,
  failed_critical: 2,
  blocked: 3,
  pace_per_day: 5.8,
  expected_on: '2026-11-28',
}

describe('describeParts', () => {
  it('names what is tested, and what stands in the way', () => {
    expect(describeParts(readiness).map(({ words }) => words)).toEqual([
      '71 % tested',
      '12 failed',
      '2 of them critical',
      '3 blocked',
    ])
    const fine = { ...readiness, failed: 0, failed_critical: 0, blocked: 0 }
    expect(describeParts(fine).map(({ words }) => words)).toEqual(['71 % tested'])
  })
})

describe('describePace', () => {
  const start = 'At this pace, everything is tested on 28 Nov'
  it.each([
    ['2026-11-29T00:00:00.000Z', `${start}, 1 day before it is due.`],
    ['2026-11-28T00:00:00.000Z', `${start}, the day it is due.`],
    ['2026-11-25T00:00:00.000Z', `${start}, 3 days after it is due.`],
    [null, `${start}.`],
  ])('compares the expected day with the due date %s', (due, sentence) => {
    expect(describePace(readiness, due)).toBe(sentence)
  })

  it('says why there is no expected day', () => {
    expect(describePace({ ...readiness, expected_on: null }, null)).toBe('Nothing was tested in the last seven days.')
    expect(describePace({ ...readiness, tested: 100, expected_on: null }, null)).toBe('Everything is tested.')
    expect(describePace({ ...readiness, tested: 0, total: 0, expected_on: null }, null)).toMatch(/^No run/)
  })
})
