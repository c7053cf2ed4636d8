import type { RateLimitGroup } from '@caseward/contract/endpoint'

import { createLimiter, type CreateSharedLimiter, type Limiter } from '../platform/http/rate-limit.ts'

/**
 * Every group of endpoints has its own limit; `sign-in-account` counts attempts to sign in to one account, from any
 * address, and `invalid-tokens` counts requests with an invalid token.
 */
export type RateLimits = Record<RateLimitGroup | 'sign-in-account' | 'invalid-tokens', Limiter>

interface RateLimitSettings {
  rateLimit: number
  rateLimitOther: number
  rateLimitSignIn: number
  rateLimitInvalidTokens: number
}

/** Creates the limiters. Requests count per token or session, or per IP address where an endpoint needs neither. */
export function createRateLimits(
  { rateLimit, rateLimitOther, rateLimitSignIn, rateLimitInvalidTokens }: RateLimitSettings,
  createSharedLimiter: CreateSharedLimiter = (local) => local,
): RateLimits {
  const create = (name: keyof RateLimits, requestsPerMinute: number) =>
    createSharedLimiter(createLimiter(name, requestsPerMinute))
  return {
    milestones: create('milestones', rateLimit),
    members: create('members', rateLimit),
    'ci-upload': create('ci-upload', rateLimit),
    'sign-in': create('sign-in', rateLimitSignIn),
    'sign-in-account': create('sign-in-account', rateLimitSignIn),
    'invitation-links': create('invitation-links', rateLimitSignIn),
    'invalid-tokens': create('invalid-tokens', rateLimitInvalidTokens),
    other: create('other', rateLimitOther),
  }
}
