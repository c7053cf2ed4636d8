import type { Database } from '../../../platform/database/connect.ts'
import { isUuid } from '../../../platform/http/ids.ts'
import { notFoundProblem } from '../../../platform/http/problems.ts'
import { type AuditActor, recordAudit } from '../../audit/record-audit.ts'
import { endTraces } from '../recovery/end-traces.ts'
import { lockUser } from '../users/users.queries.ts'
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

/**
 * Ends all sessions of a user except for one, if given: that of the caller. What leads to another session ends, too.
 * @param browser the secret of the caller's browser, which stays known
 */
export async function endOtherSessions(
  db: Database,
  actor: AuditActor,
  userId: string,
  { ownId, browser }: { ownId: string | null; browser: string | null },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    const { sessionCount: count } = await endTraces(tx, 'end_sessions', { userId, sessionId: ownId, browser })
    await recordAudit(tx, actor, {
      action: 'session.end_others',
      subject: { kind: 'user', id: userId },
      detail: { count },
    })
  })
}
