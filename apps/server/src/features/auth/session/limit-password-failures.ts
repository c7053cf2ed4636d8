import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Deps } from '../../../deps.ts'
import { toBrowserKey } from '../../../access/limit-requests.ts'
import type { FailureGroup } from '../../../access/rate-limits.ts'
import { hashSecret } from '../../../access/secret.ts'
import type { QueueClient } from '../../../platform/fair-queue.ts'
import { getClientKey } from '../../../platform/http/client-address.ts'
import { consumeRateLimit, type FailureLimit, limitFailures } from '../../../platform/http/rate-limit.ts'
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

/** @param client whose turn it is to have a password checked */
type Check<T> = (client: QueueClient) => Promise<T | null>

/**
 * Checks a password to sign in, unless too many checks have failed: for this account and IP address, from this address for
 * any account, or for this account in all browsers that are new to it. A browser in which the user has signed in before has
 * a limit of its own in place of all of these, so that the guesses of others do not lock out the owner of an account.
 * @param check returns null when the password is wrong
 * @throws {Problem} 429, 503
 */
export async function limitSignInFailures<T>(
  deps: Deps,
  { secretKind = 'passwords', ...attempt }: PasswordAttempt,
  check: Check<T>,
): Promise<T | null> {
  const account = toEmailKey(attempt.email)
  const browser = await findKnownBrowser(deps, attempt)
  const address = getClientKey(attempt.request.ip)
  const client = browser ?? address
  // Who gives codes knows the password already.
  const addressLimits =
    browser === null && secretKind === 'passwords' ? [createAddressLimit(deps, { account, address })] : []
  const limits = [
    ...(browser === null ? [createClientLimit(deps, 'sign-in-failures', { account, client, secretKind })] : []),
    ...addressLimits,
    createAccountLimit(deps, 'sign-in-failures', { account, browser, secretKind }),
  ]
  const result = await limitFailures(limits, attempt.reply, () => check({ key: client, isKnown: browser !== null }))
  // Each starts a session. Only who knows the password can use this limit up.
  if (result !== null) await consumeRateLimit(deps.rateLimits['account-sign-ins'], toKey(account), attempt.reply)
  return result
}

/**
 * The same for the current password in a password change. It has limits of its own, which failed sign-ins do not reach.
 * @param client the id of the session or token
 */
export async function limitPasswordChangeFailures<T>(
  deps: Deps,
  { client, secretKind = 'passwords', ...attempt }: PasswordAttempt & { client: string },
  check: Check<T>,
): Promise<T | null> {
  const account = toEmailKey(attempt.email)
  const browser = await findKnownBrowser(deps, attempt)
  const limits = [
    createClientLimit(deps, 'password-change-failures', { account, client, secretKind }),
    createAccountLimit(deps, 'password-change-failures', { account, browser, secretKind }),
  ]
  return await limitFailures(limits, attempt.reply, () => check({ key: client, isKnown: true }))
}

/**
 * Returns the key of the browser that sent a request if the user with the email address has signed in in it before. The
 * browser of another user is none: its user could guess with a new one after each sign-in.
 */
async function findKnownBrowser(
  { db, cookies }: Deps,
  { request, email }: Pick<PasswordAttempt, 'request' | 'email'>,
): Promise<string | null> {
  const secret = cookies.read(request, 'browser')
  return secret !== null && (await isKnownBrowser(db, email, secret)) ? toBrowserKey(secret) : null
}

type SecretKind = NonNullable<PasswordAttempt['secretKind']>

const createClientLimit = (
  { rateLimits }: Deps,
  group: FailureGroup,
  { account, client, secretKind }: { account: string; client: string; secretKind: SecretKind },
): FailureLimit => ({
  limiter: rateLimits[group],
  key: toKey(account, client),
  describe: (wait) => `Too many wrong ${secretKind}. Try again in ${wait}.`,
})

/**
 * Bounds the guesses from an address at all accounts together. A few attempts at each account remain possible after that,
 * for a new browser of somebody at the same address.
 */
const createAddressLimit = (
  { rateLimits }: Deps,
  { account, address }: { account: string; address: string },
): FailureLimit => ({
  limiter: rateLimits['address-sign-in-failures'],
  key: address,
  reserve: { limiter: rateLimits['account-reserve'], key: toBucket(account, address) },
  describe: (wait) =>
    `Too many wrong passwords from your network. Try again in ${wait}, or use a browser in which you have signed in before.`,
})

/** A known browser has a limit of its own, so that one that was stolen cannot guess without end. */
const createAccountLimit = (
  { rateLimits }: Deps,
  group: FailureGroup,
  { account, browser, secretKind }: { account: string; browser: string | null; secretKind: SecretKind },
): FailureLimit => ({
  limiter: rateLimits[`account-${group}`],
  key: browser === null ? toBucket(account) : toKey(account, browser),
  describe: (wait) =>
    `Too many wrong ${secretKind} for this account. Try again in ${wait}, ${secretKind === 'passwords' ? 'use a browser in which you have signed in before, or reset your password at /reset' : 'or use a browser in which you have signed in before'}.`,
})

const hashParts = (parts: string[]) => hashSecret(parts.join('\0'))

/** Hashed, because the limits may be in a shared Redis. */
const toKey = (...parts: string[]): string => hashParts(parts).toString('base64')

/**
 * One of 2^18 keys. Strangers can name any number of accounts that do not exist, and what is counted for an hour takes
 * memory for as long. Two accounts rarely share a key, and then only their limit.
 */
export const toBucket = (...parts: string[]): string => (hashParts(parts).readUIntBE(0, 3) & 0x3_ffff).toString(36)
