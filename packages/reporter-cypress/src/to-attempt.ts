import {
  type Attachment,
  type AttemptStatus,
  createTestId,
  type SuiteError,
  type TestAttempt,
  type TestError,
  type TestPosition,
} from '@caseward/reporter-core'

import { toAttachment } from './assign-files.ts'
import type { CypressAttempt, CypressScreenshot, CypressTest } from './framework-types.ts'

/**
 * Converts a test to its attempts.
 * @param hookFailure the latest test whose hook failed, which blocks the tests after it
 */
export function toAttempts(test: CypressTest, position: TestPosition, hookFailure: CypressTest | null): TestAttempt[] {
  const { titlePath, file } = position
  const common = { testId: createTestId(position), titlePath, file }
  return readTestAttempts(test, hookFailure).map((attempt) => ({ ...common, ...attempt }))
}

export const getTitlePath = ({ title }: CypressTest): string[] =>
  Array.isArray(title) ? title.map(String) : [String(title)]

/** Converts the error of a spec that has no results, or not those of all of its tests. */
export function toSpecError(file: string, error: string | null | undefined): SuiteError {
  const hasText = typeof error === 'string' && error !== ''
  const text = hasText ? error : 'The spec has no results: it did not compile, or the browser crashed.'
  return { location: file, ...toTestError(text) }
}

type AttemptOutcome = Pick<TestAttempt, 'status' | 'durationMs' | 'errors' | 'comment' | 'attachments'>

/** Converts the attempts at a test. Since Cypress 13 they have only a state: error and duration belong to the last. */
function readTestAttempts(test: CypressTest, hookFailure: CypressTest | null): AttemptOutcome[] {
  const attempts = Array.isArray(test.attempts) ? (test.attempts as readonly CypressAttempt[]) : []
  const status = toAttemptStatus(test.state ?? attempts.at(-1)?.state)
  if (test.state === 'skipped') return [toSkippedAttempt(hookFailure)]
  const hasPassed = attempts.some(({ state }) => state === 'passed')
  // With some strategies for flaky tests, Cypress fails a test that passed once or the reverse. Its status decides.
  const isOneAttempt =
    attempts.length === 0 || (status === 'failed' && hasPassed) || (status === 'passed' && !hasPassed)
  const last: AttemptOutcome = { status, durationMs: test.duration ?? undefined, errors: getDisplayedErrors(test) }
  if (isOneAttempt) {
    const attachments = attempts.flatMap((attempt) => getScreenshots(attempt))
    return [
      { ...last, ...withFiles(attachments), comment: attempts.length > 1 ? `${attempts.length} attempts.` : undefined },
    ]
  }
  return attempts.map((attempt, index) => {
    const isLast = index === attempts.length - 1
    const errors = attempt.error ? [toThrownError(attempt.error)] : isLast ? last.errors : undefined
    const durationMs = attempt.duration ?? attempt.wallClockDuration ?? (isLast ? last.durationMs : undefined)
    return { status: toAttemptStatus(attempt.state), durationMs, errors, ...withFiles(getScreenshots(attempt)) }
  })
}

const withFiles = (attachments: Attachment[]) => (attachments.length === 0 ? {} : { attachments })

const getScreenshots = ({ screenshots }: CypressAttempt): Attachment[] =>
  Array.isArray(screenshots)
    ? (screenshots as readonly CypressScreenshot[]).flatMap(({ path }) => (path ? toAttachment(path) : []))
    : []

/** A test did not run because an earlier hook failed, or else because the run was stopped. */
function toSkippedAttempt(hookFailure: CypressTest | null): AttemptOutcome {
  if (hookFailure === null) return { status: 'skipped', comment: 'Skipped because the run was stopped.' }
  return { status: 'blocked', errors: getDisplayedErrors(hookFailure) }
}

function toAttemptStatus(state: string | undefined): AttemptStatus {
  if (state === 'passed' || state === 'failed') return state
  if (state === 'skipped') return 'blocked'
  // A test in any other state was interrupted.
  return state === 'pending' ? 'skipped' : 'interrupted'
}

// All versions of Cypress use this text for the test whose hook failed.
export const failedInHook = ({ state, displayError }: CypressTest): boolean =>
  state === 'failed' &&
  typeof displayError === 'string' &&
  /this error occurred during an? `.*` hook/.test(displayError)

const getDisplayedErrors = ({ displayError }: CypressTest): TestError[] | undefined =>
  typeof displayError === 'string' && displayError !== '' ? [toTestError(displayError)] : undefined

/** Parses a displayed error: the message, followed by the stack. */
function toTestError(displayed: string): TestError {
  const at = displayed.search(/\n\s+at /)
  return at === -1 ? { message: displayed } : { message: displayed.slice(0, at), stack: displayed }
}

function toThrownError({ name = 'Error', message = '', stack }: NonNullable<CypressAttempt['error']>): TestError {
  return { message: `${name}: ${message}`, stack: typeof stack === 'string' ? stack : undefined }
}
