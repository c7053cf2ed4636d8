import type { Member } from '@caseward/contract/members'

import type { Database } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { notFoundProblem, unprocessableProblem } from '../../platform/http/problems.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { revokePendingInvitations } from '../invitations/invitations.queries.ts'
import { hasCiTokensCreatedBy } from '../tokens/tokens.queries.ts'
import {
  adjustMemberCount,
  deleteMembership,
  hasOtherAdmin,
  lockMembers,
  type MemberRow,
  type MembershipId,
  selectMember,
  updateRole,
} from './members.queries.ts'

/** A member whose role was changed. */
export interface ChangedMembership {
  member: MemberRow
  /** Whether the user created CI tokens of the project that are still valid, and is not an admin anymore. */
  hasCiTokensToReview: boolean
}

/**
 * Changes the role of a member. The pending invitations of a user who is no longer an admin are revoked.
 * @throws {Problem} 404 for an unknown member; 422 `last_admin`
 */
export async function changeRole(
  db: Database,
  actor: AuditActor,
  id: MembershipId,
  role: Member['role'],
): Promise<ChangedMembership> {
  return await db.transaction().execute(async (tx) => {
    await lockMembers(tx, id.projectId)
    const member = await requireMember(tx, id)
    if (member.role === role) return { member, hasCiTokensToReview: false }
    if (member.role === 'admin') await requireOtherAdmin(tx, id)
    await updateRole(tx, id, role)
    await recordChange(tx, actor, id, 'member.change_role', { from: member.role, to: role })
    const hasCiTokensToReview = member.role === 'admin' && (await endAdminActions(tx, id))
    return { member: await requireMember(tx, id), hasCiTokensToReview }
  })
}

/**
 * Removes a member from a project. Everything that the member created is kept, except for pending invitations.
 * @returns whether the user created CI tokens of the project that are still valid
 * @throws {Problem} 404 for an unknown member; 422 `last_admin`
 */
export async function removeMember(
  db: Database,
  actor: AuditActor,
  id: MembershipId,
): Promise<{ hasCiTokensToReview: boolean }> {
  return await db.transaction().execute(async (tx) => {
    await lockMembers(tx, id.projectId)
    const member = await requireMember(tx, id)
    if (member.role === 'admin') await requireOtherAdmin(tx, id)
    await deleteMembership(tx, id)
    await adjustMemberCount(tx, id.projectId, -1)
    await recordChange(tx, actor, id, 'member.remove', { role: member.role })
    return { hasCiTokensToReview: await endAdminActions(tx, id) }
  })
}

async function recordChange(
  tx: Database,
  actor: AuditActor,
  { projectId, userId }: MembershipId,
  action: 'member.change_role' | 'member.remove',
  detail: Record<string, string>,
): Promise<void> {
  await recordAudit(tx, actor, { action, subject: { kind: 'user', id: userId }, projectId, detail })
}

/**
 * Revokes the pending invitations of a user, who could otherwise return with one of them. CI tokens stay valid, because
 * builds use them; returns whether there are any to review.
 */
async function endAdminActions(tx: Database, id: MembershipId): Promise<boolean> {
  await revokePendingInvitations(tx, id)
  return await hasCiTokensCreatedBy(tx, id)
}

async function requireMember(tx: Database, { projectId, userId }: MembershipId): Promise<MemberRow> {
  const member = isUuid(userId) ? await selectMember(tx, projectId, userId) : undefined
  if (member === undefined) throw notFoundProblem('member')
  return member
}

/** Requires the lock on the project's members, so that the other admin cannot be removed at the same time. */
async function requireOtherAdmin(tx: Database, id: MembershipId): Promise<void> {
  if (await hasOtherAdmin(tx, id)) return
  throw unprocessableProblem('last_admin', 'This is the last admin of the project. Make another member an admin first.')
}
