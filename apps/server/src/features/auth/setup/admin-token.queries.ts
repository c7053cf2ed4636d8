import { sql } from 'kysely'

import { hashSecret } from '../../../access/secret.ts'
import type { Database } from '../../../platform/database/connect.ts'

/*
 * `admin_tokens` has one row for each value that `ADMIN_TOKEN` has had. Its token is null after the token was replaced or
 * revoked.
 */

/** Finds the row of a value; undefined if `ADMIN_TOKEN` never had it. */
export async function findAdminToken(tx: Database, secret: string): Promise<{ token_id: string | null } | undefined> {
  return await tx
    .selectFrom('admin_tokens')
    .select('token_id')
    .where('secret_hash', '=', hashSecret(secret))
    .executeTakeFirst()
}

/** Finds any token with this secret. */
export async function findToken(tx: Database, secret: string): Promise<{ id: string } | undefined> {
  return await tx.selectFrom('api_tokens').select('id').where('secret_hash', '=', hashSecret(secret)).executeTakeFirst()
}

export async function insertAdminToken(tx: Database, secret: string, tokenId: string): Promise<void> {
  await tx
    .insertInto('admin_tokens')
    .values({ secret_hash: hashSecret(secret), token_id: tokenId })
    .execute()
}

/** Revokes the tokens of all earlier values, and the tokens that were created with them. Returns the former. */
export async function deleteEarlierAdminTokens(tx: Database) {
  // Revocations lock the user first: tokens of a user delete each other, which could deadlock.
  await sql`
    select from users where id in (
      select user_id from api_tokens where id in (select token_id from admin_tokens)
    ) order by id for no key update`.execute(tx)
  return await tx
    .deleteFrom('api_tokens')
    .where(
      'id',
      'in',
      tx
        .selectFrom('admin_tokens')
        .select('token_id')
        .where('token_id', 'is not', null)
        .$castTo<{ token_id: string }>(),
    )
    .returning(['id', 'name', 'access', 'user_id'])
    .execute()
}
