import { sql } from 'kysely'

import { generateSecret, hashSecret } from '../../../access/secret.ts'
import type { Database } from '../../../platform/database/connect.ts'

/*
 * `password_resets` has one row per user who requested a reset. `password_reset_links` has one row per email sent for it:
 * links are created when the email is sent, because only the hash of their secret is stored.
 */

const oneHourFromNow = sql<Date>`now() + interval '1 hour'`

/** Records that a reset was requested. Links of earlier requests stay valid. */
export async function saveReset(tx: Database, userId: string): Promise<void> {
  await tx
    .insertInto('password_resets')
    .values({ user_id: userId, expires_at: oneHourFromNow })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ expires_at: oneHourFromNow }))
    .execute()
}

export async function deleteExpiredResetLinks(tx: Database, userId: string): Promise<void> {
  await tx
    .deleteFrom('password_reset_links')
    .where('user_id', '=', userId)
    .where('expires_at', '<=', sql<Date>`now()`)
    .execute()
}

/**
 * Creates a link for a requested reset; returns null when the password has been changed since, the hour is over or the
 * user is disabled. An email that is sent twice contains two links, and both are valid.
 */
export async function createResetLink(db: Database, userId: string) {
  const secret = generateSecret()
  // The share lock waits for a concurrent password change, so that no link is created for a reset that it deletes.
  const created = await sql<{ email: string; expires_at: Date }>`
    with reset as (
      select r.user_id, r.expires_at, users.email from password_resets r join users on users.id = r.user_id
      where r.user_id = ${userId} and r.expires_at > now() and users.disabled_at is null for share of r
    ), link as (
      insert into password_reset_links (secret_hash, user_id, expires_at)
      select ${hashSecret(secret)}::bytea, user_id, expires_at from reset
    )
    select email, expires_at from reset`.execute(db)
  const [link] = created.rows
  return link === undefined ? null : { ...link, secret }
}

export type ResetLink = NonNullable<Awaited<ReturnType<typeof findResetLink>>>

/** Finds a valid link with the user that it belongs to. */
export async function findResetLink(db: Database, secret: string) {
  return await db
    .selectFrom('password_reset_links as link')
    .innerJoin('users', 'users.id', 'link.user_id')
    .select(['link.user_id', 'users.email', 'users.email_confirmed_at', 'users.name', 'link.expires_at'])
    .where('link.secret_hash', '=', hashSecret(secret))
    .where('link.expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
}

/** Deletes a valid link; returns false when there is none, for example because another request has used it. */
export async function deleteResetLink(tx: Database, secret: string): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('password_reset_links')
    .where('secret_hash', '=', hashSecret(secret))
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

/** Deletes what a user has requested, and all links. */
export async function deleteResets(tx: Database, userId: string): Promise<void> {
  // The request goes first: this waits for links that are being created for it, so that the second statement sees them.
  await tx.deleteFrom('password_resets').where('user_id', '=', userId).execute()
  await tx.deleteFrom('password_reset_links').where('user_id', '=', userId).execute()
}
