import { PASSKEY_MINUTES } from '@caseward/contract/passkeys'
import { sql } from 'kysely'

import { hashSecret } from '../../../access/secret.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { generateFactorId, type SecondFactorRow, secondFactorColumns } from './second-factors.queries.ts'

/** What a challenge is for: only the same session, or the same pending sign-in, can use it. */
export interface ChallengePurpose {
  purpose: 'registration' | 'sign_in' | 'second_factor' | 'confirmation'
  /** Null for a sign-in with a passkey alone. */
  userId: string | null
  /** The id of the session, or the secret of the pending sign-in. */
  boundTo: string
}

/** A user who is known proves a second factor. */
export interface ProofPurpose extends ChallengePurpose {
  userId: string
  /** Whether the authenticator must check a fingerprint, a face or a PIN. */
  requiresUserVerification: boolean
}

/** A sign-in with a passkey alone: only the answer says who signs in. */
export const SIGN_IN_PURPOSE: ChallengePurpose = { purpose: 'sign_in', userId: null, boundTo: '' }

/** How many challenges of a user can wait at the same time; with a further one, the oldest ends. */
const MAX_CHALLENGES = 50
/** The same for all sign-ins with a passkey alone together. Anybody can start one. */
const MAX_SIGN_IN_CHALLENGES = 10_000

const hashChallenge = (challenge: string, { boundTo }: ChallengePurpose): Buffer =>
  hashSecret(`${challenge}\0${boundTo}`)

/** Stores a challenge, and deletes those of the user, or of sign-ins, that have expired. Returns when it expires. */
export async function insertChallenge(db: Database, challenge: string, purpose: ChallengePurpose): Promise<Date> {
  const { userId } = purpose
  await (userId === null ? deleteOldSignInChallenges(db) : deleteOldChallenges(db, userId))
  const { expires_at: expiresAt } = await db
    .insertInto('passkey_challenges')
    .values({
      challenge_hash: hashChallenge(challenge, purpose),
      purpose: purpose.purpose,
      user_id: userId,
      expires_at: sql<Date>`now() + make_interval(mins => ${sql.lit(PASSKEY_MINUTES)})`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return expiresAt
}

async function deleteOldChallenges(db: Database, userId: string): Promise<void> {
  await sql`
    delete from passkey_challenges
    where user_id = ${userId} and (expires_at <= now() or challenge_hash in (
      select challenge_hash from passkey_challenges
      where user_id = ${userId} order by expires_at desc offset ${sql.lit(MAX_CHALLENGES - 1)}
    ))`.execute(db)
}

/** Requests at the same time delete different rows, so that none waits for another one, or they would deadlock. */
async function deleteOldSignInChallenges(db: Database): Promise<void> {
  await sql`
    delete from passkey_challenges where challenge_hash in (
      select challenge_hash from passkey_challenges
      where user_id is null and expires_at <= greatest(now(), (
        select expires_at from passkey_challenges
        where user_id is null order by expires_at desc offset ${sql.lit(MAX_SIGN_IN_CHALLENGES - 1)} limit 1
      ))
      order by expires_at limit 100 for update skip locked
    )`.execute(db)
}

/** Uses a challenge up; returns false for an unknown one, or one that was used or has expired. */
export async function useChallenge(tx: Database, challenge: string, purpose: ChallengePurpose): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', hashChallenge(challenge, purpose))
    .where('purpose', '=', purpose.purpose)
    .where('user_id', 'is not distinct from', purpose.userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

/** Ends what authenticators of a user could still answer. */
export async function deleteChallenges(tx: Database, userId: string): Promise<void> {
  await tx.deleteFrom('passkey_challenges').where('user_id', '=', userId).execute()
}

export interface Passkey {
  id: string
  name: string
  credentialId: Buffer
  publicKey: Buffer
  signCount: number
  transports: string[]
}

export async function selectPasskeys(db: Database, userId: string): Promise<Passkey[]> {
  const rows = await db
    .selectFrom('second_factors')
    .select(['id', 'name', 'credential_id', 'public_key', 'sign_count', 'transports'])
    .where('user_id', '=', userId)
    .where('kind', '=', 'passkey')
    .orderBy('id')
    .execute()
  return rows.flatMap(({ id, name, credential_id: credentialId, public_key: publicKey, sign_count, transports }) =>
    credentialId === null || publicKey === null
      ? []
      : [{ id, name, credentialId, publicKey, signCount: Number(sign_count), transports }],
  )
}

/** Finds the id of the user that a credential belongs to. */
export async function findPasskeyUser(db: Database, credentialId: Buffer): Promise<string | undefined> {
  const row = await db
    .selectFrom('second_factors')
    .select('user_id')
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
  return row?.user_id
}

/** Stores a passkey; returns undefined when it belongs to an account already. */
export async function insertPasskey(
  tx: Database,
  userId: string,
  { name, credentialId, publicKey, signCount, transports }: Omit<Passkey, 'id'>,
): Promise<SecondFactorRow | undefined> {
  return await tx
    .insertInto('second_factors')
    .values({
      id: generateFactorId(),
      user_id: userId,
      kind: 'passkey',
      name,
      activated_at: sql<Date>`now()`,
      credential_id: credentialId,
      public_key: publicKey,
      sign_count: signCount,
      transports,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning(secondFactorColumns)
    .executeTakeFirst()
}

export async function recordPasskeyUse(tx: Database, id: string, signCount: number): Promise<void> {
  await tx
    .updateTable('second_factors')
    .set({ sign_count: signCount, last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}
