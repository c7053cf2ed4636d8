import type { Run, TestStats } from '@caseward/client/endpoints'

import { formatNumberOf, formatShare } from '../../ui/format-count.ts'
import { countTested } from './count-statuses.ts'
import { getBarCounts, sumCounts } from './run-bar-counts.ts'

const UNMATCHED_OUTCOMES = ['passed', 'failed', 'skipped'] as const
type UncoveredCount = 'unmatched' | 'unmatched_stats' | 'errors'

/** Number of failed results, and of failed tests that no result stands for. */
export const countFailed = ({ stats, test_stats: tests }: Pick<Run, 'stats' | 'test_stats'>): number =>
  stats.failed + (tests.unmatched_stats?.failed ?? 0)

/** Formats errors outside of tests: "2 errors". */
export const formatErrors = (count: number): string => formatNumberOf(count, 'error')

/** Says what the tests without a test case did: "24 tests without a test case: 22 passed, 2 failed". */
export function describeUnmatched({
  unmatched,
  unmatched_stats: outcomes,
}: Pick<TestStats, 'unmatched' | 'unmatched_stats'>): string {
  const subject = `${formatNumberOf(unmatched, 'test')} without a test case`
  // Runs of earlier versions have counted only how many there are.
  if (outcomes === null) return subject
  const parts = UNMATCHED_OUTCOMES.flatMap((outcome) =>
    outcomes[outcome] === 0 ? [] : [formatNumberOf(outcomes[outcome], outcome, outcome)],
  )
  return parts.length === 0 ? subject : `${subject}: ${parts.join(', ')}`
}

/** Adds up what happened in several runs outside of results. */
export function sumUncovered(runs: readonly Pick<Run, 'test_stats'>[]): Pick<TestStats, UncoveredCount> {
  const sum = { unmatched: 0, errors: 0, unmatched_stats: { passed: 0, failed: 0, skipped: 0 } }
  let isKnown = true
  for (const { test_stats: tests } of runs) {
    sum.unmatched += tests.unmatched
    sum.errors += tests.errors
    if (tests.unmatched_stats === null) isKnown &&= tests.unmatched === 0
    else for (const outcome of UNMATCHED_OUTCOMES) sum.unmatched_stats[outcome] += tests.unmatched_stats[outcome]
  }
  return isKnown ? sum : { ...sum, unmatched_stats: null }
}

/** Returns the pass rate of a run in percent: what passed of what was tested, of its results, or of its tests without any. */
export function getPassRate(run: Pick<Run, 'stats' | 'test_stats'>): number {
  const counts = getBarCounts(run)
  const tested = countTested(counts)
  return tested === 0 ? 0 : (100 * counts.passed) / tested
}

/** Formats the pass rate of runs together, with what it leaves out: "97 %", "100 %, 2 errors". */
export function formatPassRate(runs: readonly Pick<Run, 'stats' | 'test_stats'>[]): string {
  let [passed, tested, failedTests, errors] = [0, 0, 0, 0]
  for (const run of runs) {
    const counts = getBarCounts(run)
    passed += counts.passed
    tested += countTested(counts)
    errors += run.test_stats.errors
    // Without results, the tests are counted themselves.
    if (sumCounts(run.stats) > 0) failedTests += run.test_stats.unmatched_stats?.failed ?? 0
  }
  return [
    formatShare(passed, tested),
    ...(failedTests === 0 ? [] : [`${formatNumberOf(failedTests, 'failed test')} without a test case`]),
    ...(errors === 0 ? [] : [formatErrors(errors)]),
  ].join(', ')
}
