import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Deps } from '../../../deps.ts'
import { Problem } from '../../../platform/http/problems.ts'
import { verifyPassword } from '../password.ts'
import { findUserByEmail, lockUnchangedPassword, type UserRow } from '../users/users.queries.ts'
import { setSessionCookie, startSession } from './browser-session.ts'
import { limitSignInAttempts } from './limit-sign-in-attempts.ts'

/**
 * Signs in with email address and password.
 * @throws {Problem} 401, the same and after the same time for an unknown address and a wrong password; 429
 */
export async function signIn(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { email, password }: { email: string; password: string },
): Promise<UserRow> {
  await limitSignInAttempts(deps, email, reply)
  const found = await findUserByEmail(deps.db, email)
  const isCorrect = await verifyPassword(password, found?.password_hash ?? null)
  if (found === undefined || !isCorrect) throw wrongCredentialsProblem()
  const { user, secret } = await deps.db.transaction().execute(async (tx) => {
    // A change of the password ends all sessions. One that happened since the check must not be followed by a new session.
    const locked = await lockUnchangedPassword(tx, found)
    if (locked === undefined) throw wrongCredentialsProblem()
    return { user: locked, secret: await startSession(tx, deps.cookies, request, locked.id) }
  })
  deps.principalCache.clear()
  setSessionCookie(deps.cookies, reply, secret)
  return user
}

const wrongCredentialsProblem = () =>
  new Problem(401, 'wrong_credentials', 'Incorrect email address or password.', {
    headers: { 'www-authenticate': 'Bearer' },
  })
