import type { AttemptDetail, SuiteError, TestAttempt } from './test-attempt.ts'

/** What the elements of a suite contain, and what its attributes say. */
export interface SuiteCounts {
  readonly declaredTests: number
  /** Failures and errors. */
  readonly declaredFailures: number
  readonly declaredErrors: number
  tests: number
  failures: number
  /** How many tests and failures errors about inner suites have mentioned already. */
  missingTests: number
  missingFailures: number
}

const parseCount = (text: string | undefined): number =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : 0

export const createSuiteCounts = ({ tests, failures, errors }: Readonly<Record<string, string>>): SuiteCounts => ({
  declaredTests: parseCount(tests),
  declaredFailures: parseCount(failures) + parseCount(errors),
  declaredErrors: parseCount(errors),
  tests: 0,
  failures: 0,
  missingTests: 0,
  missingFailures: 0,
})

const isFailure = ({ kind }: AttemptDetail): boolean => kind !== 'skipped'

/** Counts a test. Some tools declare failures, others failed tests: GoogleTest writes several failures into one test. */
export function countTest(counts: SuiteCounts, { status, details }: Pick<TestAttempt, 'status' | 'details'>): void {
  counts.tests++
  counts.failures += Math.max(details.filter(isFailure).length, status === 'failed' ? 1 : 0)
}

/**
 * Compares what a suite declares with what it contains, once its end is reached. The elements count; a suite that declares
 * more failures than it contains, or tests and contains none, has lost some of them: that is an error of the suite.
 * @param options.isGotestsum whether gotestsum has written it, whose errors are lines of standard error, such as warnings of a
 * linker: what fails is a test. Without tests, such a line may be the only sign that nothing was built
 */
export function checkDeclaredCounts(
  counts: SuiteCounts,
  { suite, line, isGotestsum }: { suite: string; line: number; isGotestsum: boolean },
): SuiteError | null {
  const { declaredTests, tests, failures } = counts
  const declaredFailures = counts.declaredFailures - (isGotestsum && tests > 0 ? counts.declaredErrors : 0)
  const lostFailures = declaredFailures - failures - counts.missingFailures
  const lostTests = tests === 0 && failures === 0 ? declaredTests - counts.missingTests : 0
  if (lostFailures <= 0 && lostTests <= 0) return null
  counts.missingFailures += Math.max(0, lostFailures)
  counts.missingTests += Math.max(0, lostTests)
  const message =
    lostFailures > 0
      ? `The report declares ${formatCount(declaredFailures, 'failure')} and contains ${failures}. Check that the report is complete.`
      : `The report declares ${formatCount(declaredTests, 'test')} and contains none. Check that the report is complete.`
  return { kind: 'error', type: '', message, text: '', isTruncated: false, suite, line }
}

/** Adds the counts of an inner suite to those of the suite around it. */
export function addInnerCounts(outer: SuiteCounts, inner: SuiteCounts): void {
  outer.tests += inner.tests
  outer.failures += inner.failures
  outer.missingTests += inner.missingTests
  outer.missingFailures += inner.missingFailures
}

const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
