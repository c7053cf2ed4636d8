import type { RateLimitGroup } from '@caseward/contract/endpoint'
import type { FastifyReply } from 'fastify'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

import { Problem } from './problems.ts'

const WINDOW_SECONDS = 60

/** `sign-in-account` counts tries to sign in to one account, from wherever. */
type Bucket = RateLimitGroup | 'sign-in-account'
export type Limiter = Pick<RateLimiterAbstract, 'points' | 'consume'>
export type RateLimits = Record<Bucket, Limiter>
/** What takes the place of one server's own bucket where several servers share it. */
export type CreateSharedLimiter = (own: RateLimiterMemory) => Limiter

/** A bucket of requests a minute for each group and token; for each address where no token is asked for. */
export function createRateLimits(
  {
    rateLimit,
    rateLimitOther,
    rateLimitSignIn,
  }: {
    rateLimit: number
    rateLimitOther: number
    rateLimitSignIn: number
  },
  share: CreateSharedLimiter = (own) => own,
): RateLimits {
  const bucket = (keyPrefix: Bucket, points: number) =>
    share(new RateLimiterMemory({ keyPrefix, points, duration: WINDOW_SECONDS }))
  return {
    milestones: bucket('milestones', rateLimit),
    members: bucket('members', rateLimit),
    'ci-upload': bucket('ci-upload', rateLimit),
    'sign-in': bucket('sign-in', rateLimitSignIn),
    'sign-in-account': bucket('sign-in-account', rateLimitSignIn),
    'invitation-links': bucket('invitation-links', rateLimitSignIn),
    other: bucket('other', rateLimitOther),
  }
}

/**
 * Counts one request against a bucket and tells the caller where they stand, in `RateLimit-*` headers.
 * @throws {Problem} 429 with `Retry-After` when the bucket is empty
 */
export async function consumeRateLimit(limiter: Limiter, key: string, reply: FastifyReply): Promise<void> {
  try {
    setHeaders(reply, limiter, await limiter.consume(key))
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error
    setHeaders(reply, limiter, error)
    const seconds = secondsUntilReset(error)
    throw new Problem(429, 'rate_limit_exceeded', `Too many requests. Try again in ${seconds} seconds.`, {
      headers: { 'retry-after': String(seconds) },
    })
  }
}

const secondsUntilReset = (state: RateLimiterRes) => Math.max(1, Math.ceil(state.msBeforeNext / 1000))

function setHeaders(reply: FastifyReply, limiter: Limiter, state: RateLimiterRes): void {
  void reply
    .header('ratelimit-limit', limiter.points)
    .header('ratelimit-remaining', state.remainingPoints)
    .header('ratelimit-reset', secondsUntilReset(state))
}
