import { type Member, ROLES } from '@caseward/contract/members'

import type { Database } from '../../platform/database/connect.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { notFoundProblem, unprocessableProblem } from '../../platform/http/problems.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { describeRevokedInvitations } from '../invitations/describe-revoked-invitations.ts'
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
  /**
   * Whether the user created CI tokens of the project that are still valid, and is not an admin anymore. They stay valid,
   * because builds use them.
   */
  hasCiTokensToReview: boolean
}

/**
 * Changes the role of a member. The pending invitations of a user who is no longer an admin are revoked.
 * @throws {Problem} 404 for an unknown member; 422 `last_admin` or `role_from_group`
 */
export async function changeRole(
  db: Database,
  actor: AuditActor,
  id: MembershipId,
  role: Member['role'],
): Promise<ChangedMembership> {
  return await transactionWithRowMutex(db, id.projectId, async (tx) => {
    await lockMembers(tx, id.projectId)
    const member = await requireMember(tx, id)
    if (member.group_role !== null && isWeaker(role, member.group_role)) throw roleFromGroupProblem(member.group_role)
    if (member.role === role) return { member, hasCiTokensToReview: false }
    if (member.role === 'admin') await requireOtherAdmin(tx, id)
    await updateRole(tx, id, role)
    const isDemoted = member.role === 'admin'
    const revoked = isDemoted ? await revokePendingInvitations(tx, id) : []
    await recordChange(tx, actor, id, 'member.change_role', { from: member.role, to: role }, revoked)
    return {
      member: await requireMember(tx, id),
      hasCiTokensToReview: isDemoted && (await hasCiTokensCreatedBy(tx, id)),
    }
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
  return await transactionWithRowMutex(db, id.projectId, async (tx) => {
    await lockMembers(tx, id.projectId)
    const member = await requireMember(tx, id)
    if (member.role === 'admin') await requireOtherAdmin(tx, id)
    await deleteMembership(tx, id)
    await adjustMemberCount(tx, id.projectId, -1)
    const revoked = await revokePendingInvitations(tx, id)
    await recordChange(tx, actor, id, 'member.remove', { role: member.role }, revoked)
    return { hasCiTokensToReview: await hasCiTokensCreatedBy(tx, id) }
  })
}

async function recordChange(
  tx: Database,
  actor: AuditActor,
  { projectId, userId }: MembershipId,
  action: 'member.change_role' | 'member.remove',
  roles: Record<string, string>,
  revokedInvitations: readonly string[],
): Promise<void> {
  const detail = { ...roles, ...describeRevokedInvitations(revokedInvitations) }
  await recordAudit(tx, actor, { action, subject: { kind: 'user', id: userId }, projectId, detail })
}

async function requireMember(tx: Database, { projectId, userId }: MembershipId): Promise<MemberRow> {
  const member = isUuid(userId) ? await selectMember(tx, projectId, userId) : undefined
  if (member === undefined) throw notFoundProblem('member')
  return member
}

const isWeaker = (role: Member['role'], other: Member['role']) => ROLES.indexOf(role) > ROLES.indexOf(other)

const roleFromGroupProblem = (role: Member['role']) =>
  unprocessableProblem(
    'role_from_group',
    `A group of the sign-in provider gives this member the role ${role}, which cannot be lowered here. Change the role of the group, or remove the user from it at the provider.`,
  )

/** Requires the lock on the project's members, so that the other admin cannot be removed at the same time. */
async function requireOtherAdmin(tx: Database, id: MembershipId): Promise<void> {
  if (await hasOtherAdmin(tx, id)) return
  throw unprocessableProblem('last_admin', 'This is the last admin of the project. Make another member an admin first.')
}
