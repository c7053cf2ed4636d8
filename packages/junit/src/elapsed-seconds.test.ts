import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseElapsedSeconds } from './elapsed-seconds.ts'

describe('parseElapsedSeconds', () => {
  it.each([
    ['0', 0],
    ['0.0012345', 0.0012345],
    ['12.', 12],
    ['.5', 0.5],
    [' 7 ', 7],
    ['1e-3', 0.001],
    ['1.4e-05', 0.000014],
    ['1E3', 1000],
    ['1,234.5', 1234.5],
    ['1,234', 1234],
    ['12,345,678.9', 12_345_678.9],
    ['1.234,5', 1234.5],
    ['1 234.5', 1234.5],
    ["1'234", 1234],
    ['1\u00a0234,5', 1234.5],
    ['1\u202f234,5', 1234.5],
    ['0,123', 0.123],
    ['12,5', 12.5],
  ])('parses %j as %d seconds', (time, seconds) => {
    expect(parseElapsedSeconds(time)).toBe(seconds)
  })

  it.each([
    undefined,
    '',
    ' ',
    '<<computed>>',
    '{duration}',
    'NaN',
    'Infinity',
    '-1',
    '-0.5',
    'abc',
    '12s',
    '00:01:02.5',
    '1_000',
    '0x10',
    ' 0x10',
    '0b1',
    '.',
    '1.2.3',
    '99999999999999999999',
    '1e400',
    '1,2,3',
    `${'1'.repeat(1000)}x`,
  ])('returns null for %j', (time) => {
    expect(parseElapsedSeconds(time)).toBeNull()
  })

  it('parses every plain decimal like Number', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[01]?\d{1,9}\.\d{0,14}$/), (time) => {
        expect(parseElapsedSeconds(time)).toBe(Number(time))
      }),
      { numRuns: 1000 },
    )
  })

  it('parses every number in the format of JavaScript', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 2 ** 31 - 1, noNaN: true }), (seconds) => {
        expect(parseElapsedSeconds(String(seconds))).toBe(Math.abs(seconds))
      }),
    )
  })
})
