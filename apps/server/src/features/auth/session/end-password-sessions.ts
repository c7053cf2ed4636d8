import type { Database } from '../../../platform/database/connect.ts'
import { recordAudit, SYSTEM_ACTOR } from '../../audit/record-audit.ts'
import { deletePasswordSessions } from './session.queries.ts'

/** Ends all sessions that began with a password or a passkey alone. Called at each start of a server that requires single sign-on. */
export async function endPasswordSessions(db: Database): Promise<number> {
  return await db.transaction().execute(async (tx) => {
    const count = await deletePasswordSessions(tx)
    if (count > 0) {
      await recordAudit(tx, SYSTEM_ACTOR, {
        action: 'session.end_password_sessions',
        subject: { kind: 'instance', id: null, name: 'Instance settings' },
        detail: { by: 'SIGN_IN', count },
      })
    }
    return count
  })
}
