import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Deps } from '../../../deps.ts'
import { Problem } from '../../../platform/http/problems.ts'
import { verifyPassword } from '../password.ts'
import { findUserByEmail, lockUnchangedPassword, type UserRow } from '../users/users.queries.ts'
import { setSignInCookies, startSession } from './browser-session.ts'
import { limitSignInFailures } from './limit-password-failures.ts'
import { reportDisabled, reportRejection } from './record-rejection.ts'
import { requirePasswordsAllowed } from './require-passwords-allowed.ts'

/** A sign-in, which is not complete while the second factor is missing. */
export interface SignIn {
  user: UserRow
  isComplete: boolean
}

/**
 * Signs in with email address and password.
 * @throws {Problem} 401, the same and after the same time for an unknown address and a wrong password; 403; 429; 503
 */
export async function signIn(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { email, password }: { email: string; password: string },
): Promise<SignIn> {
  requirePasswordsAllowed(deps)
  const user = await limitSignInFailures(deps, { request, reply, email }, async (client) => {
    const found = await findUserByEmail(deps.db, email)
    request.accountId = found?.id ?? null
    const isCorrect = await verifyPassword(password, found?.password_hash ?? null, client)
    return isCorrect && found !== undefined ? found : null
  })
  if (user === null) {
    reportRejection(deps, request, { userId: request.accountId, method: 'password', purpose: 'sign-in' })
    throw wrongCredentialsProblem()
  }
  const secrets = await reportDisabled(deps, request, { userId: user.id, method: 'password' }, () =>
    deps.db.transaction().execute(async (tx) => {
      // A password change ends all sessions. If one has happened since the check, no new session may start.
      const isUnchanged = await lockUnchangedPassword(tx, user)
      if (!isUnchanged) throw wrongCredentialsProblem()
      return await startSession(tx, deps.cookies, request, user.id)
    }),
  )
  deps.principalCache.clear()
  return { user, isComplete: setSignInCookies(deps, reply, secrets) }
}

const wrongCredentialsProblem = () =>
  new Problem(401, 'wrong_credentials', 'Incorrect email address or password.', {
    headers: { 'www-authenticate': 'Bearer' },
  })
