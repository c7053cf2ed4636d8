/** One execution of one test, as the report tells it. The same classname and name again is another attempt. */
export interface TestAttempt {
  /** The `name` attribute; '' without one. */
  readonly name: string
  /** The `classname` attribute, or `class`, which Codeception writes instead; '' without either. */
  readonly classname: string
  /** `failure` or `error` → failed; else `skipped`, element or status attribute → skipped; else passed. */
  readonly status: 'passed' | 'failed' | 'skipped'
  /** Passed, but only after a `flakyFailure` or `flakyError` (Surefire, Playwright). */
  readonly isFlaky: boolean
  /** The `time` attribute in seconds, not rounded; null without one, or when it is no time. */
  readonly elapsedSeconds: number | null
  /** What went wrong or why it was skipped, in document order. */
  readonly details: readonly AttemptDetail[]
  /** Test case ids that the test itself names, by properties or in its output: in document order, each once. */
  readonly caseIds: readonly string[]
  /** The line on which its element begins, from 1. */
  readonly line: number
}

export type DetailKind = 'failure' | 'error' | 'skipped' | 'flakyFailure' | 'flakyError' | 'rerunFailure' | 'rerunError'

/** A `failure`, `error`, `skipped`, … element. Its texts come without terminal colours and control characters. */
export interface AttemptDetail {
  readonly kind: DetailKind
  readonly type: string
  readonly message: string
  /** All text in the element but `system-out` and `system-err`, without blank space around it. */
  readonly text: string
  /** Whether the message or the text was longer than the 140,000 UTF-16 units that are kept. */
  readonly isTruncated: boolean
}

/** A failure that belongs to no test: a file that did not load, a setup that broke. Never a test attempt. */
export interface SuiteError extends AttemptDetail {
  readonly kind: 'failure' | 'error'
  /** The name (or file) of the nearest suite that has one, else ''. */
  readonly suite: string
  /** The line on which its element begins, from 1. */
  readonly line: number
}

export interface JUnitReport {
  /** In document order, whatever the suites around them. */
  readonly attempts: readonly TestAttempt[]
  readonly suiteErrors: readonly SuiteError[]
}
