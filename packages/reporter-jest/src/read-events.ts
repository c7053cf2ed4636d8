import type { Guard, TestAttempt } from '@caseward/reporter-core'

import { toAttempt, toAttempts, getTestFile, getTitlePath } from './to-attempt.ts'
import type { JestTestFile, JestTestResult } from './framework-types.ts'

/** Records each attempt of a file once, although Jest reports most of them twice. */
export interface FileRecorder {
  readonly file: JestTestFile
  /** Records an attempt that has ended. Jest reports no skipped tests here. */
  recordEarlyResult(result: JestTestResult): void
  /** Marks the file as one with `test.only`, whose other tests are not reported. */
  markFocused(): void
  /** Records the results at the end of the file that were not recorded before. */
  recordFinalResults(results: readonly JestTestResult[]): void
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

  /** Returns the tests with the same titles, such as the rows of a table. */
  const getTests = (result: JestTestResult): RecordedTest[] => {
    const key = JSON.stringify(getTitlePath(result))
    const tests = testsByTitle.get(key) ?? []
    testsByTitle.set(key, tests)
    return tests
  }
  const recordFinalResult = (result: JestTestResult) => {
    if (result.status === 'pending' && (hasFocusedTest || !isSelected(result))) return
    const tests = getTests(result)
    const test = tests.find(({ results, isFinal }) => !isFinal && isSameAttempt(results.at(-1), result))
    if (test !== undefined) {
      test.isFinal = true
      return
    }
    // A result that was not reported before, or with another status, for example because of a late error. It is
    // recorded as a separate test, because as another attempt an earlier pass would hide the failure.
    const index = tests.push({ results: [], isFinal: true }) - 1
    for (const attempt of toAttempts(result, { file, cwd, occurrence: index })) record(attempt)
  }
  return {
    file,
    markFocused() {
      hasFocusedTest = true
    },
    recordEarlyResult(result) {
      const tests = getTests(result)
      let index = tests.findIndex(({ results }) => isNextAttempt(results.at(-1), result))
      if (index === -1) index = tests.push({ results: [], isFinal: false }) - 1
      tests[index]?.results.push(result)
      record(toAttempt(result, { file, cwd, occurrence: index }))
    },
    recordFinalResults(finalResults) {
      for (const result of finalResults) guard(() => recordFinalResult(result), getTestFile(file, cwd))
    },
  }
}

const getAttemptNumber = ({ invocations }: JestTestResult): number => invocations ?? 1

/** Only a failed attempt is followed by another one. */
const isNextAttempt = (earlier: JestTestResult | undefined, later: JestTestResult): boolean =>
  earlier?.status === 'failed' && getAttemptNumber(later) === getAttemptNumber(earlier) + 1

const isSameAttempt = (earlier: JestTestResult | undefined, later: JestTestResult): boolean =>
  earlier !== undefined && earlier.status === later.status && getAttemptNumber(earlier) === getAttemptNumber(later)
