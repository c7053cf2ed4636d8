import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Deps } from '../../../deps.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { invalidFieldProblem, Problem } from '../../../platform/http/problems.ts'
import { syncGroups } from '../../groups/sync-groups.ts'
import { verifyPassword } from '../password.ts'
import { setSignInCookies, startSession } from '../session/browser-session.ts'
import { limitSignInFailures } from '../session/limit-password-failures.ts'
import { reportRejection } from '../session/record-rejection.ts'
import { requirePasswordsAllowed } from '../session/require-passwords-allowed.ts'
import { MAX_SESSION_HOURS, type SessionStart } from '../session/session.queries.ts'
import { findUser, lockUnchangedPassword, type UserRow } from '../users/users.queries.ts'
import { linkIdentity } from './resolve-sign-on.ts'
import { deletePendingIdentity, findPendingIdentity, type PendingIdentity } from './single-sign-on.queries.ts'

/** A single sign-on that waits for the password of the account with the same email address. */
export interface PendingSignOn {
  secret: string
  identity: PendingIdentity
  user: UserRow
}

/** @throws {Problem} 400 when the browser has none, or it has expired */
export async function requirePendingSignOn(db: Database, secret: string | null): Promise<PendingSignOn> {
  const pending = secret === null ? undefined : await findPendingIdentity(db, secret)
  const user = pending === undefined ? undefined : await findUser(db, pending.user_id)
  if (secret === null || pending === undefined || user === undefined) throw signInFailedProblem()
  const { issuer, subject, provider_session: sessionDigest, groups } = pending
  return { secret, identity: { issuer, subject, sessionDigest, groups }, user }
}

/**
 * Links the account to the identity after checking the password, and signs in. Wrong passwords count as failed sign-ins.
 * @returns false when the second factor is missing
 * @throws {Problem} 400, 403, 429, 503
 */
export async function completeSignOn(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { secret, identity, user, password }: PendingSignOn & { password: string },
): Promise<boolean> {
  requirePasswordsAllowed(deps)
  const correctPassword = await limitSignInFailures(deps, { request, reply, email: user.email }, async (client) =>
    (await verifyPassword(password, user.password_hash, client)) ? password : null,
  )
  if (correctPassword === null) {
    reportRejection(deps, request, { userId: user.id, method: 'password', purpose: 'link of single sign-on' })
    throw wrongPasswordProblem()
  }
  const secrets = await deps.db.transaction().execute(async (tx) => {
    if (!(await lockUnchangedPassword(tx, user))) throw wrongPasswordProblem()
    if (!(await deletePendingIdentity(tx, secret))) throw signInFailedProblem()
    await linkIdentity(tx, request, user.id, identity)
    return await startSession(tx, deps.cookies, request, user.id, { start: toSessionStart(deps, identity) })
  })
  if (identity.groups) await syncGroups(deps, request, user.id, identity.groups)
  deps.principalCache.clear()
  deps.cookies.clear(reply, 'identity')
  return setSignInCookies(deps, reply, secrets)
}

/** A session that began at the provider, which can end it. */
export const toSessionStart = (
  { singleSignOn }: Pick<Deps, 'singleSignOn'>,
  { issuer, subject, sessionDigest: digest }: PendingIdentity,
): SessionStart => ({
  method: 'single_sign_on',
  hours: singleSignOn?.sessionHours ?? MAX_SESSION_HOURS,
  provider: { issuer, subject, digest },
})

const wrongPasswordProblem = () =>
  invalidFieldProblem('/password', 'is not the password of this account', 'wrong_password')

export const signInFailedProblem = () =>
  new Problem(400, 'sign_in_failed', 'Sign-in was not completed: it was canceled or timed out. Try again.')
