import type { RunEvaluation } from '@caseward/client/endpoints'
import { describe, expect, it } from 'vitest'

import { describeRunOutcome } from './run-outcome.ts'

const evaluation = (blocking_count: number, is_current = true) =>
  ({ is_current, excluded: null, blocking_count, counts: {} }) as unknown as RunEvaluation

/** A run with failed results, failed tests, those of them without a test case, errors, and flaky tests. */
function makeRun([results, tests, unmatched, errors, flaky]: readonly number[], evaluated?: RunEvaluation) {
  return {
    stats: { passed: 4, failed: results ?? 0, blocked: 0, retest: 0, not_tested: 0 },
    test_stats: {
      total: 9,
      unmatched: 3,
      passed: 0,
      failed: tests ?? 0,
      flaky: flaky ?? 0,
      skipped: 0,
      unmatched_stats: { passed: 0, failed: unmatched ?? 0, skipped: 0 },
      errors: errors ?? 0,
    },
    ...(evaluated === undefined ? {} : { evaluation: evaluated }),
  }
}

describe('describeRunOutcome', () => {
  it.each([
    ['nothing failed', makeRun([0, 0, 0, 0], evaluation(0)), null],
    ['tests flaked', makeRun([0, 0, 0, 0, 3], evaluation(0)), ['3 flaky', false]],
    ['results by hand failed', makeRun([12, 0, 0, 0]), ['12 failed', true]],
    ['tests were not evaluated', makeRun([2, 3, 1, 1]), ['3 failed, 1 error', true]],
    ['all that failed blocks', makeRun([2, 2, 0, 0], evaluation(2)), ['2 block', true]],
    ['one of several blocks', makeRun([2, 5, 3, 0], evaluation(1)), ['1 of 5 blocks', true]],
    ['nothing blocks', makeRun([2, 5, 3, 0], evaluation(0)), ['5 failed, none blocks', false]],
    ['nothing blocks, but newer results have come', makeRun([2, 5, 3, 0], evaluation(0, false)), ['5 failed', true]],
    ['nothing blocks, but results by hand failed too', makeRun([4, 5, 3, 0], evaluation(0)), ['7 failed', true]],
    ['only an error outside of tests', makeRun([0, 0, 0, 1], evaluation(1)), ['1 blocks', true]],
  ])('when %s', (_what, run, expected) => {
    const outcome = describeRunOutcome(run)
    expect(outcome === null ? null : [outcome.text, outcome.isFailure]).toEqual(expected)
  })

  it('lists the parts in its title', () => {
    expect(describeRunOutcome(makeRun([2, 5, 3, 1, 1], evaluation(2, false)))?.title).toBe(
      '2 failed results, 3 failed tests without a test case, 1 error outside of tests, 1 flaky, 2 block, newer results are being looked at',
    )
  })
})
