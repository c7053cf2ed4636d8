import { randomBytes } from 'node:crypto'

import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import type { Database } from '../../../platform/database/connect.ts'
import { isSessionActive } from '../../../access/principals.queries.ts'
import { hashSecret } from '../../../access/secret.ts'

/** A session ends this long after sign-in, whatever happens. The cookie lasts as long. */
export const SESSION_DAYS = 90

const SECRET_BYTES = 32
const USER_AGENT_LENGTH = 300

/** 32 random bytes, for a cookie or a link. */
export const generateSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url')

/** Stores the hash of a new session's secret, and returns the secret. */
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

/** Ends a session; false when the user has none of this id. */
export async function deleteSession(db: Database, userId: string, id: string): Promise<boolean> {
  const deleted = await db.deleteFrom('sessions').where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

/** Ends whatever session has this secret. */
export async function deleteSessionBySecret(db: Database, secret: string): Promise<void> {
  await db.deleteFrom('sessions').where('secret_hash', '=', hashSecret(secret)).execute()
}

/** Ends all sessions of a user, but for one, if given. */
export async function deleteUserSessions(db: Database, userId: string, except: string | null): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where(sql<boolean>`id is distinct from ${except}::uuid`)
    .execute()
}

/** Removes what has ended by itself: of one user, whenever they sign in. */
export async function deleteEndedSessions(db: Database, userId: string): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where(sql<boolean>`not (${isSessionActive})`)
    .execute()
}
