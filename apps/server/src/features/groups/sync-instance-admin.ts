import type { Database } from '../../platform/database/connect.ts'
import { lockActiveAdmins, lockRights, updateRights } from '../admin/instance-users.queries.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'

/**
 * Makes a user an instance administrator, or no longer, by a group of the sign-in provider. Those whom a person made one stay.
 * @returns whether the user stays one, because there is no other
 */
export async function syncInstanceAdmin(
  db: Database,
  actor: AuditActor,
  userId: string,
  groups: readonly string[],
  adminGroup: string | null,
): Promise<boolean> {
  const isInGroup = adminGroup !== null && groups.includes(adminGroup)
  const columns = ['is_instance_admin', 'is_admin_by_group'] as const
  const user = await db.selectFrom('users').select(columns).where('id', '=', userId).executeTakeFirst()
  if (user === undefined || (isInGroup ? user.is_instance_admin : !user.is_admin_by_group)) return false
  return await db.transaction().execute(async (tx) => {
    const activeAdmins = await lockActiveAdmins(tx)
    const rights = await lockRights(tx, userId)
    if (rights === undefined || rights.isInstanceAdmin === isInGroup) return false
    const subject = { kind: 'user', id: userId } as const
    if (!isInGroup && activeAdmins.every((id) => id === userId)) {
      await recordAudit(tx, actor, { action: 'user.keep_last_instance_admin', subject, detail: { by: 'groups' } })
      return true
    }
    await updateRights(tx, userId, { ...rights, isInstanceAdmin: isInGroup }, isInGroup)
    const action = isInGroup ? 'user.grant_instance_admin' : 'user.withdraw_instance_admin'
    await recordAudit(tx, actor, { action, subject, detail: { by: 'groups' } })
    return false
  })
}
