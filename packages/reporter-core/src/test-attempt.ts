import type { AttemptStatus } from '@caseward/matching/attempt'

import type { SpooledFile } from './spooled-file.ts'

export type { AttemptStatus } from '@caseward/matching/attempt'

/** An error of a test. Terminal colors are removed later. */
export interface TestError {
  readonly message: string
  /** The stack, with or without the message at its start. */
  readonly stack?: string | undefined
  /** The difference between the expected and the actual value, if it is not part of the message. */
  readonly diff?: string | undefined
}

/** A file that a test has left, by its path or its content. */
export interface Attachment {
  readonly name: string
  /** In the working directory or the output directory of the framework. */
  readonly path?: string | undefined
  /** The content, if there is no path. */
  readonly body?: Uint8Array | string | undefined
  readonly kind?: 'trace' | undefined
}

/** A step that the framework reports inside of an attempt. */
export interface TestStep {
  readonly title: string
  /** Null if it is unknown. It does not change the status of the attempt. */
  readonly status: AttemptStatus | null
  /** Number of steps around it, from 0. */
  readonly depth: number
  readonly durationMs?: number | undefined
  readonly message?: string | undefined
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
  /** Addresses of defects that the test names. The server refuses what is no address, and the summary says so. */
  readonly defects?: readonly string[] | undefined
  /** Values of custom fields of the result by their keys. The server says which it cannot store. */
  readonly fields?: Readonly<Record<string, string>> | undefined
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
  /** Files of this attempt. They are copied to the spool as soon as it is recorded. */
  readonly attachments?: readonly Attachment[] | undefined
  /** Steps in the order in which they began. */
  readonly steps?: readonly TestStep[] | undefined
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

/** An attempt in a journal: its files are in the spool. */
export interface RecordedAttempt extends Omit<TestAttempt, 'attachments'> {
  readonly files?: readonly SpooledFile[] | undefined
}
