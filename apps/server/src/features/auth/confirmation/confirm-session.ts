import type { ConfirmBody } from '@caseward/contract/confirmation'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { requireUserPrincipal } from '../../../access/request.ts'
import type { Deps } from '../../../deps.ts'
import { forbiddenProblem, invalidFieldProblem, unauthenticatedProblem } from '../../../platform/http/problems.ts'
import { getActor, recordAudit } from '../../audit/record-audit.ts'
import { verifyPassword } from '../password.ts'
import { limitPasswordChangeFailures } from '../session/limit-password-failures.ts'
import { findUser, lockUnchangedPassword } from '../users/users.queries.ts'
import { confirmSession as saveConfirmation, findConfirmation } from './confirmation.queries.ts'
import { listConfirmationMethods } from './list-confirmation-methods.ts'

/** Hook for endpoints of sessions. */
export async function requireSession(request: Pick<FastifyRequest, 'principal'>): Promise<void> {
  if (requireUserPrincipal(request).kind !== 'session') throw sessionRequiredProblem()
}

/**
 * Confirms the session of a request.
 * @returns until when the confirmation counts as recent
 * @throws {Problem} 400 for a wrong password, or one that is not enough for this session; 401 for an ended session; 429
 */
export async function confirmSession(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { password }: ConfirmBody,
): Promise<Date> {
  const { key: sessionId, userId } = requireUserPrincipal(request)
  if (password === undefined) throw invalidFieldProblem('', 'must have the field password')
  const [confirmation, user] = [await findConfirmation(deps.db, sessionId), await findUser(deps.db, userId)]
  if (confirmation === undefined || user === undefined) throw sessionEndedProblem()
  const methods = await listConfirmationMethods(deps.db, confirmation)
  if (!methods.includes('password')) throw passwordNotEnoughProblem()
  const attempt = { request, reply, email: user.email, client: sessionId }
  const isCorrect = await limitPasswordChangeFailures(deps, attempt, async () =>
    (await verifyPassword(password, user.password_hash)) ? true : null,
  )
  if (isCorrect === null) throw wrongPasswordProblem()
  return await deps.db.transaction().execute(async (tx) => {
    if (!(await lockUnchangedPassword(tx, user))) throw wrongPasswordProblem()
    const until = await saveConfirmation(tx, sessionId, { hasSecondFactor: false })
    if (until === undefined) throw sessionEndedProblem()
    await recordAudit(tx, getActor(request), {
      action: 'session.confirm',
      subject: { kind: 'user', id: userId },
      detail: { method: 'password' },
    })
    return until
  })
}

const wrongPasswordProblem = () => invalidFieldProblem('/password', 'is not your password', 'wrong_password')

const passwordNotEnoughProblem = () =>
  invalidFieldProblem('/password', 'is not enough to confirm this session', 'password_not_enough')

const sessionEndedProblem = () => unauthenticatedProblem('Your session has just ended. Sign in again.')

const sessionRequiredProblem = () =>
  forbiddenProblem(
    'This requires the session of a browser, because a token cannot prove who uses it. Sign in, and send the cookie of the session.',
    'session_required',
  )
