import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Database } from '../../../platform/database/connect.ts'
import type { Deps } from '../../../deps.ts'
import { consumeRateLimit } from '../../../platform/http/rate-limit.ts'
import { Problem } from '../../../platform/http/problems.ts'
import { hashSecret } from '../../../access/secret.ts'
import { verifyPassword } from '../password.ts'
import { findUserByEmail, type UserRow } from '../users/users.queries.ts'
import { lockUnchangedPassword } from '../account/account.queries.ts'
import * as sessions from './session.queries.ts'

const DAY_SECONDS = 24 * 60 * 60

/**
 * Signs in by e-mail address and password, at the pace that one account allows.
 * @throws {Problem} 401, the same and after the same time for an unknown address and a wrong password; 429
 */
export async function signIn(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { email, password }: { email: string; password: string },
): Promise<UserRow> {
  await limitSignInAttempts(deps, email, reply)
  const user = await findUserByEmail(deps.db, email)
  const isRight = await verifyPassword(password, user?.password_hash ?? null)
  if (user === undefined || !isRight) throw wrongCredentials()
  return await startSession(deps, request, reply, async (tx) => {
    // Changed while it was checked, the password is wrong by now; its change has ended the sessions that there were.
    const held = await lockUnchangedPassword(tx, user)
    if (held === undefined) throw wrongCredentials()
    return held
  })
}

/** Counts a guess at an account's password, wherever it comes from and whether or not there is such an account. */
export async function limitSignInAttempts({ rateLimits }: Deps, email: string, reply: FastifyReply): Promise<void> {
  // Hashed: the buckets may lie in a store that others read.
  const key = hashSecret(email.toLowerCase()).toString('base64')
  await consumeRateLimit(rateLimits['sign-in-account'], key, reply)
}

/**
 * For what signs in without having been asked for a token. Programs send no Origin. Who sends one is a browser, and must
 * come from our own pages: else another site could sign somebody in as somebody else.
 */
export const requireSameOrigin =
  ({ checkOrigin }: Deps) =>
  async (request: FastifyRequest): Promise<void> => {
    if (request.headers.origin !== undefined) checkOrigin(request)
  }

/**
 * Starts a session in this browser. One that it had before ends: nobody goes on with a cookie that was planted.
 * @param resolveUser whose session it is. Runs in the session's own transaction, so that what it holds cannot change before
 */
export async function startSession<User extends { id: string }>(
  { db, cookies, principalCache: principals }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  resolveUser: (tx: Database) => Promise<User>,
): Promise<User> {
  const before = cookies.read(request, 'session')
  const { user, secret } = await db.transaction().execute(async (tx) => {
    const person = await resolveUser(tx)
    if (before !== null) await sessions.deleteSessionBySecret(tx, before)
    await sessions.deleteEndedSessions(tx, person.id)
    return { user: person, secret: await sessions.insertSession(tx, person.id, request.headers['user-agent']) }
  })
  if (before !== null) principals.clear()
  cookies.set(reply, 'session', secret, sessions.SESSION_DAYS * DAY_SECONDS)
  return user
}

/** Ends a session of this browser. */
export async function endSession(
  { db, cookies, principalCache: principals }: Deps,
  secret: string,
  reply: FastifyReply,
): Promise<void> {
  await sessions.deleteSessionBySecret(db, secret)
  principals.clear()
  cookies.clear(reply, 'session')
}

const wrongCredentials = () =>
  new Problem(401, 'wrong_credentials', 'No account has this e-mail address and password.', {
    headers: { 'www-authenticate': 'Bearer' },
  })
