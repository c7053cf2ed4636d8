import { checkRole, type ProjectPermission } from '../../access/permissions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { lockActiveMember, type MembershipId } from './members.queries.ts'

/**
 * Checks a user's permission again, under the lock of `lockMembers`: the guard may have used a role that was taken away
 * since, or the user may have been disabled, for example by another server within the last second. Until the transaction
 * ends, the user cannot be disabled.
 * @throws {Problem} 403
 */
export async function requireRole(
  tx: Database,
  { projectId, userId }: MembershipId,
  permission: ProjectPermission,
): Promise<void> {
  const member = await lockActiveMember(tx, { projectId, userId })
  const problem = checkRole(member?.role, permission)
  if (problem !== null) throw problem
}
