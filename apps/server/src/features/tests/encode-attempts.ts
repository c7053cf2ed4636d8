import type { TestAttempt } from '@caseward/contract/tests'
import type { Attempt } from '@caseward/matching/attempt'

import { parseTimestamp, presentTime } from '../../platform/http/timestamps.ts'

/** PostgreSQL's integer: 24 days in milliseconds. */
const MAX_MS = 2_147_483_647

export const toWholeMs = (elapsedMs: number | null): number | null =>
  elapsedMs === null ? null : Math.min(Math.max(0, Math.round(elapsedMs)), MAX_MS)

/** Returns attempts as the API presents them, as JSON; null for one attempt without a message, which needs no words. */
export function encodeAttempts(attempts: readonly Attempt[]): string | null {
  const [first] = attempts
  if (attempts.length === 1 && first?.message === '' && first.details === '') return null
  return JSON.stringify(attempts.map(toStoredAttempt))
}

const toStoredAttempt = ({ status, elapsedMs, message, details, startedAt }: Attempt): TestAttempt => ({
  status,
  elapsed_ms: toWholeMs(elapsedMs),
  message: message.toWellFormed(),
  details: details.toWellFormed(),
  started_at: startedAt === null ? null : toTime(startedAt),
})

/** Tools write times in many forms; one that cannot be parsed is unknown. */
function toTime(startedAt: string): string | null {
  const time = parseTimestamp(startedAt)
  return time === null || Number.isNaN(time.getTime()) ? null : presentTime(time)
}
