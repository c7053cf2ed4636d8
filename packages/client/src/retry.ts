import type { Endpoint } from './endpoint.ts'
import type { AnyReply } from './reply.ts'

/** How a failed call is retried. */
export interface RetryPolicy {
  /** The maximum number of retries; 0 for none. */
  readonly limit: number
  /** The delay before the first retry in milliseconds. It doubles for each further retry; half of it is random. */
  readonly firstDelayMs: number
  /** The longest delay. If `Retry-After` asks for a longer one, the call is not retried. */
  readonly longestDelayMs: number
}

export const defaultPolicy: RetryPolicy = { limit: 4, firstDelayMs: 500, longestDelayMs: 70_000 }

/** The POST requests that have the same effect when they are repeated. */
const idempotentPosts = new Set(['uploadResults', 'bulkUpdateResults', 'reportShardDone'])

/**
 * Whether repeating a call has no further effect, also without an `Idempotency-Key`. Creating a run with a run key returns the
 * existing run.
 */
export function isIdempotent({ method, operationId }: Endpoint, body: unknown): boolean {
  if (method !== 'POST') return method !== 'PATCH'
  return idempotentPosts.has(operationId) || (operationId === 'createRun' && hasRunKey(body))
}

function hasRunKey(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'run_key' in body && typeof body.run_key === 'string'
}

/** The server is starting or stopping, or a proxy cannot reach it. */
const transientStatuses = new Set([502, 503, 504])

/** Codes of a 503 after which nothing is stored: the server rejected the request, or the database rolled it back. */
const rejectingCodes = new Set(['server_busy', 'database_busy'])

/**
 * Whether a retry is safe and may succeed. A request that certainly had no effect (connection refused, rate limit, a busy
 * server) is always safe; one that may have been processed is safe only if it is idempotent.
 * @param request its JSON body, and whether it has an `Idempotency-Key`, which makes it idempotent
 */
export function canRetry(
  endpoint: Endpoint,
  reply: AnyReply,
  { body, hasKey = false }: { body?: unknown; hasKey?: boolean } = {},
): boolean {
  const isSafe = hasKey || isIdempotent(endpoint, body)
  if (reply.kind === 'success') return false
  if (reply.kind === 'unreachable') {
    if (reply.reason === 'tls') return false
    return !reply.mayHaveReachedServer || isSafe
  }
  if (reply.status === 429) return true
  if (reply.kind === 'problem' && reply.status === 503 && rejectingCodes.has(reply.problem.code)) return true
  if (reply.kind === 'problem' && reply.problem.code === 'request_in_progress') return true
  const isTruncated = reply.kind === 'unreadable' && reply.reason === 'truncated'
  return isSafe && (isTruncated || transientStatuses.has(reply.status))
}

/**
 * Returns the delay before the next attempt in milliseconds, or null if the server asks for a longer one than the policy
 * allows.
 * @param attempt the number of attempts so far
 * @param random a number from 0 to 1
 */
export function getRetryDelayMs(
  reply: AnyReply,
  attempt: number,
  policy: RetryPolicy,
  random = Math.random(),
): number | null {
  const requestedMs = reply.kind === 'unreachable' ? null : parseRetryAfter(reply.headers.get('retry-after'))
  if (requestedMs !== null) {
    // Jobs that hit the limit together get the same second: a random part keeps them from retrying together.
    if (requestedMs > policy.longestDelayMs) return null
    return requestedMs + Math.round(random * Math.min(1000, policy.firstDelayMs))
  }
  const delayMs = Math.min(policy.longestDelayMs, policy.firstDelayMs * 2 ** (attempt - 1))
  return Math.round(delayMs / 2 + (random * delayMs) / 2)
}

/** Parses `Retry-After` (RFC 9110, section 10.2.3), whole seconds or an HTTP date, into milliseconds from `now`. */
export function parseRetryAfter(value: string | null, now = Date.now()): number | null {
  if (value === null) return null
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1000
  // Date.parse would read "-5" and "1.5" as years.
  const date = /^\s*\w+, /.test(value) ? Date.parse(value) : NaN
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}
