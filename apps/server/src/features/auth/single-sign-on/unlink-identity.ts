import type { Database } from '../../../platform/database/connect.ts'
import { isUuid } from '../../../platform/http/ids.ts'
import { notFoundProblem } from '../../../platform/http/problems.ts'
import { type AuditActor, recordAudit } from '../../audit/record-audit.ts'
import { deleteIdentity } from './single-sign-on.queries.ts'

/**
 * Removes the link between a user's account and an identity of the sign-in provider.
 * @throws {Problem} 404 for an unknown link
 */
export async function unlinkIdentity(db: Database, actor: AuditActor, userId: string, id: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (!isUuid(id) || !(await deleteIdentity(tx, userId, id))) throw notFoundProblem('linked sign-in')
    await recordAudit(tx, actor, { action: 'single_sign_on.unlink', subject: { kind: 'user', id: userId } })
  })
}
