import type { Deps } from '../../../deps.ts'
import { isUuid } from '../../../platform/http/ids.ts'
import { notFoundProblem, unprocessableProblem } from '../../../platform/http/problems.ts'
import { type AuditActor, recordAudit } from '../../audit/record-audit.ts'
import { arePasswordsAllowed } from '../session/require-passwords-allowed.ts'
import { enqueueSecurityNotice } from '../security-mail/enqueue-security-notice.ts'
import { findUser, lockUser } from '../users/users.queries.ts'
import { endSignOns } from './end-sign-ons.ts'
import { deleteIdentity } from './single-sign-on.queries.ts'

/**
 * Removes the link between a user's account and an identity of the sign-in provider. Other sessions that began with single
 * sign-on end.
 * @param sessionId that of the caller, which stays
 * @throws {Problem} 404 for an unknown link; 422 when there is no other way to sign in
 */
export async function unlinkIdentity(
  deps: Pick<Deps, 'db' | 'singleSignOn'>,
  actor: AuditActor,
  { userId, sessionId }: { userId: string; sessionId: string | null },
  id: string,
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    const issuer = isUuid(id) ? await deleteIdentity(tx, userId, id) : undefined
    if (issuer === undefined) throw notFoundProblem('linked identity')
    if (!arePasswordsAllowed(deps)) throw onlySignInMethodProblem()
    // Read under the lock: a single sign-on may just have taken over the account and removed its password.
    if ((await findUser(tx, userId))?.password_hash === null) throw lastSignInMethodProblem()
    await endSignOns(tx, userId, sessionId)
    await recordAudit(tx, actor, { action: 'single_sign_on.unlink', subject: { kind: 'user', id: userId } })
    await enqueueSecurityNotice(tx, actor, { kind: 'sign_on_unlink', userId, detail: { issuer } })
  })
}

const onlySignInMethodProblem = () =>
  unprocessableProblem(
    'last_sign_in_method',
    'This server accepts only single sign-on, so you could not sign in without the link. The operator of the server can remove it with “admin unlink”.',
  )

const lastSignInMethodProblem = () =>
  unprocessableProblem(
    'last_sign_in_method',
    'Your account has no password, so you cannot sign in without single sign-on. Request a link at /reset to set a password first.',
  )
