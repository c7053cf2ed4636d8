import type { Database } from '../../../platform/database/connect.ts'
import { revokePendingInvitations } from '../../invitations/invitations.queries.ts'
import { deletePersonalTokens } from '../../tokens/tokens.queries.ts'
import { deleteSecondFactors } from '../second-factors/second-factors.queries.ts'
import { confirmEmail, updatePasswordHash } from '../users/users.queries.ts'
import { endSignIns } from './change-password.ts'

/**
 * Gives an account to the owner of its email address, which was not confirmed before. The password, all second factors, all sessions, all
 * personal tokens and all pending invitations that it made end, because another person may have created them.
 * @param tx transaction that has locked the user
 */
export async function takeOverAccount(tx: Database, userId: string): Promise<void> {
  await endSignIns(tx, userId)
  // After the sessions, so that none of them creates another token.
  await deletePersonalTokens(tx, userId)
  await deleteSecondFactors(tx, userId)
  await revokePendingInvitations(tx, { userId })
  await updatePasswordHash(tx, userId, null)
  await confirmEmail(tx, userId)
}
