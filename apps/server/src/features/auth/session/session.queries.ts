import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import type { Database } from '../../../platform/database/connect.ts'
import { isSessionActive } from '../../../access/principals.queries.ts'
import { generateSecret, hashSecret } from '../../../access/secret.ts'

/** A session and its cookie expire this long after sign-in, even if the session is used. */
export const SESSION_DAYS = 90

const USER_AGENT_LENGTH = 300

/** Stores the hash of a new session's secret, and returns the secret. The session counts as confirmed just now. */
export async function insertSession(db: Database, userId: string, userAgent: string | undefined): Promise<string> {
  const secret = generateSecret()
  await db
    .insertInto('sessions')
    .values({
      id: uuidv7(),
      user_id: userId,
      secret_hash: hashSecret(secret),
      user_agent: (userAgent ?? '').slice(0, USER_AGENT_LENGTH),
      expires_at: sql<Date>`now() + ${SESSION_DAYS} * interval '1 day'`,
    })
    .execute()
  return secret
}

export type SessionRow = Awaited<ReturnType<typeof selectSessions>>[number]

export async function selectSessions(db: Database, userId: string) {
  return await db
    .selectFrom('sessions')
    .select(['id', 'user_agent', 'created_at', 'last_seen_at', 'expires_at'])
    .where('user_id', '=', userId)
    .where(isSessionActive)
    .orderBy('id', 'desc')
    .execute()
}

/** Keeps a session from being ended until the transaction ends; returns false when it has ended. */
export async function lockSession(tx: Database, id: string): Promise<boolean> {
  const session = await tx.selectFrom('sessions').select('id').where('id', '=', id).forKeyShare().executeTakeFirst()
  return session !== undefined
}

/** Deletes a session; returns false when the user has no session with this id. */
export async function deleteSession(db: Database, userId: string, id: string): Promise<boolean> {
  const deleted = await db.deleteFrom('sessions').where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

export async function deleteSessionBySecret(db: Database, secret: string): Promise<void> {
  await db.deleteFrom('sessions').where('secret_hash', '=', hashSecret(secret)).execute()
}

/** Deletes all sessions of a user, except for one if given; returns how many. */
export async function deleteUserSessions(db: Database, userId: string, exceptId: string | null): Promise<number> {
  const deleted = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where(sql<boolean>`id is distinct from ${exceptId}::uuid`)
    .executeTakeFirst()
  return Number(deleted.numDeletedRows)
}

/** Deletes the expired and idle sessions of a user. Called at each sign-in, so that they do not accumulate. */
export async function deleteEndedSessions(db: Database, userId: string): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where(sql<boolean>`not (${isSessionActive})`)
    .execute()
}
