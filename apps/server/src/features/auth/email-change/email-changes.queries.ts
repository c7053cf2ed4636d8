import { sql } from 'kysely'

import { generateSecret, hashSecret } from '../../../access/secret.ts'
import { type Database, violatesConstraint } from '../../../platform/database/connect.ts'

/** A change of an email address that waits for a confirmation. */
export interface PendingEmailChange {
  email: string
  expires_at: Date
}

/** Saves a change for an hour, or until the session that requests it ends. A former one and its links end. */
export async function saveEmailChange(
  tx: Database,
  userId: string,
  email: string,
  sessionId: string | null = null,
): Promise<PendingEmailChange> {
  await deleteEmailChange(tx, userId)
  return await tx
    .insertInto('email_changes')
    .values({ user_id: userId, session_id: sessionId, email, expires_at: sql<Date>`now() + interval '1 hour'` })
    .returning(['email', 'expires_at'])
    .executeTakeFirstOrThrow()
}

export async function findEmailChange(db: Database, userId: string): Promise<PendingEmailChange | undefined> {
  return await db
    .selectFrom('email_changes')
    .select(['email', 'expires_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
}

/** Deletes a change with its links, unless the given session requested it; returns false when there is none. */
export async function deleteEmailChange(
  tx: Database,
  userId: string,
  exceptSessionId: string | null = null,
): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('email_changes')
    .where('user_id', '=', userId)
    .where(sql<boolean>`(session_id is null or session_id is distinct from ${exceptSessionId}::uuid)`)
    .executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

/**
 * Creates a link for a pending change; returns undefined when it was canceled or replaced, when its hour is over, or when the
 * user is disabled. Links of the emails before stay valid: they may have arrived.
 */
export async function createEmailChangeLink(db: Database, userId: string) {
  const secret = generateSecret()
  // The share lock waits for a request that replaces the change, so that no link is created for the former address.
  const { rows } = await sql<PendingEmailChange & { is_taken: boolean }>`
    with change as (
      select c.user_id, c.email, c.expires_at from email_changes c join users on users.id = c.user_id
      where c.user_id = ${userId} and c.expires_at > now() and users.disabled_at is null for share of c
    ), link as (
      insert into email_change_links (secret_hash, user_id) select ${hashSecret(secret)}::bytea, user_id from change
    )
    select email, expires_at, exists (
      select from users where lower(users.email collate "C") = lower(change.email collate "C") and id <> ${userId}
    ) as is_taken
    from change`.execute(db)
  const [change] = rows
  return change === undefined ? undefined : { ...change, secret }
}

/** Finds the change of a valid link. */
export async function findLinkedEmailChange(db: Database, secret: string) {
  return await db
    .selectFrom('email_change_links as link')
    .innerJoin('email_changes as change', 'change.user_id', 'link.user_id')
    .select(['change.user_id', 'change.email', 'change.expires_at'])
    .where('link.secret_hash', '=', hashSecret(secret))
    .where('change.expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
}

/**
 * Gives a user a confirmed email address; returns false when another account has it by now. The transaction has then failed.
 */
export async function updateEmail(tx: Database, userId: string, email: string): Promise<boolean> {
  try {
    await tx
      .updateTable('users')
      .set({ email, email_confirmed_at: sql<Date>`now()`, updated_at: sql<Date>`now()` })
      .where('id', '=', userId)
      .execute()
    return true
  } catch (error) {
    if (violatesConstraint(error, 'users_email_key')) return false
    throw error
  }
}
