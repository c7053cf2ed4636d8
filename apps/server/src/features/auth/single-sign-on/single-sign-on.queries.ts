import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import { generateSecret, hashSecret } from '../../../access/secret.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { getEmailKeySql, toEmailKey } from '../users/email-key.ts'

/** What identifies a user at a provider: the claims `iss` and `sub`, which never change. */
export interface IdentityKey {
  issuer: string
  subject: string
}

/** Returns whether an email address, in upper or lower case of ASCII, is invited to any project. */
export async function hasPendingInvitation(db: Database, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('invitations')
    .select('id')
    .where(getEmailKeySql('email'), '=', toEmailKey(email))
    .where('status', '=', 'pending')
    .where('expires_at', '>', sql<Date>`now()`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the id of the user whose account is linked to an identity. */
export async function findIdentityUser(db: Database, { issuer, subject }: IdentityKey): Promise<string | undefined> {
  const row = await db
    .selectFrom('sign_in_identities')
    .select('user_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.user_id
}

export type IdentityRow = Awaited<ReturnType<typeof selectIdentities>>[number]

/** Reads the identities that are linked to a user's account, at most one for each issuer. */
export async function selectIdentities(db: Database, userId: string) {
  return await db
    .selectFrom('sign_in_identities')
    .select(['id', 'issuer', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
}

/** Links an identity; returns false when it, or another one of the same issuer, is linked already. */
export async function insertIdentity(tx: Database, userId: string, { issuer, subject }: IdentityKey): Promise<boolean> {
  const inserted = await tx
    .insertInto('sign_in_identities')
    .values({ id: uuidv7(), user_id: userId, issuer, subject })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Unlinks all identities of a user; returns their issuers. */
export async function deleteIdentities(tx: Database, userId: string): Promise<string[]> {
  const rows = await tx.deleteFrom('sign_in_identities').where('user_id', '=', userId).returning('issuer').execute()
  return rows.map(({ issuer }) => issuer)
}

/** Unlinks an identity and returns its issuer; undefined when the user has none with this id. */
export async function deleteIdentity(db: Database, userId: string, id: string): Promise<string | undefined> {
  const deleted = await db
    .deleteFrom('sign_in_identities')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('issuer')
    .executeTakeFirst()
  return deleted?.issuer
}

/** What is kept of an identity that waits for the password of the account. */
export interface PendingIdentity extends IdentityKey {
  sessionDigest: Buffer | null
  groups?: string[] | null
}

/** How long a user may take to give the password of the account. */
export const PENDING_MINUTES = 15

/** Stores an identity until the user has given the password of the account. Returns the secret for the browser's cookie. */
export async function insertPendingIdentity(
  tx: Database,
  userId: string,
  { issuer, subject, sessionDigest, groups = null }: PendingIdentity,
): Promise<string> {
  const secret = generateSecret()
  await tx
    .deleteFrom('pending_identities')
    .where('user_id', '=', userId)
    .where('expires_at', '<=', sql<Date>`now()`)
    .execute()
  await tx
    .insertInto('pending_identities')
    .values({
      secret_hash: hashSecret(secret),
      user_id: userId,
      issuer,
      subject,
      provider_session: sessionDigest,
      groups,
      expires_at: sql<Date>`now() + make_interval(mins => ${sql.lit(PENDING_MINUTES)})`,
    })
    .execute()
  return secret
}

/** Finds the identity that waits for a password in a browser, with the user whose password it is. */
export async function findPendingIdentity(db: Database, secret: string) {
  return await db
    .selectFrom('pending_identities')
    .select(['user_id', 'issuer', 'subject', 'provider_session', 'groups'])
    .where('secret_hash', '=', hashSecret(secret))
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
}

/** Returns false when there is none, for example because another request has used it. */
export async function deletePendingIdentity(tx: Database, secret: string): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('pending_identities')
    .where('secret_hash', '=', hashSecret(secret))
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

/** Ends all sign-ons of a user that wait for the password of the account. */
export async function deletePendingIdentities(tx: Database, userId: string): Promise<void> {
  await tx.deleteFrom('pending_identities').where('user_id', '=', userId).execute()
}
