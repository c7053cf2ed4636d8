import type { RateLimitGroup } from '@caseward/contract/endpoint'

import {
  createLimiter,
  type CreateSharedLimiter,
  HOUR_SECONDS,
  type Limiter,
  MINUTE_SECONDS,
} from '../platform/http/rate-limit.ts'

/** Failed attempts to give a password, which are limited for each client and, in a longer period, for each account. */
export type FailureGroup = 'sign-in-failures' | 'password-change-failures'

/** Requests with a token, session cookie or logout token that is not valid. */
type InvalidSecretGroup = 'invalid-tokens' | 'invalid-sessions' | 'invalid-logout-tokens'

/** Every group of endpoints has its own limit. */
export type RateLimits = Record<RateLimitGroup | FailureGroup | `account-${FailureGroup}` | InvalidSecretGroup, Limiter>

interface RateLimitSettings {
  rateLimit: number
  rateLimitOther: number
  rateLimitSignIn: number
  rateLimitInvalidTokens: number
}

/** How many times more failures an account may have in an hour than one client may have in a minute. */
const ACCOUNT_FACTOR = 10

/** Creates the limiters. Requests count per token or session, or per IP address where an endpoint needs neither. */
export function createRateLimits(
  { rateLimit, rateLimitOther, rateLimitSignIn, rateLimitInvalidTokens }: RateLimitSettings,
  createSharedLimiter: CreateSharedLimiter = (local) => local,
): RateLimits {
  const create = (name: keyof RateLimits, requests: number, periodSeconds = MINUTE_SECONDS) =>
    createSharedLimiter(createLimiter(name, requests, periodSeconds))
  const createForAccount = (name: `account-${FailureGroup}`) =>
    create(name, ACCOUNT_FACTOR * rateLimitSignIn, HOUR_SECONDS)
  return {
    milestones: create('milestones', rateLimit),
    members: create('members', rateLimit),
    'ci-upload': create('ci-upload', rateLimit),
    'sign-in': create('sign-in', rateLimitSignIn),
    'password-resets': create('password-resets', rateLimitSignIn),
    'invitation-links': create('invitation-links', rateLimitSignIn),
    // Apart from sign-ins, because each sign-in with a passkey needs one.
    'passkey-options': create('passkey-options', rateLimitSignIn),
    'sign-in-failures': create('sign-in-failures', rateLimitSignIn),
    'account-sign-in-failures': createForAccount('account-sign-in-failures'),
    'password-change-failures': create('password-change-failures', rateLimitSignIn),
    'account-password-change-failures': createForAccount('account-password-change-failures'),
    'invalid-tokens': create('invalid-tokens', rateLimitInvalidTokens),
    'invalid-sessions': create('invalid-sessions', rateLimitInvalidTokens),
    'invalid-logout-tokens': create('invalid-logout-tokens', rateLimitInvalidTokens),
    other: create('other', rateLimitOther),
  }
}
