import { describe, expect, it } from 'vitest'

import { getBarCounts } from './run-bar-counts.ts'
import { countFailed, describeUnmatched, formatPassRate, sumUncovered } from './run-counts.ts'

const noTests = { total: 0, unmatched: 0, passed: 0, failed: 0, flaky: 0, skipped: 0, unmatched_stats: null, errors: 0 }
const noResults = { passed: 0, failed: 0, blocked: 0, retest: 0, not_tested: 0 }

/** A run with 4 passed results, unless said otherwise, and its tests. */
const makeRun = (tests: Partial<typeof noTests> | object = {}, passed = 4, failed = 0) => ({
  stats: { ...noResults, passed, failed },
  test_stats: { ...noTests, ...tests },
})
const unmatched = { total: 24, unmatched: 24, passed: 22, failed: 2 }
const outcomes = { unmatched_stats: { passed: 22, failed: 2, skipped: 0 } }

describe('getBarCounts', () => {
  it('returns the tests of a run without results', () => {
    expect(getBarCounts(makeRun(unmatched, 0))).toEqual({ ...noResults, passed: 22, failed: 2 })
  })

  it('returns the results of a run that has some', () => {
    expect(getBarCounts(makeRun(unmatched))).toEqual({ ...noResults, passed: 4 })
  })
})

describe('countFailed', () => {
  it('adds failed tests without a test case to failed results', () => {
    const run = makeRun({ ...unmatched, ...outcomes })
    expect(countFailed({ ...run, stats: { ...run.stats, failed: 1 } })).toBe(3)
  })
})

describe('describeUnmatched', () => {
  it.each([
    [{ ...unmatched, ...outcomes }, '24 tests without a test case: 22 passed, 2 failed'],
    [{ unmatched: 1, unmatched_stats: { passed: 0, failed: 0, skipped: 1 } }, '1 test without a test case: 1 skipped'],
    [{ unmatched: 3 }, '3 tests without a test case'],
  ])('describes %o', (tests, words) => {
    expect(describeUnmatched({ ...noTests, ...tests })).toBe(words)
  })
})

describe('formatPassRate', () => {
  it.each([
    ['all results passed', makeRun(), '100 %'],
    ['there are errors', makeRun({ errors: 2 }), '100 %, 2 errors'],
    [
      'tests without a test case failed',
      makeRun({ ...unmatched, ...outcomes }),
      '100 %, 2 failed tests without a test case',
    ],
    ['there are tests only', makeRun({ ...unmatched, ...outcomes, errors: 1 }, 0), '92 %, 1 error'],
    ['one result of 1,000 failed', makeRun({}, 999, 1), '99 %'],
  ])('formats the rate if %s', (_, run, words) => {
    expect(formatPassRate([run])).toBe(words)
  })

  it('weighs each run by what was tested in it', () => {
    expect(formatPassRate([makeRun({}, 97, 1), makeRun({ errors: 1 }, 1, 1)])).toBe('98 %, 1 error')
  })
})

describe('sumUncovered', () => {
  it('adds up tests without a test case and errors of several runs', () => {
    const runs = [
      makeRun({ ...unmatched, ...outcomes }),
      makeRun({ errors: 2 }),
      makeRun({ ...unmatched, ...outcomes }),
    ]
    expect(sumUncovered(runs)).toEqual({
      unmatched: 48,
      errors: 2,
      unmatched_stats: { passed: 44, failed: 4, skipped: 0 },
    })
  })

  it('knows no outcomes if those of a run are unknown', () => {
    expect(sumUncovered([makeRun({ ...unmatched, ...outcomes }), makeRun(unmatched)])).toMatchObject({
      unmatched: 48,
      unmatched_stats: null,
    })
  })
})
