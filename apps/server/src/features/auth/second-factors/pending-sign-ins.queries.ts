import { sql } from 'kysely'

import { generateSecret, hashSecret } from '../../../access/secret.ts'
import type { Database } from '../../../platform/database/connect.ts'

/** How long a user may take to give the second factor. */
export const PENDING_SIGN_IN_MINUTES = 10
/** How many proofs can be tried before the password has to be given again. */
const MAX_ATTEMPTS = 5

/** Stores a sign-in until the second factor is given. Returns the secret for the browser's cookie. */
export async function insertPendingSignIn(tx: Database, userId: string): Promise<string> {
  const secret = generateSecret()
  await tx
    .deleteFrom('pending_sign_ins')
    .where('user_id', '=', userId)
    .where('expires_at', '<=', sql<Date>`now()`)
    .execute()
  await tx
    .insertInto('pending_sign_ins')
    .values({
      secret_hash: hashSecret(secret),
      user_id: userId,
      expires_at: sql<Date>`now() + make_interval(mins => ${sql.lit(PENDING_SIGN_IN_MINUTES)})`,
    })
    .execute()
  return secret
}

/** Finds the sign-in that waits for a second factor in a browser, with its user. */
export async function findPendingSignIn(db: Database, secret: string) {
  return await db
    .selectFrom('pending_sign_ins as pending')
    .innerJoin('users', 'users.id', 'pending.user_id')
    .select(['pending.user_id', 'users.email'])
    .where('pending.secret_hash', '=', hashSecret(secret))
    .where('pending.expires_at', '>', sql<Date>`now()`)
    .where('pending.attempt_count', '<', MAX_ATTEMPTS)
    .executeTakeFirst()
}

/** Counts an attempt before it is made, so that parallel ones cannot exceed the limit; returns false when it is reached. */
export async function countSignInAttempt(db: Database, secret: string): Promise<boolean> {
  const updated = await db
    .updateTable('pending_sign_ins')
    .set((row) => ({ attempt_count: row('attempt_count', '+', 1) }))
    .where('secret_hash', '=', hashSecret(secret))
    .where('expires_at', '>', sql<Date>`now()`)
    .where('attempt_count', '<', MAX_ATTEMPTS)
    .executeTakeFirst()
  return updated.numUpdatedRows > 0n
}

/** Returns false when there is none, for example because another request has completed it. */
export async function deletePendingSignIn(tx: Database, secret: string): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('pending_sign_ins')
    .where('secret_hash', '=', hashSecret(secret))
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

/** Ends all sign-ins of a user that wait for a second factor: the password that they gave is no longer valid. */
export async function deletePendingSignIns(tx: Database, userId: string): Promise<void> {
  await tx.deleteFrom('pending_sign_ins').where('user_id', '=', userId).execute()
}
