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

/** Requests of pages that are no endpoints of the API. */
type PageGroup = 'single-sign-on' | 'sign-in-links' | 'shared-pages' | 'shared-files'

/** What counts for an IP address, or a browser in which users have signed in before. */
type ClientGroup =
  | 'address-sign-in-failures'
  | 'reset-requests'
  | 'single-sign-on-failures'
  /** Attempts at an account from an address whose own limit is reached. */
  | 'account-reserve'
  /** Right passwords of an account. */
  | 'account-sign-ins'

/** Every group of endpoints has its own limit. */
export type RateLimits = Record<
  RateLimitGroup | PageGroup | ClientGroup | FailureGroup | `account-${FailureGroup}` | InvalidSecretGroup,
  Limiter
>

interface RateLimitSettings {
  rateLimit: number
  rateLimitOther: number
  rateLimitSignIn: number
  rateLimitInvalidTokens: number
  rateLimitFiles: number
}

/** How many times more failures an account may have in an hour than one client may have in a minute. */
const ACCOUNT_FACTOR = 10
/** How many failures of single sign-on a client may have for each wrong password: nobody can guess a code of the provider. */
const SINGLE_SIGN_ON_FACTOR = 10
/** How many files of a shared report a client may open for each page. */
const SHARED_FILES_FACTOR = 10
/** In an hour, for each account and address. */
const RESERVED_ATTEMPTS = 3

/**
 * Creates the limiters. Requests count per token or session, or per known browser or IP address where an endpoint needs
 * neither. What guards secrets that nobody can guess, such as links, only bounds the load.
 */
export function createRateLimits(
  { rateLimit, rateLimitOther, rateLimitSignIn, rateLimitInvalidTokens, rateLimitFiles }: RateLimitSettings,
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
    'sign-in': create('sign-in', rateLimitOther),
    'password-resets': create('password-resets', rateLimitOther),
    'invitation-links': create('invitation-links', rateLimitOther),
    'single-sign-on': create('single-sign-on', rateLimitOther),
    'sign-in-links': create('sign-in-links', rateLimitOther),
    'single-sign-on-failures': create('single-sign-on-failures', SINGLE_SIGN_ON_FACTOR * rateLimitSignIn),
    'reset-requests': create('reset-requests', rateLimitSignIn),
    'address-sign-in-failures': create('address-sign-in-failures', rateLimitSignIn),
    'account-sign-ins': create('account-sign-ins', rateLimitOther),
    'account-reserve': create('account-reserve', RESERVED_ATTEMPTS, HOUR_SECONDS),
    // Fewer than sign-ins, because each stores a challenge.
    'passkey-options': create('passkey-options', rateLimitSignIn),
    'sign-in-failures': create('sign-in-failures', rateLimitSignIn),
    'account-sign-in-failures': createForAccount('account-sign-in-failures'),
    'password-change-failures': create('password-change-failures', rateLimitSignIn),
    'account-password-change-failures': createForAccount('account-password-change-failures'),
    'invalid-tokens': create('invalid-tokens', rateLimitInvalidTokens),
    'invalid-sessions': create('invalid-sessions', rateLimitInvalidTokens),
    'invalid-logout-tokens': create('invalid-logout-tokens', rateLimitInvalidTokens),
    // For each address of clients, which have nothing else that identifies them.
    'shared-pages': create('shared-pages', rateLimit),
    'shared-files': create('shared-files', SHARED_FILES_FACTOR * rateLimit),
    files: create('files', rateLimitFiles),
    other: create('other', rateLimitOther),
  }
}
