import type { Database } from '../../../platform/database/connect.ts'
import { isUuid } from '../../../platform/http/ids.ts'
import { notFoundProblem } from '../../../platform/http/problems.ts'
import { type AuditActor, recordAudit } from '../../audit/record-audit.ts'
import { deleteSession, deleteUserSessions } from './session.queries.ts'

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

/** Ends all sessions of a user except for one, if given: that of the caller. */
export async function endOtherSessions(
  db: Database,
  actor: AuditActor,
  userId: string,
  ownId: string | null,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const count = await deleteUserSessions(tx, userId, ownId)
    await recordAudit(tx, actor, {
      action: 'session.end_others',
      subject: { kind: 'user', id: userId },
      detail: { count },
    })
  })
}
