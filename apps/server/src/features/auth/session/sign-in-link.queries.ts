import { sql } from 'kysely'

import { generateSecret, hashSecret } from '../../../access/secret.ts'
import type { Database } from '../../../platform/database/connect.ts'

/** How long a link can be used. It may end up in the history of a terminal. */
export const SIGN_IN_LINK_MINUTES = 15

/** Stores the hash of a new link's secret, and returns the secret. An earlier link of the user ends. */
export async function insertSignInLink(tx: Database, userId: string): Promise<string> {
  const secret = generateSecret()
  await deleteSignInLinks(tx, userId)
  await tx
    .insertInto('sign_in_links')
    .values({
      secret_hash: hashSecret(secret),
      user_id: userId,
      expires_at: sql<Date>`now() + make_interval(mins => ${sql.lit(SIGN_IN_LINK_MINUTES)})`,
    })
    .execute()
  return secret
}

export interface SignInLink {
  user_id: string
  name: string
  email: string
}

/** Finds a valid link of a user who is not disabled. */
export async function findSignInLink(db: Database, secret: string): Promise<SignInLink | undefined> {
  return await db
    .selectFrom('sign_in_links as link')
    .innerJoin('users', 'users.id', 'link.user_id')
    .select(['link.user_id', 'users.name', 'users.email'])
    .where('link.secret_hash', '=', hashSecret(secret))
    .where('link.expires_at', '>', sql<Date>`now()`)
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst()
}

/** Ends the links of a user. */
export async function deleteSignInLinks(tx: Database, userId: string): Promise<void> {
  await tx.deleteFrom('sign_in_links').where('user_id', '=', userId).execute()
}

/** Deletes a valid link; returns false when there is none, for example because another request has used it. */
export async function deleteSignInLink(tx: Database, secret: string): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('sign_in_links')
    .where('secret_hash', '=', hashSecret(secret))
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return deleted.numDeletedRows > 0n
}
