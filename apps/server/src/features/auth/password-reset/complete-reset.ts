import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Deps } from '../../../deps.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { goneProblem } from '../../../platform/http/problems.ts'
import { endSessionsAndResets } from '../account/change-password.ts'
import { deletePersonalTokens } from '../../tokens/tokens.queries.ts'
import { hashPassword } from '../password.ts'
import { setSessionCookie, startSession } from '../session/browser-session.ts'
import { lockUser, updatePasswordHash, type UserRow } from '../users/users.queries.ts'
import { deleteResetLink, findResetLink, type ResetLink } from './password-reset.queries.ts'

/** @throws {Problem} 410 when this or another link of the user was used, when it has expired, or when it is unknown */
export async function requireResetLink(db: Database, secret: string): Promise<ResetLink> {
  const link = await findResetLink(db, secret)
  if (link === undefined) throw resetLinkEndedProblem()
  return link
}

interface NewPassword {
  secret: string
  password: string
  /** Whether to revoke the user's personal tokens too, which an attacker may have created. */
  revokeTokens: boolean
}

/**
 * Sets a new password with a reset link and signs in. All other reset links and all sessions of the user
 * end, including those of an attacker.
 * @throws {Problem} 410 as for {@link requireResetLink}
 */
export async function completeReset(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { secret, password, revokeTokens }: NewPassword,
): Promise<UserRow> {
  const { user_id: userId } = await requireResetLink(deps.db, secret)
  const passwordHash = await hashPassword(password)
  const { user, sessionSecret } = await deps.db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    if (!(await deleteResetLink(tx, secret))) throw resetLinkEndedProblem()
    const updatedUser = await updatePasswordHash(tx, userId, passwordHash)
    await endSessionsAndResets(tx, userId, null)
    // After the sessions, so that none of them creates another token.
    if (revokeTokens) await deletePersonalTokens(tx, userId)
    return { user: updatedUser, sessionSecret: await startSession(tx, deps.cookies, request, userId) }
  })
  deps.principalCache.clear()
  setSessionCookie(deps.cookies, reply, sessionSecret)
  return user
}

const resetLinkEndedProblem = () =>
  goneProblem(
    'reset_link_ended',
    'This password reset link is no longer valid: it or another reset link was used, or it is older than one hour. Request a new link at /reset.',
  )
