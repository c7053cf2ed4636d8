import type { AttemptDetail, SuiteError, TestAttempt } from './test-attempt.ts'
import { findFailedStatus } from './test-status.ts'

/** What the elements of a suite contain, and what its attributes say. */
export interface SuiteCounts {
  readonly declaredTests: number
  /** Failures and errors. */
  readonly declaredFailures: number
  readonly declaredErrors: number
  /** The attribute by which the suite says that it has failed; null if it does not. */
  readonly failedStatus: string | null
  tests: number
  /** Failures and errors. */
  failures: number
  errors: number
  /** How many tests and failures errors about inner suites have mentioned already. */
  missingTests: number
  missingFailures: number
  /** Inner suites that contain a failure. */
  failedSuites: number
  /** Failures of tests that are skipped, too: those that are to do, which Node does not count. */
  excusedFailures: number
}

const parseCount = (text: string | undefined): number =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : 0

export const createSuiteCounts = (attributes: Readonly<Record<string, string>>): SuiteCounts => ({
  declaredTests: parseCount(attributes['tests']),
  declaredFailures: parseCount(attributes['failures'] ?? attributes['failed']) + parseCount(attributes['errors']),
  declaredErrors: parseCount(attributes['errors']),
  failedStatus: findFailedStatus(attributes),
  tests: 0,
  failures: 0,
  errors: 0,
  missingTests: 0,
  missingFailures: 0,
  failedSuites: 0,
  excusedFailures: 0,
})

const isError = ({ kind }: AttemptDetail): boolean => kind === 'error'
const isFailure = ({ kind }: AttemptDetail): boolean => kind !== 'skipped'

/** Counts a test. Some tools declare failures, others failed tests: GoogleTest writes several failures into one test. */
export function countTest(counts: SuiteCounts, { status, details }: Pick<TestAttempt, 'status' | 'details'>): void {
  counts.tests++
  const failures = details.filter(isFailure).length
  counts.failures += Math.max(failures, status === 'failed' ? 1 : 0)
  counts.errors += details.filter(isError).length
  if (failures > 0 && failures < details.length) counts.excusedFailures += failures
}

/** Counts a failure or an error outside of tests. */
export function countSuiteFailure(counts: SuiteCounts, kind: 'failure' | 'error'): void {
  counts.failures++
  if (kind === 'error') counts.errors++
}

/**
 * Compares what a suite declares with what it contains, once its end is reached. The elements count; a suite that declares
 * more failures than it contains, or tests and contains none, or says that it failed and contains no failure, has lost some of
 * them: that is an error of the suite.
 * @param options.isGotestsum whether gotestsum has written it, whose errors are lines of standard error, such as warnings of a
 * linker: what fails is a test. Without tests, such a line may be the only sign that nothing was built
 */
export function checkDeclaredCounts(
  counts: SuiteCounts,
  { suite, line, isGotestsum }: { suite: string; line: number; isGotestsum: boolean },
): SuiteError | null {
  const { declaredTests, tests, failures } = counts
  const hasOtherErrors = (isGotestsum && tests > 0) || countsErrorsTwice(counts)
  const declaredFailures = counts.declaredFailures - (hasOtherErrors ? counts.declaredErrors : 0)
  const lostFailures = declaredFailures - failures - counts.missingFailures
  const lostTests = tests === 0 && failures === 0 ? declaredTests - counts.missingTests : 0
  const hasHiddenFailure = counts.failedStatus !== null && failures === 0 && counts.missingFailures === 0
  if (lostFailures <= 0 && lostTests <= 0 && !hasHiddenFailure) return null
  counts.missingFailures += Math.max(hasHiddenFailure ? 1 : 0, lostFailures)
  counts.missingTests += Math.max(0, lostTests)
  const found =
    lostFailures > 0
      ? `declares ${formatCount(declaredFailures, 'failure')} and contains ${failures}`
      : lostTests > 0
        ? `declares ${formatCount(declaredTests, 'test')} and contains none`
        : `says ${counts.failedStatus} and contains no failure`
  const message = `The report ${found}. Check that the report is complete.`
  return { kind: 'error', type: '', message, text: '', isTruncated: false, suite, line }
}

/** Whether the declared failures contain the declared errors, as minitest writes them: 2 failures and 1 error for two tests. */
const countsErrorsTwice = ({ declaredFailures, declaredErrors, failures, errors }: SuiteCounts): boolean =>
  errors === declaredErrors && failures === declaredFailures - declaredErrors

/** Adds the counts of an inner suite to those of the suite around it. */
export function addInnerCounts(outer: SuiteCounts, inner: SuiteCounts): void {
  outer.tests += inner.tests
  outer.failures += inner.failures
  outer.errors += inner.errors
  outer.missingTests += inner.missingTests
  outer.missingFailures += inner.missingFailures
  outer.failedSuites += inner.failedSuites + Number(inner.failures > 0)
  outer.excusedFailures += inner.excusedFailures
}

/** How many tests Node says have failed, in comments at the end of its report. */
export type NodeCounts = Map<string, number>

/** Reads a comment such as `fail 3`. Later ones replace earlier ones, which may be diagnostics of a test. */
export function readNodeCount(counts: NodeCounts, comment: string): void {
  const [, name, count] = /^ ?(fail|cancelled) (\d{1,9}) ?$/.exec(comment) ?? []
  if (name !== undefined) counts.set(name, Number(count))
}

/**
 * Compares what Node counts with its report. Its JUnit reporter writes a test with subtests as a suite, and leaves its own
 * failure out. Each suite with a failure in it may be a test that Node counts, too.
 */
export function checkNodeCounts(nodeCounts: NodeCounts, counts: SuiteCounts): SuiteError | null {
  const counted = [...nodeCounts.values()].reduce((sum, count) => sum + count, 0)
  const failures = counts.failures - counts.excusedFailures
  if (counted <= failures + counts.failedSuites) return null
  const message =
    `Node counted ${formatCount(counted, 'failed test')} and its report names ${failures}: the JUnit reporter of Node leaves out ` +
    'tests that fail by themselves when their subtests have passed. Read the output of the job, or use @caseward/node-test.'
  return { kind: 'error', type: '', message, text: '', isTruncated: false, suite: '', line: 1 }
}

const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
