import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { formatEstimate, parseEstimate } from './estimate-text.ts'

describe('estimates', () => {
  it.each([
    ['', null],
    ['90s', 90],
    ['15m', 900],
    ['1h 30m', 5400],
    ['1h30m', 5400],
    ['2 hours, 5 minutes and 10 seconds', 7510],
    ['90 min', 5400],
    ['1.5 H', 5400],
    ['0:05:00', 300],
    ['100:00:00', 360_000],
  ])('reads %j', (text, seconds) => {
    expect(parseEstimate(text)).toBe(seconds)
  })

  it.each(['90', '1d', '30m 1h', '5m 5m', 'soon', '-5m', '1:30', '1e3s', '5 m!', '0.0001s'])('refuses %j', (text) => {
    expect(parseEstimate(text)).toMatch(/^(cannot be read|must be at least)/)
  })

  it('refuses zero and more than 100 days', () => {
    expect(parseEstimate('0m')).toBe('must be at least one second')
    expect(parseEstimate('2400h')).toBe(8_640_000)
    expect(parseEstimate('2400h 1s')).toBe('is too long: the maximum is 2400h')
  })

  it('are the same after writing and reading', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8_640_000 }), (seconds) => {
        expect(parseEstimate(formatEstimate(seconds))).toBe(seconds)
      }),
    )
  })
})
