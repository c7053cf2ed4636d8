import type { ResultStatus } from '@caseward/client/endpoints'

import { formatDuration } from '../../times.ts'
import { formatNumberOf } from '../../ui/format-count.ts'

/** What the tests of a run that are still to do take. */
export interface TimeLeft {
  /** "About 3 h 20 min left" */
  readonly text: string
  /** How many of the test cases have no estimate; empty if all have one. */
  readonly hint: string
}

interface Estimated {
  readonly status?: ResultStatus
  readonly estimate?: number | null
}

/** Adds up estimates. Returns null if there is none. */
export function sumEstimates(items: readonly Estimated[]): { seconds: number; missing: number } | null {
  const estimates = items.flatMap(({ estimate }) => estimate ?? [])
  if (estimates.length === 0) return null
  return { seconds: estimates.reduce((sum, seconds) => sum + seconds, 0), missing: items.length - estimates.length }
}

/** Says how long what is not tested, or to be tested again, takes. Returns null if none of it has an estimate. */
export function describeTimeLeft(rows: readonly Estimated[]): TimeLeft | null {
  const sum = sumEstimates(rows.filter(({ status }) => status === 'not_tested' || status === 'retest'))
  if (sum === null) return null
  return { text: `About ${formatDuration(sum.seconds)} left`, hint: describeMissing(sum.missing) }
}

export const describeMissing = (count: number): string =>
  count === 0 ? '' : `${formatNumberOf(count, 'test case')} without an estimate`
