import type { Database } from '../../../platform/database/connect.ts'
import { deletePendingSignIns } from '../second-factors/pending-sign-ins.queries.ts'
import { deleteProviderSessions } from '../session/session.queries.ts'
import { deletePendingIdentities } from './single-sign-on.queries.ts'

/**
 * Ends what began with single sign-on, when the link with the provider is removed: sessions, and sign-ins that are not complete.
 * @param exceptSessionId the session of the caller
 */
export async function endSignOns(tx: Database, userId: string, exceptSessionId: string | null = null): Promise<void> {
  await deletePendingIdentities(tx, userId)
  await deletePendingSignIns(tx, userId)
  await deleteProviderSessions(tx, userId, exceptSessionId)
}
