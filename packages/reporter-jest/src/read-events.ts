import type { Guard, TestAttempt } from '@caseward/reporter-core'

import { toAttempt, toAttempts, getTestFile, getTitlePath } from './to-attempt.ts'
import type { JestError, JestTestFile, JestTestResult, JestTestStart } from './framework-types.ts'

/** Records each attempt of a file once, although Jest reports most of them twice. */
export interface FileRecorder {
  readonly file: JestTestFile
  /** Remembers a test that has begun. */
  start(test: JestTestStart): void
  /** Records an attempt that has ended. Jest reports no skipped tests here. */
  recordEarlyResult(result: JestTestResult): void
  /** Marks the file as one with `test.only`, whose other tests are not reported. */
  markFocused(): void
  /** Records the results at the end of the file that were not recorded before. */
  recordFinalResults(results: readonly JestTestResult[]): void
  /** Records the tests that had begun and have no result as failed: their worker process was killed. */
  recordUnfinished(error: JestError): void
}

/** A test with its results so far. */
interface RecordedTest {
  readonly results: JestTestResult[]
  isFinal: boolean
}

/**
 * @param isSelected whether a test matches `--testNamePattern`; Jest reports the others as skipped
 * @param guard records the results that cannot be read, one at a time
 */
export function createFileRecorder(
  file: JestTestFile,
  cwd: string,
  isSelected: (result: JestTestResult) => boolean,
  record: (attempt: TestAttempt) => void,
  guard: Guard,
): FileRecorder {
  const testsByTitle = new Map<string, RecordedTest[]>()
  let hasFocusedTest = false
  let unfinished: JestTestStart[] = []

  /** Returns the tests with the same titles, such as the rows of a table. */
  const getTests = (result: JestTestResult): RecordedTest[] => {
    const key = JSON.stringify(getTitlePath(result))
    const tests = testsByTitle.get(key) ?? []
    testsByTitle.set(key, tests)
    return tests
  }
  /** @param unmatched receives the results that match none of those that were reported before */
  const matchFinalResult = (result: JestTestResult, unmatched: JestTestResult[]) => {
    if (result.status === 'pending' && (hasFocusedTest || !isSelected(result))) return
    const tests = getTests(result)
    const test = tests.find(({ results, isFinal }) => !isFinal && isSameAttempt(results.at(-1), result))
    if (test !== undefined) {
      test.isFinal = true
      return
    }
    unmatched.push(result)
  }
  /** Records a result that was not reported before, or as passed before an error that was thrown later. */
  const recordUnmatched = (result: JestTestResult) => {
    const tests = getTests(result)
    const lateIndex = tests.findIndex(({ results, isFinal }) => !isFinal && isLateFailure(results.at(-1), result))
    const test = tests[lateIndex]
    if (test === undefined) {
      const occurrence = tests.push({ results: [], isFinal: true }) - 1
      for (const attempt of toAttempts(result, { file, cwd, occurrence })) record(attempt)
      return
    }
    test.isFinal = true
    record({ ...toAttempt(result, { file, cwd, occurrence: lateIndex }), replacesResult: true })
  }
  const recordEarlyResult = (result: JestTestResult) => {
    unfinished = removeFirst(unfinished, (test) => hasSameTitles(test, result))
    const tests = getTests(result)
    let index = tests.findIndex(({ results }) => isNextAttempt(results.at(-1), result))
    if (index === -1) index = tests.push({ results: [], isFinal: false }) - 1
    tests[index]?.results.push(result)
    record(toAttempt(result, { file, cwd, occurrence: index }))
  }
  return {
    file,
    markFocused() {
      hasFocusedTest = true
    },
    start(test) {
      unfinished.push(test)
    },
    recordEarlyResult,
    recordFinalResults(finalResults) {
      const unmatched: JestTestResult[] = []
      for (const result of finalResults) guard(() => matchFinalResult(result, unmatched), getTestFile(file, cwd))
      for (const result of unmatched) guard(() => recordUnmatched(result), getTestFile(file, cwd))
    },
    recordUnfinished({ message }) {
      const failureMessages = [typeof message === 'string' ? message : 'The worker process ended.']
      for (const { ancestorTitles, title } of unfinished) {
        recordEarlyResult({ ancestorTitles, title, status: 'failed', failureMessages })
      }
    },
  }
}

const hasSameTitles = (test: JestTestStart, result: JestTestResult): boolean =>
  JSON.stringify(getTitlePath(test)) === JSON.stringify(getTitlePath(result))

function removeFirst<T>(items: readonly T[], isMatch: (item: T) => boolean): T[] {
  const index = items.findIndex(isMatch)
  return items.filter((_, position) => position !== index)
}

const getAttemptNumber = ({ invocations }: JestTestResult): number => invocations ?? 1

/** Only a failed attempt is followed by another one. */
const isNextAttempt = (earlier: JestTestResult | undefined, later: JestTestResult): boolean =>
  earlier?.status === 'failed' && getAttemptNumber(later) === getAttemptNumber(earlier) + 1

const isSameAttempt = (earlier: JestTestResult | undefined, later: JestTestResult): boolean =>
  earlier !== undefined && earlier.status === later.status && getAttemptNumber(earlier) === getAttemptNumber(later)

/** An error that is thrown after a test has passed fails the same attempt. */
const isLateFailure = (earlier: JestTestResult | undefined, later: JestTestResult): boolean =>
  earlier?.status === 'passed' && later.status === 'failed' && getAttemptNumber(earlier) === getAttemptNumber(later)
