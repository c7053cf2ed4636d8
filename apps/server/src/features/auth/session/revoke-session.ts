import type { Database } from '../../../platform/database/connect.ts'
import { isUuid } from '../../../platform/http/ids.ts'
import { notFoundProblem } from '../../../platform/http/problems.ts'
import { type AuditActor, recordAudit } from '../../audit/record-audit.ts'
import { deleteSession } from './session.queries.ts'

/**
 * Ends one of a user's sessions.
 * @throws {Problem} 404 for an unknown session
 */
export async function revokeSession(db: Database, actor: AuditActor, userId: string, id: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (!isUuid(id) || !(await deleteSession(tx, userId, id))) throw notFoundProblem('session')
    await recordAudit(tx, actor, { action: 'session.end', subject: { kind: 'user', id: userId } })
  })
}
