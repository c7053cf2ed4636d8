import { describe, expect, it } from 'vitest'

import { describeTests, formatTestCount } from './test-words.ts'

const all = { match: 'all', outcome: 'all', q: '' } as const

describe('describeTests', () => {
  it.each([
    [all, 812, '812 automated tests'],
    [all, 1, '1 automated test'],
    [{ ...all, match: 'unmatched' }, 14, '14 automated tests match no test case'],
    [{ ...all, match: 'unmatched' }, 1, '1 automated test matches no test case'],
    [{ ...all, match: 'matched', outcome: 'failed' }, 2, '2 failed tests match a test case'],
    [{ ...all, outcome: 'flaky', q: ' card ' }, 5, '5 flaky tests with “card”'],
  ] as const)('says what %o shows', (view, total, expected) => {
    expect(describeTests(view, total)).toBe(expected)
  })

  it('says that there are more than the server counts', () => {
    expect([formatTestCount(9999), formatTestCount(10_000)]).toEqual(['9,999 tests', '10,000+ tests'])
    expect(describeTests(all, 10_000)).toBe('10,000+ automated tests')
  })
})
