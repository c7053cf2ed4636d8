import type { Database } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { lockUser } from '../auth/users/users.queries.ts'
import { deletePersonalTokens, deleteToken, type TokenOwner } from './tokens.queries.ts'

/**
 * Revokes a token and all tokens that were created with it.
 * @throws {Problem} 404 when the owner has no such token
 */
export async function revokeToken(db: Database, owner: TokenOwner, id: string): Promise<void> {
  const isDeleted =
    isUuid(id) &&
    (await db.transaction().execute(async (tx) => {
      // Tokens of a user delete each other: one revocation at a time prevents deadlocks.
      if (owner.kind === 'personal') await lockUser(tx, owner.userId)
      return await deleteToken(tx, owner, id)
    }))
  if (!isDeleted) throw notFoundProblem('token')
}

/** Revokes all personal tokens of a user, and all tokens that were created with them. */
export async function revokePersonalTokens(db: Database, userId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    await deletePersonalTokens(tx, userId)
  })
}
