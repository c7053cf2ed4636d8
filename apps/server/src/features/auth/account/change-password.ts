import type { FastifyReply } from 'fastify'

import type { Principal } from '../../../access/principal.ts'
import type { Deps } from '../../../deps.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { invalidFieldProblem } from '../../../platform/http/problems.ts'
import { type AuditActor, recordAudit } from '../../audit/record-audit.ts'
import { hashPassword, verifyPassword } from '../password.ts'
import { deleteResets } from '../password-reset/password-reset.queries.ts'
import { limitSignInAttempts } from '../session/limit-sign-in-attempts.ts'
import { deleteUserSessions } from '../session/session.queries.ts'
import { type AccountChange, replacePasswordHash, type UserRow } from '../users/users.queries.ts'

export interface PasswordChange {
  user: UserRow
  currentPassword: string | undefined
  newPassword: string
  /** The caller. If it is a session, that session does not end. */
  principal: Principal
  actor: AuditActor
  /** Changes to store in the same update. */
  otherChanges?: AccountChange
}

/**
 * Changes a user's password after checking the current one. All other sessions and all reset links of the user end. When
 * several changes give the same current password at the same time, only the first succeeds.
 * @throws {Problem} 400, 429
 */
export async function changePassword(
  deps: Deps,
  reply: FastifyReply,
  { user, currentPassword, newPassword, principal, actor, otherChanges = {} }: PasswordChange,
): Promise<UserRow> {
  await requireCurrentPassword(deps, reply, user, currentPassword)
  const passwordHash = await hashPassword(newPassword)
  const changed = await deps.db.transaction().execute(async (tx) => {
    const replaced = await replacePasswordHash(tx, user, passwordHash, otherChanges)
    if (replaced === undefined) throw wrongPasswordProblem()
    await endSessionsAndResets(tx, user.id, principal.kind === 'session' ? principal.key : null)
    const detail = replaced.name === user.name ? {} : { name: { from: user.name, to: replaced.name } }
    await recordAudit(tx, actor, { action: 'password.change', subject: { kind: 'user', id: user.id }, detail })
    return replaced
  })
  deps.principalCache.clear()
  return changed
}

/** Ends what the old password allowed: the user's sessions, except for one if given, and reset links. */
export async function endSessionsAndResets(tx: Database, userId: string, exceptSessionId: string | null) {
  await deleteUserSessions(tx, userId, exceptSessionId)
  await deleteResets(tx, userId)
}

/** Guesses count as sign-in attempts: a session that was left open must not be a way to find out the password. */
async function requireCurrentPassword(
  deps: Deps,
  reply: FastifyReply,
  user: UserRow,
  currentPassword: string | undefined,
): Promise<void> {
  if (user.password_hash === null) throw noPasswordProblem()
  if (currentPassword === undefined)
    throw invalidFieldProblem('/current_password', 'is required to change the password')
  await limitSignInAttempts(deps, user.email, reply)
  if (!(await verifyPassword(currentPassword, user.password_hash))) throw wrongPasswordProblem()
}

const noPasswordProblem = () =>
  invalidFieldProblem(
    '/password',
    'cannot be changed because your account has no password: request a link at /reset to set one',
    'no_password',
  )

const wrongPasswordProblem = () =>
  invalidFieldProblem('/current_password', 'is not your current password', 'wrong_password')
