import type { ResultStatus, SuiteError, TestAttempt, TestError } from '@caseward/reporter-core'

import type { CypressAttempt, CypressSpecResults, CypressTest } from './cypress-results.ts'

/** What one spec has told. */
export interface SpecRecord {
  readonly attempts: readonly TestAttempt[]
  readonly errors: readonly SuiteError[]
}

/** The attempts at the tests of a spec, and what went wrong outside of them. */
export function toAttempts(file: string, { tests, error }: CypressSpecResults): SpecRecord {
  const known = Array.isArray(tests) ? (tests as readonly CypressTest[]) : null
  const failed = typeof error === 'string' && error !== ''
  const message = failed ? error : 'The spec has no results: it did not compile, or the browser crashed.'
  const errors =
    failed || known === null ? [toTestError(message)].map((testError) => ({ location: file, ...testError })) : []
  const rows = new Map<string, number>()
  let hookFailure: CypressTest | null = null
  const attempts: TestAttempt[] = []
  for (const test of known ?? []) {
    const titlePath = Array.isArray(test.title) ? test.title.map(String) : [String(test.title)]
    const key = JSON.stringify(titlePath)
    const occurrence = rows.get(key) ?? 0
    rows.set(key, occurrence + 1)
    if (failedInHook(test)) hookFailure = test
    const common = { testId: JSON.stringify([file, ...titlePath, occurrence]), titlePath, file }
    for (const attempt of attemptsAt(test, hookFailure)) attempts.push({ ...common, ...attempt })
  }
  return { attempts, errors }
}

type AttemptOutcome = Pick<TestAttempt, 'status' | 'durationMs' | 'errors' | 'comment'>

/** The attempts at a test. Since Cypress 13 only their states are told: error and duration go with the last. */
function attemptsAt(test: CypressTest, hookFailure: CypressTest | null): AttemptOutcome[] {
  const made = Array.isArray(test.attempts) ? (test.attempts as readonly CypressAttempt[]) : []
  const verdict = toResultStatus(test.state ?? made.at(-1)?.state)
  if (test.state === 'skipped') return [toSkippedAttempt(hookFailure)]
  const anyPassed = made.some(({ state }) => state === 'passed')
  // By some strategies for flaky tests Cypress fails one that passed, or the other way round: it has the say.
  const isOneAttempt = made.length === 0 || (verdict === 'failed' && anyPassed) || (verdict === 'passed' && !anyPassed)
  const last: AttemptOutcome = { status: verdict, durationMs: test.duration ?? undefined, errors: shownError(test) }
  if (isOneAttempt) return [{ ...last, comment: made.length > 1 ? `${made.length} attempts.` : undefined }]
  return made.map((attempt, index) => {
    const isLast = index === made.length - 1
    const errors = attempt.error ? [thrownError(attempt.error)] : isLast ? last.errors : undefined
    const durationMs = attempt.duration ?? attempt.wallClockDuration ?? (isLast ? last.durationMs : undefined)
    return { status: toResultStatus(attempt.state), durationMs, errors }
  })
}

/** A test that did not run: because a hook before it failed, if one did, or because the run was stopped. */
function toSkippedAttempt(hookFailure: CypressTest | null): AttemptOutcome {
  if (hookFailure === null) return { status: 'not_tested', comment: 'Skipped, as the run was stopped.' }
  return { status: 'blocked', errors: shownError(hookFailure) }
}

function toResultStatus(state: string | undefined): ResultStatus {
  if (state === 'passed' || state === 'failed') return state
  if (state === 'skipped') return 'blocked'
  // A test that was neither passed, failed nor left out did not come to its end.
  return state === 'pending' ? 'not_tested' : 'retest'
}

// Cypress marks the test at which a hook failed, and says so in these words in every version.
const failedInHook = ({ state, displayError }: CypressTest): boolean =>
  state === 'failed' &&
  typeof displayError === 'string' &&
  /this error occurred during an? `.*` hook/.test(displayError)

const shownError = ({ displayError }: CypressTest): TestError[] | undefined =>
  typeof displayError === 'string' && displayError !== '' ? [toTestError(displayError)] : undefined

/** An error as it is shown: its message, with its stack below. */
function toTestError(displayed: string): TestError {
  const at = displayed.search(/\n\s+at /)
  return at === -1 ? { message: displayed } : { message: displayed.slice(0, at), stack: displayed }
}

function thrownError({ name = 'Error', message = '', stack }: NonNullable<CypressAttempt['error']>): TestError {
  return { message: `${name}: ${message}`, stack: typeof stack === 'string' ? stack : undefined }
}
