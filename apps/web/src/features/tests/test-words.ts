import type { AttemptStatus, RunTest } from '@caseward/client/endpoints'

import type { TestMatch, TestOutcomeFilter } from '../../search-schemas.ts'
import { formatTotalOf } from '../../ui/format-count.ts'
import type { Status } from '../../ui/status/statuses.ts'

export const attemptNames: Readonly<Record<AttemptStatus, string>> = {
  passed: 'Passed',
  failed: 'Failed',
  blocked: 'Blocked',
  interrupted: 'Interrupted',
  skipped: 'Skipped',
}

/** Attempts look like the statuses of results. An interrupted one must run again, a skipped one was not tested. */
export const attemptGlyphs: Readonly<Record<AttemptStatus, Status>> = {
  passed: 'passed',
  failed: 'failed',
  blocked: 'blocked',
  interrupted: 'retest',
  skipped: 'not_tested',
}

/** What linked a test to its test case. */
export const linkSourceWords: Readonly<Record<NonNullable<RunTest['linked_by']>, string>> = {
  id: 'Linked by the id in the report',
  key: 'Linked by an automation key',
  hand: 'Linked by hand',
  alias: 'Linked by an id of another tool in the report',
}

/** Formats the number of tests of a list. */
export const formatTestCount = (total: number): string => formatTotalOf(total, 'test')

/** What a list of tests shows. */
export interface TestView {
  readonly match: TestMatch
  readonly outcome: TestOutcomeFilter
  readonly q: string
}

export const hasTestFilter = ({ match, outcome, q }: TestView): boolean =>
  match !== 'all' || outcome !== 'all' || q.trim() !== ''

/** Says what a list shows: "14 automated tests match no test case", "3 flaky tests", "812 automated tests". */
export function describeTests({ match, outcome, q }: TestView, total: number): string {
  const adjective =
    outcome === 'all' ? 'automated' : outcome === 'flaky' ? 'flaky' : attemptNames[outcome].toLowerCase()
  const subject = formatTestCount(total).replace(/(?=tests?$)/, `${adjective} `)
  const isOne = total === 1
  const parts = [
    subject,
    ...(q.trim() === '' ? [] : [`with “${q.trim()}”`]),
    ...(match === 'unmatched' ? [isOne ? 'matches no test case' : 'match no test case'] : []),
    ...(match === 'matched' ? [isOne ? 'matches a test case' : 'match a test case'] : []),
  ]
  return parts.join(' ')
}
