import type { Run } from '@caseward/client/endpoints'

import { formatCount, formatNumberOf } from '../../ui/format-count.ts'
import { countFailed, formatErrors } from './run-counts.ts'

/** What a list says about the failures of a run. */
export interface RunOutcome {
  readonly text: string
  /** Its parts, shown under the pointer. */
  readonly title: string
  /** Whether something failed in the end. */
  readonly hasFailed: boolean
  /** Whether it stands out: something blocks, or nothing says that it does not. */
  readonly isFailure: boolean
}

/**
 * Says in a few words what failed in a run: "2 block", "2 of 8 block", "6 failed, none blocks"; without an evaluation, as of
 * results by hand, "12 failed"; "3 flaky" if nothing failed in the end. Null if all is well.
 */
export function describeRunOutcome(run: Pick<Run, 'stats' | 'test_stats' | 'evaluation'>): RunOutcome | null {
  const failed = countFailed(run)
  const { errors, flaky } = run.test_stats
  const { evaluation } = run
  const blocking = evaluation?.blocking_count ?? 0
  if (failed + errors + blocking + flaky === 0) return null
  const title = [
    ...describeFailed(run),
    ...(errors === 0 ? [] : [`${formatErrors(errors)} outside of tests`]),
    ...(flaky === 0 ? [] : [`${formatCount(flaky)} flaky`]),
    ...(evaluation === undefined ? [] : [blocking === 0 ? 'none blocks' : `${formatCount(blocking)} block`]),
    ...(evaluation?.is_current === false ? ['newer results are being looked at'] : []),
  ].join(', ')
  if (failed + errors + blocking === 0)
    return { text: `${formatCount(flaky)} flaky`, title, hasFailed: false, isFailure: false }
  // Results by hand have no verdict.
  const byHand = run.stats.failed - (run.test_stats.failed - (run.test_stats.unmatched_stats?.failed ?? 0))
  if (evaluation?.is_current === true && blocking === 0 && byHand <= 0) {
    return { text: `${formatCount(failed)} failed, none blocks`, title, hasFailed: true, isFailure: false }
  }
  if (blocking > 0) {
    const verb = blocking === 1 ? 'blocks' : 'block'
    const text =
      failed > blocking
        ? `${formatCount(blocking)} of ${formatCount(failed)} ${verb}`
        : `${formatCount(blocking)} ${verb}`
    return { text, title, hasFailed: true, isFailure: true }
  }
  const text = [
    ...(failed === 0 ? [] : [`${formatCount(failed)} failed`]),
    ...(errors === 0 ? [] : [formatErrors(errors)]),
  ]
  return { text: text.join(', '), title, hasFailed: true, isFailure: true }
}

function describeFailed(run: Pick<Run, 'stats' | 'test_stats'>): string[] {
  const tests = countFailed(run) - run.stats.failed
  return [
    ...(run.stats.failed === 0 ? [] : [formatNumberOf(run.stats.failed, 'failed result')]),
    ...(tests === 0 ? [] : [`${formatNumberOf(tests, 'failed test')} without a test case`]),
  ]
}
