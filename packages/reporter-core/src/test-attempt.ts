import type { ResultStatus } from '@caseward/matching/outcome'

/** One error of a test, as its framework tells it. ANSI colours are removed later. */
export interface TestError {
  readonly message: string
  /** The stack, with or without the message at its top. */
  readonly stack?: string | undefined
  /** How the expected value differs from the actual one, where the framework shows it apart from the message. */
  readonly diff?: string | undefined
}

/** One attempt at one test: what a reporter tells as soon as its framework does. */
export interface TestAttempt {
  /** Tells this test from every other of the suite, and is the same for each attempt at it. */
  readonly testId: string
  /** Titles of the describe blocks, the outermost first, and of the test itself. Not the file. */
  readonly titlePath: readonly string[]
  /** The file, relative to the working directory. */
  readonly file?: string | undefined
  /** What the test runs in, where it runs in several: a Playwright project, a browser. */
  readonly variant?: string | undefined
  /** Ids that an annotation or property `test_case_id` gives, each text one id or several. */
  readonly caseIds?: readonly string[] | undefined
  /** Tags, with or without `@`. */
  readonly tags?: readonly string[] | undefined
  /**
   * - `passed`: as expected, so also a test that is expected to fail and does
   * - `failed`: so also one that ran out of time
   * - `blocked`: it could not run, because a hook before it failed
   * - `retest`: interrupted before it ended
   * - `not_tested`: skipped, pending, to do
   */
  readonly status: ResultStatus
  readonly durationMs?: number | undefined
  readonly errors?: readonly TestError[] | undefined
  /** Why it was skipped, or other words for the note. */
  readonly comment?: string | undefined
  /** It is told as a test, but holds other tests, or is a whole file: of interest only where it names a case. */
  readonly isContainer?: boolean | undefined
}

/** What went wrong outside every test: a file that did not load, a hook after the tests, an unhandled rejection. */
export interface SuiteError extends TestError {
  /** Where: the file, or the hook's title. */
  readonly location: string
}
