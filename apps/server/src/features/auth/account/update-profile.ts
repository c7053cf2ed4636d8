import type { Database } from '../../../platform/database/connect.ts'
import { type AuditActor, recordAudit } from '../../audit/record-audit.ts'
import { type AccountChange, updateUser, type UserRow } from '../users/users.queries.ts'

/** Changes a user's name or picture. The new name is recorded: it is the one that others see, also in the audit log. */
export async function updateProfile(
  db: Database,
  actor: AuditActor,
  user: UserRow,
  change: AccountChange,
): Promise<UserRow> {
  return await db.transaction().execute(async (tx) => {
    const updated = await updateUser(tx, user.id, change)
    const detail = updated.name === user.name ? {} : { name: { from: user.name, to: updated.name } }
    await recordAudit(tx, actor, { action: 'user.update', subject: { kind: 'user', id: user.id }, detail })
    return updated
  })
}
