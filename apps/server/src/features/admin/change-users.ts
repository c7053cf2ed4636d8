import type { UpdateUserBody } from '@caseward/contract/admin'

import { instanceAdminRequiredProblem } from '../../access/permissions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { notFoundProblem, unprocessableProblem } from '../../platform/http/problems.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { deleteAccount } from '../auth/account/delete-account.ts'
import { endTraces } from '../auth/recovery/end-traces.ts'
import { enqueueSecurityNotice } from '../auth/security-mail/enqueue-security-notice.ts'
import { removeAllSecondFactors } from '../auth/second-factors/remove-all-second-factors.ts'
import { describeRevokedInvitations } from '../invitations/describe-revoked-invitations.ts'
import * as users from './instance-users.queries.ts'

/**
 * Disables or enables a user, and grants or withdraws the administration of the instance.
 * @returns the user as a JSON object
 * @throws {Problem} 403 when the caller is not an instance administrator anymore; 404 for an unknown user; 422
 *   `last_instance_admin`
 */
export async function updateUser(
  db: Database,
  actor: AuditActor,
  userId: string,
  change: UpdateUserBody,
): Promise<string> {
  return await db.transaction().execute(async (tx) => {
    const activeAdmins = await users.lockActiveAdmins(tx)
    // The guard may have used a cached right. Whoever has just lost it must not grant it to themselves again.
    if (!activeAdmins.some((id) => id === actor.userId)) throw instanceAdminRequiredProblem()
    const before = await requireRights(tx, userId)
    const { disabled: isDisabled = before.isDisabled, is_instance_admin: isInstanceAdmin = before.isInstanceAdmin } =
      change
    if ((isDisabled || !isInstanceAdmin) && activeAdmins.every((id) => id === userId)) throw lastAdminProblem()
    if (isDisabled !== before.isDisabled || isInstanceAdmin !== before.isInstanceAdmin) {
      await users.updateRights(tx, userId, { isDisabled, isInstanceAdmin })
    }
    if (isDisabled !== before.isDisabled) await setDisabled(tx, actor, userId, isDisabled)
    if (isInstanceAdmin !== before.isInstanceAdmin) {
      const action = isInstanceAdmin ? 'user.grant_instance_admin' : 'user.withdraw_instance_admin'
      await recordAudit(tx, actor, { action, subject: { kind: 'user', id: userId } })
    }
    const user = await users.selectUser(tx, userId)
    if (user === null) throw notFoundProblem('user')
    return user
  })
}

/** Ends all access of a user, and also when the user is enabled again: a sign-in may have raced with the disabling. */
async function setDisabled(tx: Database, actor: AuditActor, userId: string, isDisabled: boolean): Promise<void> {
  const { revokedInvitations } = await endTraces(tx, 'disable', { userId })
  const detail = describeRevokedInvitations(revokedInvitations)
  const action = isDisabled ? 'user.disable' : 'user.enable'
  await recordAudit(tx, actor, { action, subject: { kind: 'user', id: userId }, detail })
  if (isDisabled) await enqueueSecurityNotice(tx, actor, { kind: 'account_disable', userId })
}

/**
 * @throws {Problem} 403 when the caller is not an instance administrator anymore; 404 for an unknown user; 422 as for
 *   {@link deleteAccount}
 */
export async function deleteUser(db: Database, actor: AuditActor, userId: string): Promise<void> {
  if (!isUuid(userId)) throw notFoundProblem('user')
  await deleteAccount(db, actor, userId, (activeAdmins) => {
    if (!activeAdmins.some((id) => id === actor.userId)) throw instanceAdminRequiredProblem()
  })
}

/** @throws {Problem} 404 for an unknown user */
export async function endUserSessions(db: Database, actor: AuditActor, userId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await requireRights(tx, userId)
    await endTraces(tx, 'end_sessions', { userId })
    await recordAudit(tx, actor, { action: 'user.end_sessions', subject: { kind: 'user', id: userId } })
    await enqueueSecurityNotice(tx, actor, { kind: 'sessions_end', userId })
  })
}

/** @throws {Problem} 404 for an unknown user */
export async function revokeUserTokens(db: Database, actor: AuditActor, userId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await requireRights(tx, userId)
    // Recorded first: the caller's own token may be one of them.
    await recordAudit(tx, actor, { action: 'user.revoke_tokens', subject: { kind: 'user', id: userId } })
    await enqueueSecurityNotice(tx, actor, { kind: 'tokens_revoke', userId })
    await endTraces(tx, 'revoke_tokens', { userId })
  })
}

/** @throws {Problem} 404 for an unknown user */
export async function resetSecondFactors(db: Database, actor: AuditActor, userId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await requireRights(tx, userId)
    await removeAllSecondFactors(tx, actor, userId)
  })
}

async function requireRights(tx: Database, userId: string): Promise<users.InstanceRights> {
  const rights = isUuid(userId) ? await users.lockRights(tx, userId) : undefined
  if (rights === undefined) throw notFoundProblem('user')
  return rights
}

const lastAdminProblem = () =>
  unprocessableProblem(
    'last_instance_admin',
    'This is the last active instance administrator. Make another user an instance administrator first.',
  )
