import { Type } from 'typebox'

import { defineSetting } from './define-setting.ts'

const perMinute = Type.Integer({ minimum: 1, maximum: 1_000_000_000 })

/** How many requests are accepted. */
export const rateLimitSettings = {
  rateLimit: defineSetting({
    env: 'RATE_LIMIT',
    schema: perMinute,
    default: 60,
    doc: 'Requests per minute and token, counted separately for milestones, for members and invitations, and for CI uploads. Also pages of shared reports per minute and IP address, and ten times as many of their files.',
  }),
  rateLimitOther: defineSetting({
    env: 'RATE_LIMIT_OTHER',
    schema: perMinute,
    default: 600,
    doc: 'Requests per minute and token or session for all other endpoints.',
  }),
  rateLimitSignIn: defineSetting({
    env: 'RATE_LIMIT_SIGN_IN',
    schema: perMinute,
    default: 10,
    doc: 'Wrong passwords per minute from an IP address, and for an account from one; ten times as many per hour for an account. Also requests for password resets, and for options of passkeys, per minute and IP address.',
  }),
  rateLimitInvalidTokens: defineSetting({
    env: 'RATE_LIMIT_INVALID_TOKENS',
    schema: perMinute,
    default: 60,
    doc: 'Requests with an invalid token per minute and IP address, and as many with an invalid session. After that, those that were not valid in the last hour are rejected without looking them up.',
  }),
  rateLimitFiles: defineSetting({
    env: 'RATE_LIMIT_FILES',
    schema: perMinute,
    default: 6000,
    doc: 'Requests per minute and token or session that send or read a file.',
  }),
  redisUrl: defineSetting({
    env: 'REDIS_URL',
    schema: Type.String({
      // Nothing after the database number: a password with an unencoded `?` or `#` would be cut off there.
      pattern: '^rediss?://[^\\s/?#]+(?:/[0-9]*)?$',
      format: 'encoded-url',
      description: 'a redis:// or rediss:// URL: redis://user:password@host:6379/0',
    }),
    default: null,
    doc: 'Redis, `redis://user:password@host:6379/0`, in which several servers share their rate limits.',
    isSecret: true,
  }),
}
