import type { Database } from '../../../platform/database/connect.ts'
import { endTraces } from '../recovery/end-traces.ts'
import { confirmEmail, updatePasswordHash } from '../users/users.queries.ts'

/**
 * Gives an account to the owner of its email address, which was not confirmed before. The password and everything else that
 * another person may have created end, or are listed for review (`recovery/traces.ts`).
 * @param tx transaction that has locked the user
 */
export async function takeOverAccount(tx: Database, userId: string): Promise<void> {
  await endTraces(tx, 'take_over', { userId })
  await updatePasswordHash(tx, userId, null)
  await confirmEmail(tx, userId)
}
