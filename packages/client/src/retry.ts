import type { Endpoint } from './endpoint.ts'
import type { AnyReply } from './reply.ts'

/** How a call that failed for now is tried again. */
export interface RetryPolicy {
  /** How often, at most, after the first attempt; 0 for never. */
  readonly limit: number
  /** The first pause in milliseconds; each further one is twice as long, and half of each is left to chance. */
  readonly firstDelayMs: number
  /** The longest pause. A server that asks for a longer one (`Retry-After`) is not tried again. */
  readonly longestDelayMs: number
}

export const defaultPolicy: RetryPolicy = { limit: 4, firstDelayMs: 500, longestDelayMs: 70_000 }

/** The POSTs that leave the same state when they are made twice: results are set, a shard is done or not. */
const idempotentPosts = new Set(['uploadResults', 'bulkUpdateResults', 'reportShardDone'])

/** Whether a repetition changes nothing. A run with a key is made once, and found by its key from then on. */
function isIdempotent({ method, operationId }: Endpoint, body: unknown): boolean {
  if (method !== 'POST') return method !== 'PATCH'
  return idempotentPosts.has(operationId) || (operationId === 'createRun' && hasRunKey(body))
}

function hasRunKey(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'run_key' in body && typeof body.run_key === 'string'
}

/** 502, 503, 504: a proxy that does not reach the server, or a server that is starting or stopping. */
const transientStatuses = new Set([502, 503, 504])

/**
 * Whether trying again may help and can do no harm. What was surely not acted upon (nobody listens, rate limit) may
 * always be sent again; what may have been acted upon only when a repetition changes nothing.
 * @param body what was sent, where it was JSON
 */
export function canRetry(endpoint: Endpoint, reply: AnyReply, body?: unknown): boolean {
  if (reply.kind === 'success') return false
  if (reply.kind === 'unreachable') {
    if (reply.reason === 'tls') return false
    return !reply.mayHaveReachedServer || isIdempotent(endpoint, body)
  }
  if (reply.status === 429) return true
  const isCutOff = reply.kind === 'unreadable' && reply.reason === 'truncated'
  return isIdempotent(endpoint, body) && (isCutOff || transientStatuses.has(reply.status))
}

/**
 * The pause before the next attempt in milliseconds, or null when the server asks for a longer one than the policy has.
 * @param attempt how many attempts were made, from 1
 * @param random a number from 0 up to 1
 */
export function getRetryDelayMs(
  reply: AnyReply,
  attempt: number,
  policy: RetryPolicy,
  random = Math.random(),
): number | null {
  const asked = reply.kind === 'unreachable' ? null : retryAfterMs(reply.headers.get('retry-after'))
  if (asked !== null) {
    // Jobs that were refused together are told the same second: a little chance keeps them from coming back together.
    return asked > policy.longestDelayMs ? null : asked + Math.round(random * Math.min(1000, policy.firstDelayMs))
  }
  const full = Math.min(policy.longestDelayMs, policy.firstDelayMs * 2 ** (attempt - 1))
  return Math.round(full / 2 + (random * full) / 2)
}

/** `Retry-After` (RFC 9110, section 10.2.3) in milliseconds from `now`: whole seconds, or an HTTP date; else null. */
export function retryAfterMs(value: string | null, now = Date.now()): number | null {
  if (value === null) return null
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1000
  // Only what looks like a date: Date.parse takes "-5" and "1.5" for years.
  const date = /^\s*\w+, /.test(value) ? Date.parse(value) : NaN
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}
