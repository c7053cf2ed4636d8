import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Principal } from '../../../access/principal.ts'
import type { Deps } from '../../../deps.ts'
import { runAfterEnd } from '../../../platform/database/request-transaction.ts'
import { invalidFieldProblem } from '../../../platform/http/problems.ts'
import { type AuditActor, recordAudit } from '../../audit/record-audit.ts'
import { hashPassword, verifyPassword } from '../password.ts'
import { requireStrongPassword } from '../password-strength.ts'
import { endTraces } from '../recovery/end-traces.ts'
import { enqueueSecurityNotice } from '../security-mail/enqueue-security-notice.ts'
import { limitPasswordChangeFailures } from '../session/limit-password-failures.ts'
import { recordRejection } from '../session/record-rejection.ts'
import { requirePasswordsAllowed } from '../session/require-passwords-allowed.ts'
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
 * Changes a user's password after checking the current one. Everything else that is or leads to a session of the user ends
 * (`recovery/traces.ts`). When several changes give the same current password at the same time, only the first succeeds.
 * @throws {Problem} 400, 403, 429, 503
 */
export async function changePassword(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { user, currentPassword, newPassword, principal, actor, otherChanges = {} }: PasswordChange,
): Promise<UserRow> {
  requirePasswordsAllowed(deps)
  if (user.password_hash === null) throw noPasswordProblem()
  if (currentPassword === undefined)
    throw invalidFieldProblem('/current_password', 'is required to change the password')
  await requireStrongPassword(newPassword, { email: user.email, name: otherChanges.name ?? user.name })
  const attempt = { request, reply, email: user.email, client: principal.key }
  const correctPassword = await limitPasswordChangeFailures(deps, attempt, async (queueClient) =>
    (await verifyPassword(currentPassword, user.password_hash, queueClient)) ? currentPassword : null,
  )
  if (correctPassword === null) {
    const rejection = { userId: user.id, method: 'password', purpose: 'password change' } as const
    await runAfterEnd(() => recordRejection(deps.db, request, rejection))
    throw wrongPasswordProblem()
  }
  const passwordHash = await hashPassword(newPassword, { key: principal.key, isKnown: true })
  const changed = await deps.db.transaction().execute(async (tx) => {
    const replaced = await replacePasswordHash(tx, user, passwordHash, otherChanges)
    if (replaced === undefined) throw wrongPasswordProblem()
    await endTraces(tx, 'password_change', {
      userId: user.id,
      sessionId: principal.kind === 'session' ? principal.key : null,
      browser: principal.kind === 'session' ? deps.cookies.read(request, 'browser') : null,
    })
    const detail = replaced.name === user.name ? {} : { name: { from: user.name, to: replaced.name } }
    await recordAudit(tx, actor, { action: 'password.change', subject: { kind: 'user', id: user.id }, detail })
    await enqueueSecurityNotice(tx, actor, { kind: 'password_change', userId: user.id })
    return replaced
  })
  deps.principalCache.clear()
  return changed
}

const noPasswordProblem = () =>
  invalidFieldProblem(
    '/password',
    'cannot be changed because your account has no password: request a link at /reset to set one',
    'no_password',
  )

const wrongPasswordProblem = () =>
  invalidFieldProblem('/current_password', 'is not your current password', 'wrong_password')
