import { type Attempt, ATTEMPT_STATUSES, type AttemptStatus } from './attempt.ts'
import type { ResultStatus } from './outcome.ts'

/** The outcome of a test with all its attempts. */
export interface AttemptsOutcome {
  readonly status: AttemptStatus
  /** Whether it passed after another attempt had failed. */
  readonly isFlaky: boolean
  /** Milliseconds of all attempts; null when none is known. */
  readonly elapsedMs: number | null
}

/** The outcome of a test over all its attempts: a passed attempt decides, then the worst. */
export function getTestOutcome(attempts: readonly Attempt[]): AttemptsOutcome {
  const [first] = attempts
  if (attempts.length === 1 && first !== undefined) {
    return { status: first.status, isFlaky: false, elapsedMs: first.elapsedMs }
  }
  const statuses = new Set(attempts.map(({ status }) => status))
  const status = ATTEMPT_STATUSES.find((candidate) => statuses.has(candidate)) ?? 'skipped'
  let elapsedMs: number | null = null
  for (const attempt of attempts) if (attempt.elapsedMs !== null) elapsedMs = (elapsedMs ?? 0) + attempt.elapsedMs
  return { status, isFlaky: status === 'passed' && statuses.has('failed'), elapsedMs }
}

const RESULT_STATUS: Readonly<Record<AttemptStatus, ResultStatus>> = {
  passed: 'passed',
  failed: 'failed',
  blocked: 'blocked',
  interrupted: 'retest',
  skipped: 'not_tested',
}

/** The status of a result whose test had this outcome. */
export const toResultStatus = (status: AttemptStatus): ResultStatus => RESULT_STATUS[status]
