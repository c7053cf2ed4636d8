import { RESULT_STATUSES } from '@caseward/contract/results'
import type { StatusCounts, TestStats } from '@caseward/contract/run-schemas'
import { formatNumberOf, formatShare, formatWholeNumber } from '@caseward/matching/format-amounts'

import { statusNames } from '../exports/export-columns.ts'
import type { ReportMilestone } from './read-report.ts'
import { countResults } from './report-runs.queries.ts'

const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const minutes = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })

export const formatDay = (time: Date | string): string => days.format(new Date(time))
/** The reader may be anywhere, and the page has no script that knows where. */
export const formatTime = (time: Date | string): string => `${formatDay(time)}, ${minutes.format(new Date(time))} UTC`

export const countTested = (counts: StatusCounts): number => countResults(counts) - counts.not_tested

/** "12 passed, 3 failed"; statuses without results are left out. */
export function describeCounts(counts: StatusCounts): string {
  const parts = RESULT_STATUSES.filter((status) => counts[status] > 0)
  if (parts.length === 0) return 'No results'
  return parts.map((status) => `${formatWholeNumber(counts[status])} ${statusNames[status].toLowerCase()}`).join(', ')
}

/** What the counts mean, as sentences. */
export function describeResults(counts: StatusCounts): string {
  const total = countResults(counts)
  if (total === 0) return 'There are no results yet.'
  const tested = countTested(counts)
  if (tested === 0) return `None of ${formatNumberOf(total, 'test case')} has been tested yet.`
  const progress =
    tested === total
      ? `All ${formatNumberOf(total, 'test case')} were tested.`
      : `${formatWholeNumber(tested)} of ${formatNumberOf(total, 'test case')} were tested.`
  return `${progress} ${formatShare(counts.passed, tested)} of them passed.`
}

/** What happened besides results: tests without a test case, and errors outside of tests. */
export function describeUncovered(tests: readonly TestStats[]): string[] {
  const unmatched = tests.reduce((sum, stats) => sum + stats.unmatched, 0)
  const failed = tests.reduce((sum, stats) => sum + (stats.unmatched_stats?.failed ?? 0), 0)
  const errors = tests.reduce((sum, stats) => sum + stats.errors, 0)
  const ofFailed = failed === 0 ? '' : `, of which ${formatWholeNumber(failed)} failed`
  return [
    ...(unmatched === 0 ? [] : [`${formatNumberOf(unmatched, 'automated test')} without a test case${ofFailed}.`]),
    ...(errors === 0 ? [] : [`${formatNumberOf(errors, 'error')} outside of tests.`]),
  ]
}

/** How far a milestone is, as sentences. */
export function describeReadiness({ readiness, dueDate }: ReportMilestone): string {
  const { tested, total, failed, failed_critical: critical, blocked, expected_on: expected } = readiness
  if (total === 0) return 'No run with test cases is linked to it yet.'
  const ofCritical = critical === 0 ? '' : ` (${formatWholeNumber(critical)} of them critical)`
  const state = [
    `${formatShare(tested, total)} tested`,
    ...(failed === 0 ? [] : [`${formatWholeNumber(failed)} failed${ofCritical}`]),
    ...(blocked === 0 ? [] : [`${formatWholeNumber(blocked)} blocked`]),
  ].join(', ')
  const due = dueDate === null ? '' : ` It is due on ${formatDay(dueDate)}.`
  if (tested === total) return `${state}.${due}`
  if (expected === null) return `${state}. Nothing was tested in the last seven days.${due}`
  return `${state}. At the pace of the last seven days, everything is tested on ${formatDay(expected)}.${due}`
}
