import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Deps } from '../../../deps.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { goneProblem, invalidFieldProblem, unprocessableProblem } from '../../../platform/http/problems.ts'
import { toUserActor } from '../../audit/record-audit.ts'
import { verifyPassword } from '../password.ts'
import { endTraces } from '../recovery/end-traces.ts'
import { limitSignInFailures } from '../session/limit-password-failures.ts'
import { reportRejection } from '../session/record-rejection.ts'
import { arePasswordsAllowed } from '../session/require-passwords-allowed.ts'
import { findUser, lockUnchangedPassword, lockUser } from '../users/users.queries.ts'
import { removeFactor } from './change-second-factors.ts'
import { findBrowserSignIn } from './complete-sign-in.ts'
import { deleteRecoveryCodes } from './second-factors.queries.ts'
import { findLinkedFactor, type LinkedFactor } from './second-factor-links.queries.ts'

/** @throws {Problem} 410 for a link of a factor that was removed, that is older than a day, or that is unknown */
export async function requireFactorLink(db: Database, secret: string): Promise<LinkedFactor> {
  const factor = await findLinkedFactor(db, secret)
  if (factor === undefined || factor.disabled_at !== null) throw factorLinkEndedProblem()
  return factor
}

/**
 * How the user of a link proves more than to read the mailbox: with a sign-in that waits for the second factor in this browser,
 * or with the password. Null when neither is possible yet.
 */
export async function findLinkProof(
  deps: Deps,
  request: FastifyRequest,
  userId: string,
): Promise<'sign-in' | 'password' | null> {
  if ((await findBrowserSignIn(deps, request))?.userId === userId) return 'sign-in'
  const user = await findUser(deps.db, userId)
  return arePasswordsAllowed(deps) && user !== undefined && user.password_hash !== null ? 'password' : null
}

/**
 * Removes a factor with the link in the email about it, and ends the sessions and recovery codes of the account: somebody else
 * may have started or seen them. Wrong passwords count as failed sign-ins.
 * @param password not needed while a sign-in waits for the second factor in this browser
 * @throws {Problem} 400 for a wrong password; 410 as for {@link requireFactorLink}; 422 `factor_not_removable`; 429
 */
export async function removeNewFactor(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { secret, password = '' }: { secret: string; password?: string | undefined },
): Promise<LinkedFactor> {
  const { user_id: userId, email } = await requireFactorLink(deps.db, secret)
  const proof = await findLinkProof(deps, request, userId)
  if (proof === null) throw noProofProblem()
  const user = await findUser(deps.db, userId)
  if (user === undefined) throw factorLinkEndedProblem()
  if (proof === 'password') {
    const isRight = await limitSignInFailures(deps, { request, reply, email }, async (queueClient) =>
      (await verifyPassword(password, user.password_hash, queueClient)) ? true : null,
    )
    if (isRight === null) {
      reportRejection(deps, request, { userId, method: 'password', purpose: 'removal of a second factor' })
      throw wrongPasswordProblem()
    }
  }
  const removed = await deps.db.transaction().execute(async (tx) => {
    if (proof === 'sign-in') await lockUser(tx, userId)
    else if (!(await lockUnchangedPassword(tx, user))) throw wrongPasswordProblem()
    // Read again under the lock: the factor may have been removed, or have become the only one.
    const factor = await requireFactorLink(tx, secret)
    if (!factor.isRemovable) throw notRemovableProblem()
    await removeFactor(tx, toUserActor(userId, request), userId, factor.id, { by: 'email' })
    // Whoever added it may have seen or created them.
    await deleteRecoveryCodes(tx, userId)
    await endTraces(tx, 'end_sessions', { userId })
    return factor
  })
  deps.principalCache.clear()
  deps.cookies.clear(reply, 'sign-in')
  return removed
}

const factorLinkEndedProblem = () =>
  goneProblem(
    'factor_link_ended',
    'This link is no longer valid: the second factor was removed, or it was added more than a day ago. An administrator of this server can remove your second factors.',
  )

const notRemovableProblem = () =>
  unprocessableProblem(
    'factor_not_removable',
    'This is the only second factor of an account that had another one before, so an email is not enough to remove it. Ask an administrator of this server to remove it.',
  )

const noProofProblem = () =>
  unprocessableProblem(
    'sign_in_first',
    'Your account has no password. Sign in in this browser until you are asked for a second factor, then open the link again.',
  )

const wrongPasswordProblem = () =>
  invalidFieldProblem('/password', 'is not the password of this account', 'wrong_password')
