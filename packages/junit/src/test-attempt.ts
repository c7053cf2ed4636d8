import type { RetryMark } from './retry-mark.ts'
import type { ReportedStatus } from './test-status.ts'

/**
 * One execution of one test: a `<testcase>` element. Whether several of the same names are several tests, or attempts at
 * one, is decided by `toReportedTests`.
 */
export interface TestAttempt {
  /** The `name` attribute, or '' if it is missing. A name of more than 10,000 UTF-16 units is truncated. */
  readonly name: string
  /** The `classname` attribute, or Codeception's `class`, or ''. Truncated like the name. */
  readonly classname: string
  /**
   * Number of the innermost `<testsuite>` or `<testsuites>` element around the test, in document order from 1. 0 without
   * any.
   */
  readonly suite: number
  /** What the suites around the test say about it. Shared by the tests of a suite. */
  readonly context: SuiteContext
  /** The `file` or `filepath` attribute of the test itself, or ''. */
  readonly file: string
  /** The `timestamp` attribute, as it is written; null without one. */
  readonly startedAt: string | null
  /**
   * `failure` or `error` → failed; else `skipped` → skipped; else what the attributes `status`, `result` and `outcome` say;
   * else passed.
   */
  readonly status: ReportedStatus
  /** The attribute that states a status that is not known, such as `status="flagged"`; null without one. */
  readonly unknownStatus: string | null
  /** What a property `retry`, `attempt`, `rerun` or `flaky` says; null without one. */
  readonly retryMark: RetryMark | null
  /** Passed after a `flakyFailure` or `flakyError` (Surefire, Playwright). */
  readonly isFlaky: boolean
  /** The `time` attribute in seconds, not rounded; null if it is missing or invalid. */
  readonly elapsedSeconds: number | null
  /** Errors and reasons for skipping, in document order. At most 1,000; the status takes all of them into account. */
  readonly details: readonly AttemptDetail[]
  /**
   * Test case ids from the test's properties and output, in document order, without duplicates. At most 201: a caller
   * that allows 200 can report that there are too many.
   */
  readonly caseIds: readonly string[]
  /** Files, links, steps and fields that the test names; null without any, as nearly all tests are. */
  readonly evidence: AttemptEvidence | null
  /** The line on which the element starts, from 1. */
  readonly line: number
}

/** A file that a report names. */
export interface NamedFile {
  /** As the report writes it. Of a `data:` address, `data:` and the digest of the content. */
  readonly path: string
  /** Null if only the path is known. */
  readonly name: string | null
  /** SHA-256 and size of the content, if it is in the report. */
  readonly sha256?: string
  readonly byteCount?: number
  /** The content, if it is in the report and was asked for. */
  readonly content?: Uint8Array
}

/** A file of a test. */
export interface AttemptFile extends NamedFile {
  /** The number of the attempt in the element, from 0; `own` is the one that the element itself is about. */
  readonly attempt: number | 'own' | 'last'
}

/** An address that a test names. */
export interface NamedLink {
  readonly kind: 'defect' | 'other'
  readonly url: string
}

/** A step that a test names. */
export interface NamedStep {
  readonly title: string
  /** Null if the report does not say. */
  readonly status: 'passed' | 'failed' | 'blocked' | 'skipped' | null
  /** What else the step says; '' for nothing. */
  readonly message: string
}

export interface AttemptEvidence {
  readonly files: readonly AttemptFile[]
  readonly links: readonly NamedLink[]
  readonly steps: readonly NamedStep[]
  /** Values of custom fields, by the properties `field:<key>`. */
  readonly fields: readonly NamedField[]
}

/** The value of a custom field that a test names. */
export interface NamedField {
  readonly key: string
  readonly value: string
}

/** Tools that are told by the form of their reports, where a rule depends on it. */
export type Dialect = 'gradle' | 'jest-junit' | 'node-test'

/** What the suites around a test say about it; '' for what none says. */
export interface SuiteContext {
  /** The names of the `<testsuite>` elements that have one, outermost first. */
  readonly names: readonly string[]
  /** The `file` or `filepath` attribute of the innermost suite that has one. */
  readonly file: string
  /** The `hostname` attribute of the innermost suite that has one. */
  readonly hostname: string
  /** The property `browser` or `project` of the innermost suite that has one. */
  readonly variant: string
  /** Files that the properties of the suites name: those of its failed tests. */
  readonly files: readonly NamedFile[]
  /** Null if it is none of those that matter. */
  readonly dialect: Dialect | null
}

export type DetailKind = 'failure' | 'error' | 'skipped' | 'flakyFailure' | 'flakyError' | 'rerunFailure' | 'rerunError'

/** A `failure`, `error`, `skipped`, … element. Terminal colors and control characters are removed from its texts. */
export interface AttemptDetail {
  readonly kind: DetailKind
  readonly type: string
  readonly message: string
  /** The element's text without `system-out` and `system-err`, trimmed. */
  readonly text: string
  /**
   * Whether the message or the text exceeded 140,000 UTF-16 units. Also set on the last of 1,000 details when there were
   * more.
   */
  readonly isTruncated: boolean
  /** Files that the text or the output in the element names, of an element that is an attempt of its own. */
  readonly files?: readonly NamedFile[]
}

/** An error outside of any test, such as a file that did not load or a failed setup. */
export interface SuiteError extends AttemptDetail {
  readonly kind: 'failure' | 'error'
  /** The name (or file) of the nearest suite that has one, else ''. */
  readonly suite: string
  /** The line on which the element starts, from 1. */
  readonly line: number
}

export interface JUnitReport {
  /** The attempts of all suites, in document order. */
  readonly attempts: readonly TestAttempt[]
  /**
   * Failures of suites outside of their tests, and suites that declare more failures than they contain. At most 10,000.
   */
  readonly suiteErrors: readonly SuiteError[]
  /** The beginning of the text before the XML, such as a line that npm printed, which was skipped; '' if there is none. */
  readonly skippedText: string
}
