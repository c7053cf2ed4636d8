import type { AttemptDetail, TestAttempt } from '@caseward/junit'
import { TRUNCATION_MARK } from '@caseward/matching/note'
import {
  combineOutcomes,
  describeAttempts,
  joinNotes,
  type TestOutcome,
  type ResultStatus,
  sumSeconds,
} from '@caseward/matching/outcome'

import { getFullName, type ReportedTest } from './group-attempts.ts'

/** A test that matches a test case, with its outcome. */
export interface TestWithOutcome {
  test: ReportedTest
  outcome: TestOutcome
}

/**
 * The outcome of a test over all its attempts: any pass wins, then any failure. The note contains the number of attempts
 * when there are several.
 */
export function getTestOutcome({ attempts }: Pick<ReportedTest, 'attempts'>): TestOutcome {
  const [first] = attempts
  if (attempts.length === 1 && first !== undefined && first.details.length === 0) return getPlainOutcome(first)
  const deciding =
    attempts.find((attempt) => attempt.status === 'passed') ??
    attempts.find((attempt) => attempt.status === 'failed') ??
    first
  const status = deciding === undefined || deciding.status === 'skipped' ? 'not_tested' : deciding.status
  return {
    status,
    note: joinNotes(formatNotes(status, attempts, deciding)),
    seconds: sumSeconds(attempts.map((attempt) => attempt.elapsedSeconds)),
  }
}

/** Formats the number of attempts, then the details of each attempt, the deciding one first. */
function* formatNotes(
  status: ResultStatus,
  attempts: readonly TestAttempt[],
  deciding: TestAttempt | undefined,
): Generator<string> {
  yield describeRetries(status, attempts)
  for (const { details } of moveToFront(attempts, deciding)) {
    for (const detail of details) yield formatDetail(detail)
  }
}

/** The outcome of several different tests that match one test case. */
export const combineTests = (testsWithOutcome: readonly TestWithOutcome[]): TestOutcome =>
  combineOutcomes(testsWithOutcome.map(({ test, outcome }) => ({ name: getFullName(test), outcome })))

/** The fast path for nearly every test of a report: one attempt without details. */
const getPlainOutcome = ({ status, elapsedSeconds }: TestAttempt): TestOutcome => ({
  status: status === 'skipped' ? 'not_tested' : status,
  note: null,
  seconds: elapsedSeconds,
})

const moveToFront = (attempts: readonly TestAttempt[], first: TestAttempt | undefined): TestAttempt[] =>
  first === undefined ? [...attempts] : [first, ...attempts.filter((attempt) => attempt !== first)]

function describeRetries(status: ResultStatus, attempts: readonly TestAttempt[]): string {
  // Surefire writes all attempts into one <testcase>: each flaky or rerun element is one more attempt.
  const nested = attempts.flatMap((attempt) => attempt.details.filter(({ kind }) => /^(?:flaky|rerun)/.test(kind)))
  const failedCount = nested.length + attempts.filter((attempt) => attempt.status === 'failed').length
  return describeAttempts(status, attempts.length + nested.length, failedCount)
}

const detailLabels: Record<AttemptDetail['kind'], string> = {
  failure: '',
  error: '',
  skipped: 'Skipped: ',
  flakyFailure: 'Failed attempt: ',
  flakyError: 'Failed attempt: ',
  rerunFailure: 'Another attempt: ',
  rerunError: 'Another attempt: ',
}

/** Formats type, message and text. Type and message are left out when the text contains them. */
function formatDetail({ kind, type, message, text, isTruncated }: AttemptDetail): string {
  const body = text.trim()
  const headings = [type.trim(), message.trim()].filter((part) => part !== '' && !body.includes(part))
  const content = [headings.join(': '), body].filter((part) => part !== '').join('\n')
  return content === '' ? '' : detailLabels[kind] + content + (isTruncated ? TRUNCATION_MARK : '')
}
