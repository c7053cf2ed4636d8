import type { RetryPolicy } from '@caseward/client'

/** How long a suite waits for a server at its end. It never waits for ever. */
export interface Timeouts {
  /** For one attempt at one request. */
  readonly timeoutMs: number
  readonly retries: Partial<RetryPolicy>
  /** For the run to be found or made. */
  readonly findRunMs: number
  /** For everything: that, and the upload. */
  readonly totalMs: number
  /** For all that earlier suites have left in the spool, once this one is stored. */
  readonly replayMs: number
}

/**
 * Where nobody listens, it is given up after some four seconds; where nobody answers, after half a minute; a server that
 * takes results slowly, or asks to wait (`Retry-After`), has two minutes. What was not sent stays in the spool.
 */
export const defaultTimeouts: Timeouts = {
  timeoutMs: 60_000,
  retries: { limit: 3, firstDelayMs: 500 },
  findRunMs: 30_000,
  totalMs: 120_000,
  replayMs: 10_000,
}
