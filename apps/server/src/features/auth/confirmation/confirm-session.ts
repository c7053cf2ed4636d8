import type { ConfirmBody, ConfirmationMethod } from '@caseward/contract/confirmation'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { requireUserPrincipal } from '../../../access/request.ts'
import type { Deps } from '../../../deps.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { runAfterEnd } from '../../../platform/database/request-transaction.ts'
import type { QueueClient } from '../../../platform/fair-queue.ts'
import { forbiddenProblem, invalidFieldProblem, unauthenticatedProblem } from '../../../platform/http/problems.ts'
import { getActor, recordAudit } from '../../audit/record-audit.ts'
import { verifyPassword } from '../password.ts'
import type { ProofPurpose } from '../second-factors/passkeys.queries.ts'
import { recordUsedProof, recordWrongProof } from '../second-factors/record-proof.ts'
import {
  parseProof,
  type SecondFactorProof,
  takeProofChallenge,
  useSecondFactor,
  wrongProofProblem,
} from '../second-factors/use-second-factor.ts'
import { limitPasswordChangeFailures } from '../session/limit-password-failures.ts'
import { recordRejection } from '../session/record-rejection.ts'
import { findUser, lockUnchangedPassword, lockUser, type UserRow } from '../users/users.queries.ts'
import { type ConfirmationRow, confirmSession as saveConfirmation, findConfirmation } from './confirmation.queries.ts'
import { listConfirmationMethods } from './list-confirmation-methods.ts'

/** Hook for endpoints of sessions. */
export async function requireSession(request: Pick<FastifyRequest, 'principal'>): Promise<void> {
  if (requireUserPrincipal(request).kind !== 'session') throw sessionRequiredProblem()
}

/** @throws {Problem} 401 when the session of a request has ended */
export async function requireConfirmation(
  { db }: Pick<Deps, 'db'>,
  request: Pick<FastifyRequest, 'principal'>,
): Promise<ConfirmationRow> {
  const confirmation = await findConfirmation(db, requireUserPrincipal(request).key)
  if (confirmation === undefined) throw sessionEndedProblem()
  return confirmation
}

/** A session that began with a passkey alone had two factors: the device, and what unlocks it. So must its confirmation. */
export const toConfirmationPurpose = (
  request: Pick<FastifyRequest, 'principal'>,
  { userId, hasPasskeySession }: ConfirmationRow,
): ProofPurpose => ({
  purpose: 'confirmation',
  userId,
  boundTo: requireUserPrincipal(request).key,
  requiresUserVerification: hasPasskeySession,
})

/**
 * Confirms the session of a request with the password or a second factor.
 * @returns until when the confirmation counts as recent
 * @throws {Problem} 400 for a wrong proof, or a password that is not enough for this session; 401 for an ended session; 429;
 *   503
 */
export async function confirmSession(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { password, ...proofFields }: ConfirmBody,
): Promise<Date> {
  const { key: sessionId, userId } = requireUserPrincipal(request)
  const proof = Object.values(proofFields).some((field) => field !== undefined) ? parseProof(proofFields) : null
  if ((password === undefined) === (proof === null)) throw exactlyOneProofProblem()
  const confirmation = await requireConfirmation(deps, request)
  const user = await findUser(deps.db, userId)
  if (user === undefined) throw sessionEndedProblem()
  const attempt = { request, reply, email: user.email, client: sessionId }
  if (proof !== null) {
    const until = await limitPasswordChangeFailures(deps, { ...attempt, secretKind: 'codes' }, () =>
      confirmWithSecondFactor(deps, request, proof, toConfirmationPurpose(request, confirmation)),
    )
    if (until !== null) return until
    await recordWrongProof(deps.db, getActor(request), userId, proof)
    throw wrongProofProblem(proof)
  }
  const methods = await listConfirmationMethods(deps, confirmation)
  if (!methods.includes('password')) throw passwordNotEnoughProblem()
  const until = await limitPasswordChangeFailures(deps, attempt, (client) =>
    confirmWithPassword(deps, request, user, { password: password ?? '', client }),
  )
  if (until === null) {
    const rejection = { userId, method: 'password', purpose: 'confirmation' } as const
    await runAfterEnd(() => recordRejection(deps.db, request, rejection))
    throw wrongPasswordProblem()
  }
  return until
}

/** Returns null for a wrong password. */
async function confirmWithPassword(
  { db }: Deps,
  request: FastifyRequest,
  user: UserRow,
  { password, client }: { password: string; client: QueueClient },
): Promise<Date | null> {
  if (!(await verifyPassword(password, user.password_hash, client))) return null
  return await db.transaction().execute(async (tx) => {
    if (!(await lockUnchangedPassword(tx, user))) return null
    return await recordConfirmation(tx, request, 'password')
  })
}

/** Returns null for a wrong proof. */
async function confirmWithSecondFactor(
  deps: Deps,
  request: FastifyRequest,
  proof: SecondFactorProof,
  purpose: ProofPurpose,
): Promise<Date | null> {
  const actor = getActor(request)
  const { userId } = purpose
  const challenge = await takeProofChallenge(deps, proof, purpose)
  return await deps.db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    if (!(await useSecondFactor(tx, deps, proof, { purpose, challenge, actor, log: request.log }))) return null
    await recordUsedProof(tx, actor, userId, proof)
    return await recordConfirmation(tx, request, proof.method)
  })
}

/** @throws {Problem} 401 when the session has ended meanwhile */
async function recordConfirmation(tx: Database, request: FastifyRequest, method: ConfirmationMethod): Promise<Date> {
  const { key: sessionId, userId } = requireUserPrincipal(request)
  const until = await saveConfirmation(tx, sessionId, { hasSecondFactor: method !== 'password' })
  if (until === undefined) throw sessionEndedProblem()
  await recordAudit(tx, getActor(request), {
    action: 'session.confirm',
    subject: { kind: 'user', id: userId },
    detail: { method },
  })
  return until
}

const exactlyOneProofProblem = () =>
  invalidFieldProblem('', 'must have exactly one of the fields password, totp_code, passkey and recovery_code')

const wrongPasswordProblem = () => invalidFieldProblem('/password', 'is not your password', 'wrong_password')

const passwordNotEnoughProblem = () =>
  invalidFieldProblem('/password', 'is not enough: confirm with a second factor', 'password_not_enough')

const sessionEndedProblem = () => unauthenticatedProblem('Your session has just ended. Sign in again.')

const sessionRequiredProblem = () =>
  forbiddenProblem(
    'This requires the session of a browser, because a token cannot prove who uses it. Sign in, and send the cookie of the session.',
    'session_required',
  )
