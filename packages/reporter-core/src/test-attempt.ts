import type { AttemptStatus } from '@caseward/matching/attempt'

export type { AttemptStatus } from '@caseward/matching/attempt'

/** An error of a test. Terminal colors are removed later. */
export interface TestError {
  readonly message: string
  /** The stack, with or without the message at its start. */
  readonly stack?: string | undefined
  /** The difference between the expected and the actual value, if it is not part of the message. */
  readonly diff?: string | undefined
}

/** One execution of one test. */
export interface TestAttempt {
  /** Identifies the test within the suite. It is the same for all attempts at the test. */
  readonly testId: string
  /** Titles of the describe blocks, the outermost first, and of the test. Does not include the file. */
  readonly titlePath: readonly string[]
  /** The file, relative to the working directory. */
  readonly file?: string | undefined
  /** Distinguishes executions of the same test in several Playwright projects or browsers. */
  readonly variant?: string | undefined
  /** Ids from an annotation or property `test_case_id`. Each text contains one id or several. */
  readonly caseIds?: readonly string[] | undefined
  /** Tags, with or without `@`. */
  readonly tags?: readonly string[] | undefined
  /**
   * - `passed`: the outcome was as expected, for example an expected failure
   * - `failed`: also if the test timed out
   * - `blocked`: not run because a hook before the test failed
   * - `interrupted`: stopped before its end
   * - `skipped`: skipped, pending or todo
   */
  readonly status: AttemptStatus
  readonly durationMs?: number | undefined
  readonly errors?: readonly TestError[] | undefined
  /** Additional text for the note, such as the reason for skipping. */
  readonly comment?: string | undefined
  /**
   * Whether this is a file or a test with subtests. It is reported only if it contains a test case id, or if it passed and the
   * run has a failure of it.
   */
  readonly isContainer?: boolean | undefined
  /**
   * Whether the test had ended before with another result, such as one that throws after it has passed. It replaces that
   * result: as a further attempt, it would look like a retry.
   */
  readonly replacesResult?: boolean | undefined
}

/** An error outside of any test: a file that did not load, a failed hook after the tests, an unhandled rejection. */
export interface SuiteError extends TestError {
  /** The file, or the title of the hook. */
  readonly location: string
}
