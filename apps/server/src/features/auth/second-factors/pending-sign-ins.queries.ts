import { sql } from 'kysely'

import { generateSecret, hashSecret } from '../../../access/secret.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { PASSWORD_SESSION, type SessionStart } from '../session/session.queries.ts'

/** How long a user may take to give the second factor. */
export const PENDING_SIGN_IN_MINUTES = 10
/** How many proofs can be tried before the password has to be given again. */
const MAX_ATTEMPTS = 5

/** How the session of a pending sign-in will begin. */
export interface PendingSession {
  start: SessionStart
  /** Whether another email to the user names the sign-in already. */
  isAnnounced: boolean
}

interface StoredSession extends Omit<PendingSession, 'start'> {
  start: Omit<SessionStart, 'provider'> & {
    provider: { issuer: string; subject: string; digest: string | null } | null
  }
}

function formatPendingSession({ start, isAnnounced }: PendingSession): string {
  const { provider } = start
  const digest = provider?.digest?.toString('base64') ?? null
  const stored = { start: { ...start, provider: provider && { ...provider, digest } }, isAnnounced }
  return JSON.stringify(stored satisfies StoredSession)
}

/** Parses what {@link insertPendingSignIn} has stored. */
export function parsePendingSession(stored: unknown): PendingSession {
  const { start, isAnnounced } = stored as StoredSession
  const { provider } = start
  const digest = provider === null || provider.digest === null ? null : Buffer.from(provider.digest, 'base64')
  return { start: { ...start, provider: provider && { ...provider, digest } }, isAnnounced }
}

/** Which browser a sign-in comes from. */
export interface SignInOrigin {
  address?: string | null
  userAgent?: string
  /** The secret of a sign-in that waits in the same browser. */
  previousSecret?: string | null
}

const ADDRESS_LENGTH = 64
const USER_AGENT_LENGTH = 300

/** Deletes a sign-in that its user begins again, unless a second factor was tried: whoever guesses must not hide it. */
async function deleteUnansweredSignIn(tx: Database, userId: string, secret: string): Promise<void> {
  await tx
    .deleteFrom('pending_sign_ins')
    .where('secret_hash', '=', hashSecret(secret))
    .where('user_id', '=', userId)
    .where('attempt_count', '=', 0)
    .execute()
}

/**
 * Stores a sign-in until the second factor is given. Returns the secret for the browser's cookie. Those that have expired stay
 * until their user was told ({@link deleteAbandonedSignIns}).
 */
export async function insertPendingSignIn(
  tx: Database,
  userId: string,
  options: PendingSession = { start: PASSWORD_SESSION, isAnnounced: false },
  { address = null, userAgent = '', previousSecret = null }: SignInOrigin = {},
): Promise<string> {
  const secret = generateSecret()
  if (previousSecret !== null) await deleteUnansweredSignIn(tx, userId, previousSecret)
  await tx
    .insertInto('pending_sign_ins')
    .values({
      secret_hash: hashSecret(secret),
      user_id: userId,
      session_start: formatPendingSession(options),
      address: address?.slice(0, ADDRESS_LENGTH) ?? null,
      user_agent: userAgent.slice(0, USER_AGENT_LENGTH),
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
    .select(['pending.user_id', 'pending.session_start', 'users.email'])
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

export interface AbandonedSignIn {
  user_id: string
  address: string | null
  user_agent: string
  expires_at: Date
}

const isAbandoned = sql<boolean>`(expires_at <= now() or attempt_count >= ${sql.lit(MAX_ATTEMPTS)})`

/** Finds users with a sign-in whose second factor was not given in time, or was wrong too often. */
export async function selectUsersWithAbandonedSignIn(db: Database, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('pending_sign_ins')
    .select('user_id')
    .distinct()
    .where(isAbandoned)
    .limit(limit)
    .execute()
  return rows.map((row) => row.user_id)
}

/** Deletes these sign-ins of some users, and returns the last of each user. @param tx transaction that has locked the users */
export async function deleteAbandonedSignIns(tx: Database, userIds: readonly string[]): Promise<AbandonedSignIn[]> {
  const { rows } = await sql<AbandonedSignIn>`
    with deleted as (
      delete from pending_sign_ins where user_id = any(${userIds}::uuid[]) and ${isAbandoned}
      returning user_id, address, user_agent, expires_at
    )
    select distinct on (user_id) * from deleted order by user_id, expires_at desc`.execute(tx)
  return rows
}

/** Ends all sign-ins of a user that wait for a second factor: the password that they gave is no longer valid. */
export async function deletePendingSignIns(tx: Database, userId: string): Promise<void> {
  await tx.deleteFrom('pending_sign_ins').where('user_id', '=', userId).execute()
}
