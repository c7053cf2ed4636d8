import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Deps } from '../../../deps.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { goneProblem } from '../../../platform/http/problems.ts'
import { describeRevokedInvitations } from '../../invitations/describe-revoked-invitations.ts'
import { recordAudit, toUserActor } from '../../audit/record-audit.ts'
import { hashPassword } from '../password.ts'
import { requireStrongPassword } from '../password-strength.ts'
import { endTraces } from '../recovery/end-traces.ts'
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
  /** Whether somebody else may have used the account, so that tokens and invitations end, too. */
  revokeTokens: boolean
}

/**
 * Sets a new password with a reset link and signs in. A second factor stays, and is asked for. Everything else that is or leads
 * to a session ends, including that of an attacker; more ends, or is listed for review, if the user says that somebody else may
 * have used the account, or if the email address was never confirmed (`recovery/traces.ts`).
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
    const way = isFirstConfirmation ? 'take_over' : revokeTokens ? 'secured_reset' : 'password_reset'
    const { revokedInvitations, revokedShareCount } = await endTraces(tx, way, { userId })
    // After the traces, so that it says what is left to check.
    const updatedUser = await updatePasswordHash(tx, userId, passwordHash)
    const actor = toUserActor(userId, request)
    await recordAudit(tx, actor, {
      action: 'password.reset',
      subject: { kind: 'user', id: userId },
      detail: {
        revoked_tokens: way !== 'password_reset',
        ...describeRevokedInvitations(revokedInvitations),
        ...(revokedShareCount === 0 ? {} : { revoked_share_count: revokedShareCount }),
      },
    })
    const kind = way === 'password_reset' ? way : 'account_secured'
    await enqueueSecurityNotice(tx, actor, { kind, userId })
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
