import type { TestAttempt } from '@caseward/reporter-core'

import { toAttempt, toAttempts, getTitlePath } from './to-attempt.ts'
import type { JestTestFile, JestTestResult } from './jest-results.ts'

/** One file while it runs: tells each attempt once, whether Jest speaks of it early, at the end of the file, or both. */
export interface FileRecorder {
  readonly file: JestTestFile
  /** Jest tells of an attempt as soon as it has ended, unless the test is skipped. */
  recordEarlyResult(result: JestTestResult): void
  /** A test began that others of the file are left out for. */
  markFocused(): void
  /** At the end of the file Jest tells of all its tests, and what it says then stands. */
  recordFinalResults(results: readonly JestTestResult[]): void
}

/** The attempts at one test that were told early. */
interface Row {
  readonly told: JestTestResult[]
  matched: boolean
}

/** @param isSelected whether a test was asked for: Jest tells of those that were not as skipped */
export function createFileRecorder(
  file: JestTestFile,
  cwd: string,
  isSelected: (result: JestTestResult) => boolean,
  record: (attempt: TestAttempt) => void,
): FileRecorder {
  const rowsByTitle = new Map<string, Row[]>()
  let focused = false

  const getRows = (result: JestTestResult): Row[] => {
    const key = JSON.stringify(getTitlePath(result))
    const rows = rowsByTitle.get(key) ?? []
    rowsByTitle.set(key, rows)
    return rows
  }
  return {
    file,
    markFocused() {
      focused = true
    },
    recordEarlyResult(result) {
      const rows = getRows(result)
      let index = rows.findIndex(({ told }) => isNext(told.at(-1), result))
      if (index === -1) index = rows.push({ told: [], matched: false }) - 1
      rows[index]?.told.push(result)
      record(toAttempt(result, { file, cwd, occurrence: index }))
    },
    recordFinalResults(results) {
      for (const result of results) {
        if (result.status === 'pending' && (focused || !isSelected(result))) continue
        const rows = getRows(result)
        const row = rows.find(({ told, matched }) => !matched && isSame(told.at(-1), result))
        if (row === undefined) {
          // Not told yet, or told otherwise: an error of its own may come after a test's end. As a test of its own it is
          // not taken for one more attempt, of which any pass would win.
          const index = rows.push({ told: [], matched: true }) - 1
          for (const attempt of toAttempts(result, { file, cwd, occurrence: index })) record(attempt)
        } else {
          row.matched = true
        }
      }
    },
  }
}

const attemptNumber = ({ invocations }: JestTestResult): number => invocations ?? 1

/** Whether a result is that of the attempt after another: they are counted, and only a failure is followed by one. */
const isNext = (earlier: JestTestResult | undefined, later: JestTestResult): boolean =>
  earlier?.status === 'failed' && attemptNumber(later) === attemptNumber(earlier) + 1

const isSame = (early: JestTestResult | undefined, last: JestTestResult): boolean =>
  early !== undefined && early.status === last.status && attemptNumber(early) === attemptNumber(last)
