import type { TestAttempt } from '@caseward/contract/run-tests'
import type { AttemptStatus } from '@caseward/contract/test-fields'
import type { Attempt, ReportedStep } from '@caseward/matching/attempt'

import { parseTimestamp, presentTime } from '../../platform/http/timestamps.ts'

/** PostgreSQL's integer: 24 days in milliseconds. */
const MAX_MS = 2_147_483_647

export const toWholeMs = (elapsedMs: number | null): number | null =>
  elapsedMs === null ? null : Math.min(Math.max(0, Math.round(elapsedMs)), MAX_MS)

/** Returns attempts as the API presents them, as JSON; null for one attempt without a message, which needs no words. */
export function encodeAttempts(attempts: readonly Attempt[]): string | null {
  const [first] = attempts
  if (attempts.length === 1 && first?.message === '' && first.details === '' && first.steps === undefined) return null
  return JSON.stringify(attempts.map(toStoredAttempt))
}

const toStoredAttempt = (attempt: Attempt): TestAttempt => ({
  status: attempt.status,
  elapsed_ms: toWholeMs(attempt.elapsedMs),
  message: attempt.message.toWellFormed(),
  details: attempt.details.toWellFormed(),
  started_at: attempt.startedAt === null ? null : toTime(attempt.startedAt),
  ...(attempt.steps === undefined ? {} : encodeSteps(attempt.steps, attempt.hasCutSteps)),
})

const encodeSteps = (
  steps: readonly ReportedStep[],
  hasCutSteps: boolean | undefined,
): Pick<TestAttempt, 'steps' | 'steps_cut'> => ({
  steps: steps.map(({ title, status, depth, elapsedMs, message }) => ({
    title: title.toWellFormed(),
    status,
    depth,
    elapsed_ms: toWholeMs(elapsedMs),
    message: message.toWellFormed(),
  })),
  ...(hasCutSteps === true ? { steps_cut: true as const } : {}),
})

/** Tools write times in many forms; one that cannot be parsed is unknown. */
function toTime(startedAt: string): string | null {
  const time = parseTimestamp(startedAt)
  return time === null || Number.isNaN(time.getTime()) ? null : presentTime(time)
}

/** An outcome as it is stored. */
interface StoredOutcome {
  status: AttemptStatus
  elapsed_ms: number | null
  /** Null for one attempt without a message. */
  attempts: TestAttempt[] | null
}

/** Returns the attempts of a stored outcome. */
export const parseAttempts = ({ status, elapsed_ms: elapsedMs, attempts }: StoredOutcome): Attempt[] =>
  attempts?.map(toAttempt) ?? [{ status, elapsedMs, message: '', details: '', startedAt: null }]

const toAttempt = (attempt: TestAttempt): Attempt => ({
  status: attempt.status,
  elapsedMs: attempt.elapsed_ms,
  message: attempt.message,
  details: attempt.details,
  startedAt: attempt.started_at,
  ...(attempt.steps === undefined ? {} : parseSteps(attempt.steps, attempt.steps_cut)),
})

const parseSteps = (
  steps: NonNullable<TestAttempt['steps']>,
  isCut: true | undefined,
): Pick<Attempt, 'steps' | 'hasCutSteps'> => ({
  steps: steps.map(({ elapsed_ms: elapsedMs, ...step }) => ({ ...step, elapsedMs })),
  hasCutSteps: isCut,
})
