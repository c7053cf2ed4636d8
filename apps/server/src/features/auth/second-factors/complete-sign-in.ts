import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Deps } from '../../../deps.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { Problem } from '../../../platform/http/problems.ts'
import { toUserActor } from '../../audit/record-audit.ts'
import { setSignInCookies, startSession } from '../session/browser-session.ts'
import { limitSignInFailures } from '../session/limit-password-failures.ts'
import { findUser, lockUser, type UserRow } from '../users/users.queries.ts'
import {
  countSignInAttempt,
  deletePendingSignIn,
  findPendingSignIn,
  parsePendingSession,
  type PendingSession,
} from './pending-sign-ins.queries.ts'
import type { ProofPurpose } from './passkeys.queries.ts'
import { recordWrongProof, recordUsedProof } from './record-proof.ts'
import {
  listSecondFactorMethods,
  type SecondFactorProof,
  takeProofChallenge,
  useSecondFactor,
  wrongProofProblem,
} from './use-second-factor.ts'

/** A sign-in that waits for the second factor. */
export interface PendingSignIn {
  secret: string
  userId: string
  email: string
  session: PendingSession
}

/** Finds the sign-in that waits in the browser that sent a request; null when there is none, or it has expired. */
export async function findBrowserSignIn(
  { db, cookies }: Pick<Deps, 'db' | 'cookies'>,
  request: FastifyRequest,
): Promise<PendingSignIn | null> {
  const secret = cookies.read(request, 'sign-in')
  const pending = secret === null ? undefined : await findPendingSignIn(db, secret)
  if (secret === null || pending === undefined) return null
  const { user_id: userId, email, session_start: stored } = pending
  return { secret, userId, email, session: parsePendingSession(stored) }
}

/** A second factor is asked for after the password, so that the authenticator need not verify its user. */
export const toProofPurpose = ({ userId, secret }: PendingSignIn): ProofPurpose => ({
  purpose: 'second_factor',
  userId,
  boundTo: secret,
  requiresUserVerification: false,
})

/**
 * Completes a sign-in with a second factor, and starts the session. A wrong proof counts as a failed sign-in.
 * @throws {Problem} 400 for a wrong proof; 401 `sign_in_expired`; 403 `account_disabled`; 422 `totp_unreadable`; 429
 */
export async function completeSignIn(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  proof: SecondFactorProof,
): Promise<UserRow> {
  const pending = await findBrowserSignIn(deps, request)
  if (pending === null) throw signInExpiredProblem()
  const { secret, userId, email, session } = pending
  const attempt = { request, reply, email, secretKind: 'codes' } as const
  const secrets = await limitSignInFailures(deps, attempt, async () => {
    if (!(await countSignInAttempt(deps.db, secret))) throw signInExpiredProblem()
    const actor = toUserActor(userId, request)
    const purpose = toProofPurpose(pending)
    const challenge = await takeProofChallenge(deps, proof, purpose)
    return await deps.db.transaction().execute(async (tx) => {
      await lockUser(tx, userId)
      if (!(await useSecondFactor(tx, deps, proof, { purpose, challenge, actor, log: request.log }))) return null
      if (!(await deletePendingSignIn(tx, secret))) throw signInExpiredProblem()
      await recordUsedProof(tx, actor, userId, proof)
      return await startSession(tx, deps.cookies, request, userId, { ...session, secondFactor: proof.method })
    })
  })
  if (secrets === null) {
    await recordWrongProof(deps.db, toUserActor(userId, request), userId, proof)
    throw wrongProofProblem(proof)
  }
  deps.principalCache.clear()
  deps.cookies.clear(reply, 'sign-in')
  setSignInCookies(deps, reply, secrets)
  const user = await findUser(deps.db, userId)
  if (user === undefined) throw signInExpiredProblem()
  return user
}

export const signInExpiredProblem = () =>
  new Problem(
    401,
    'sign_in_expired',
    'This sign-in has expired: it was completed already, it took more than 10 minutes, or 5 proofs were wrong. Sign in again.',
    { headers: { 'www-authenticate': 'Bearer' } },
  )

/** 401 for a sign-in that has to be completed with a second factor. */
export async function secondFactorRequiredProblem(db: Database, userId: string): Promise<Problem> {
  return new Problem(
    401,
    'second_factor_required',
    'This account has a second factor. Complete the sign-in with POST /v1/session/second-factor within 10 minutes, with the cookie of this response.',
    {
      headers: { 'www-authenticate': 'Bearer' },
      extensions: { second_factor_methods: await listSecondFactorMethods(db, userId) },
    },
  )
}
