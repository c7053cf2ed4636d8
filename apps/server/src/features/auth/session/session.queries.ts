import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import type { Database } from '../../../platform/database/connect.ts'
import { isSessionActive, OWN_SIGN_IN_METHODS, type SessionMethod } from '../../../access/principals.queries.ts'
import { generateSecret, hashSecret } from '../../../access/secret.ts'

/** How a session begins, and when it ends at the latest. */
export interface SessionStart {
  method: SessionMethod
  /** The session and its cookie expire this long after sign-in, even if the session is used. */
  hours: number
  /** What ends the session at the provider; null for a session that did not begin there. */
  provider: ProviderSession | null
  /** When the user has proved who they are; now by default, null when it is not known. */
  confirmedAt?: Date | null
}

/** The user and the session of a sign-in provider. */
export interface ProviderSession {
  issuer: string
  subject: string
  /** The digest of the claim `sid`; null when the provider has not returned it. */
  digest: Buffer | null
}

export const MAX_SESSION_HOURS = 90 * 24
export const PASSWORD_SESSION: SessionStart = { method: 'password', hours: MAX_SESSION_HOURS, provider: null }
/** The session of a sign-in with a passkey alone. */
export const PASSKEY_SESSION: SessionStart = { ...PASSWORD_SESSION, method: 'passkey' }
/** The session of a link that the operator of the server created: long enough to repair the sign-in provider. */
export const LINK_SESSION: SessionStart = { method: 'link', hours: 12, provider: null }

const USER_AGENT_LENGTH = 300

/**
 * Stores the hash of a new session's secret, and returns the secret. The session counts as confirmed just now, unless the
 * user has proved who they are elsewhere.
 */
export async function insertSession(
  db: Database,
  userId: string,
  userAgent: string | undefined,
  {
    method,
    hours,
    provider,
    confirmedAt,
    hasSecondFactor = false,
  }: SessionStart & { hasSecondFactor?: boolean } = PASSWORD_SESSION,
): Promise<string> {
  const secret = generateSecret()
  await db
    .insertInto('sessions')
    .values({
      id: uuidv7(),
      user_id: userId,
      secret_hash: hashSecret(secret),
      user_agent: (userAgent ?? '').slice(0, USER_AGENT_LENGTH),
      has_second_factor: hasSecondFactor,
      expires_at: sql<Date>`now() + ${hours} * interval '1 hour'`,
      // A second factor has just been proved here, whenever the user has signed in at the provider.
      ...(confirmedAt === undefined || hasSecondFactor ? {} : { confirmed_at: confirmedAt }),
      method,
      issuer: provider?.issuer ?? null,
      subject: provider?.subject ?? null,
      provider_session: provider?.digest ?? null,
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

/** Records that the user of a session has proved a second factor in it. */
export async function markSessionSecondFactor(tx: Database, id: string): Promise<void> {
  await tx.updateTable('sessions').set({ has_second_factor: true }).where('id', '=', id).execute()
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

/** Deletes the sessions of a user that began at a sign-in provider, except for one if given: that of the caller. */
export async function deleteProviderSessions(
  tx: Database,
  userId: string,
  exceptId: string | null = null,
): Promise<void> {
  await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('method', '=', 'single_sign_on')
    .where(sql<boolean>`id is distinct from ${exceptId}::uuid`)
    .execute()
}

/** Deletes all sessions that began with a password or a passkey alone; returns how many. */
export async function deletePasswordSessions(tx: Database): Promise<number> {
  const deleted = await tx.deleteFrom('sessions').where('method', 'in', OWN_SIGN_IN_METHODS).executeTakeFirst()
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
