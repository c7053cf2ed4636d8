import type { RetryPolicy } from '@caseward/client'

/** How long the end of a suite waits for the server. */
export interface Timeouts {
  /** Limit for one attempt at one request. */
  readonly timeoutMs: number
  readonly retries: Partial<RetryPolicy>
  /** Limit for finding or creating the run. */
  readonly findRunMs: number
  /** Limit for the delivery of the suite, including the search for the run. */
  readonly totalMs: number
  /** Limit for the replay of earlier suites. */
  readonly replayMs: number
}

/**
 * A delivery fails after about four seconds if the server refuses connections, after half a minute if it does not
 * respond, and after two minutes if it is slow or asks to wait (`Retry-After`). The results then stay in the spool.
 */
export const defaultTimeouts: Timeouts = {
  timeoutMs: 60_000,
  retries: { limit: 3, firstDelayMs: 500 },
  findRunMs: 30_000,
  totalMs: 120_000,
  replayMs: 10_000,
}
