import type { FastifyReply } from 'fastify'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

import { Problem } from './problems.ts'

const WINDOW_SECONDS = 60

export type Limiter = Pick<RateLimiterAbstract, 'points' | 'consume' | 'get'>

/** Makes a limiter that several servers share out of one server's own. */
export type CreateSharedLimiter = (local: RateLimiterMemory) => Limiter

/** Creates a limiter of this server that allows so many requests a minute for each key. */
export const createLimiter = (name: string, requestsPerMinute: number): RateLimiterMemory =>
  new RateLimiterMemory({ keyPrefix: name, points: requestsPerMinute, duration: WINDOW_SECONDS })

/**
 * Counts one request and sets the `RateLimit-*` headers.
 * @throws {Problem} 429 with `Retry-After` when the limit is reached
 */
export async function consumeRateLimit(limiter: Limiter, key: string, reply: FastifyReply): Promise<void> {
  try {
    setHeaders(reply, limiter, await limiter.consume(key))
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error
    throw rateLimitProblem(limiter, error, reply)
  }
}

/**
 * Checks a limit without counting, for requests that count only when they fail.
 * @throws {Problem} 429 with `Retry-After` when the limit is reached
 */
export async function checkRateLimit(limiter: Limiter, key: string, reply: FastifyReply): Promise<void> {
  const state = await limiter.get(key)
  if (state !== null && state.consumedPoints >= limiter.points) throw rateLimitProblem(limiter, state, reply)
}

/** Sets the headers of a limit that is reached, and returns the problem. */
function rateLimitProblem(limiter: Limiter, state: RateLimiterRes, reply: FastifyReply): Problem {
  setHeaders(reply, limiter, state)
  const seconds = getSecondsUntilReset(state)
  return new Problem(429, 'rate_limit_exceeded', `Too many requests. Try again in ${seconds} seconds.`, {
    headers: { 'retry-after': String(seconds) },
  })
}

const getSecondsUntilReset = (state: RateLimiterRes) => Math.max(1, Math.ceil(state.msBeforeNext / 1000))

function setHeaders(reply: FastifyReply, limiter: Limiter, state: RateLimiterRes): void {
  void reply
    .header('ratelimit-limit', limiter.points)
    .header('ratelimit-remaining', state.remainingPoints)
    .header('ratelimit-reset', getSecondsUntilReset(state))
}
