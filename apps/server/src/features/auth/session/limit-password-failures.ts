import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Deps } from '../../../deps.ts'
import type { FailureGroup } from '../../../access/rate-limits.ts'
import { hashSecret } from '../../../access/secret.ts'
import { getClientKey } from '../../../platform/http/client-address.ts'
import { limitFailures } from '../../../platform/http/rate-limit.ts'
import { toEmailKey } from '../users/email-key.ts'
import { isKnownBrowser } from './known-browsers.queries.ts'

/** A password that a client sends for an account. It may be a guess. */
interface PasswordAttempt {
  request: FastifyRequest
  reply: FastifyReply
  /** The email address of the account, which may not exist. */
  email: string
  /** What is guessed; passwords by default. */
  secretKind?: 'passwords' | 'codes'
}

/**
 * Checks a password to sign in, unless too many checks have failed: for this account and IP address, or for this account in
 * all browsers that are new to it. The guesses of others therefore do not lock out the owner of an account.
 * @param check returns null when the password is wrong
 * @throws {Problem} 429
 */
export async function limitSignInFailures<T>(
  deps: Deps,
  attempt: PasswordAttempt,
  check: () => Promise<T | null>,
): Promise<T | null> {
  const client = getClientKey(attempt.request.ip)
  return await limitPasswordFailures(deps, 'sign-in-failures', { ...attempt, client }, check)
}

/**
 * The same for the current password in a password change. It has limits of its own, which failed sign-ins do not reach.
 * @param client the id of the session or token
 */
export async function limitPasswordChangeFailures<T>(
  deps: Deps,
  attempt: PasswordAttempt & { client: string },
  check: () => Promise<T | null>,
): Promise<T | null> {
  return await limitPasswordFailures(deps, 'password-change-failures', attempt, check)
}

async function limitPasswordFailures<T>(
  deps: Deps,
  group: FailureGroup,
  { request, reply, email, client, secretKind = 'passwords' }: PasswordAttempt & { client: string },
  check: () => Promise<T | null>,
): Promise<T | null> {
  const { db, cookies, rateLimits } = deps
  const account = toEmailKey(email)
  const secret = cookies.read(request, 'browser')
  // A known browser has a limit of its own, so that one that was stolen cannot guess without end.
  const knownBrowser = secret !== null && (await isKnownBrowser(db, email, secret)) ? secret : ''
  return await limitFailures(
    [
      {
        limiter: rateLimits[group],
        key: toBucketKey(account, client),
        describe: (wait) => `Too many wrong ${secretKind}. Try again in ${wait}.`,
      },
      {
        limiter: rateLimits[`account-${group}`],
        key: toBucketKey(account, knownBrowser),
        describe: (wait) =>
          `Too many wrong ${secretKind} for this account. Try again in ${wait}, ${secretKind === 'passwords' ? 'use a browser in which you have signed in before, or reset your password at /reset' : 'or use a browser in which you have signed in before'}.`,
      },
    ],
    reply,
    check,
  )
}

/** Hashed, because the buckets may be in a shared Redis. */
const toBucketKey = (...parts: string[]): string => hashSecret(parts.join('\0')).toString('base64')
