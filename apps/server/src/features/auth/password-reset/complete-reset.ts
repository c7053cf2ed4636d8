import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Deps } from '../../../deps.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { goneProblem } from '../../../platform/http/problems.ts'
import { revokePendingInvitations } from '../../invitations/invitations.queries.ts'
import { recordAudit, toUserActor } from '../../audit/record-audit.ts'
import { deletePersonalTokens } from '../../tokens/tokens.queries.ts'
import { endSignIns } from '../account/change-password.ts'
import { hashPassword } from '../password.ts'
import { requireStrongPassword } from '../password-strength.ts'
import { deleteSecondFactors } from '../second-factors/second-factors.queries.ts'
import { enqueueSecurityNotice } from '../security-mail/enqueue-security-notice.ts'
import { setSignInCookies, startSession } from '../session/browser-session.ts'
import type { SignIn } from '../session/sign-in.ts'
import { confirmEmail, lockUser, updatePasswordHash } from '../users/users.queries.ts'
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
 * Sets a new password with a reset link and signs in. A second factor stays, and is asked for. All other reset links, all sessions and all known
 * browsers of the user end, including those of an attacker. Personal tokens and the user's pending invitations end if the
 * email address was never confirmed.
 * @throws {Problem} 410 as for {@link requireResetLink}; 400 `weak_password`; 403 `account_disabled`
 */
export async function completeReset(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { secret, password, revokeTokens }: NewPassword,
): Promise<SignIn> {
  const { user_id: userId, email, name } = await requireResetLink(deps.db, secret)
  await requireStrongPassword(password, { email, name })
  const passwordHash = await hashPassword(password, { key: userId, isKnown: true })
  const { user, secrets } = await deps.db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    if (!(await deleteResetLink(tx, secret))) throw resetLinkEndedProblem()
    // The link came by email. Before that, another person may have used the account, created tokens, added second factors
    // and invited people.
    const isFirstConfirmation = await confirmEmail(tx, userId)
    if (isFirstConfirmation) await deleteSecondFactors(tx, userId)
    const updatedUser = await updatePasswordHash(tx, userId, passwordHash)
    await endSignIns(tx, userId)
    // After the sessions, so that none of them creates another token.
    if (revokeTokens || isFirstConfirmation) await deletePersonalTokens(tx, userId)
    if (isFirstConfirmation) await revokePendingInvitations(tx, { userId })
    const actor = toUserActor(userId, request)
    await recordAudit(tx, actor, {
      action: 'password.reset',
      subject: { kind: 'user', id: userId },
      detail: { revoked_tokens: revokeTokens || isFirstConfirmation },
    })
    await enqueueSecurityNotice(tx, actor, { kind: 'password_reset', userId })
    const signIn = await startSession(tx, deps.cookies, request, userId, { isAnnounced: true })
    return { user: updatedUser, secrets: signIn }
  })
  deps.principalCache.clear()
  return { user, isComplete: setSignInCookies(deps, reply, secrets) }
}

const resetLinkEndedProblem = () =>
  goneProblem(
    'reset_link_ended',
    'This password reset link is no longer valid: it or another reset link was used, or it is older than one hour. Request a new link at /reset.',
  )
