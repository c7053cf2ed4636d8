import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import type { Database } from '../../../platform/database/connect.ts'
import { hashRecoveryCode } from './recovery-codes.ts'

export type SecondFactorRow = Awaited<ReturnType<typeof selectSecondFactors>>[number]

export const secondFactorColumns = ['id', 'kind', 'name', 'created_at', 'last_used_at'] as const

/** Reads the factors that sign-in asks a user for. */
export async function selectSecondFactors(db: Database, userId: string) {
  return await db
    .selectFrom('second_factors')
    .select(secondFactorColumns)
    .where('user_id', '=', userId)
    .where('activated_at', 'is not', null)
    .orderBy('id')
    .execute()
}

/** Which kinds of proof a user can give, in one query. */
export async function selectProofKinds(db: Database, userId: string) {
  const { rows } = await sql<{ hasTotp: boolean; hasPasskey: boolean; recoveryCodeCount: number }>`
    select
      coalesce(bool_or(kind = 'totp'), false) as "hasTotp",
      coalesce(bool_or(kind = 'passkey'), false) as "hasPasskey",
      (select count(*) from recovery_codes where user_id = ${userId}) as "recoveryCodeCount"
    from second_factors where user_id = ${userId} and activated_at is not null`.execute(db)
  return rows[0] ?? { hasTotp: false, hasPasskey: false, recoveryCodeCount: 0 }
}

export async function countRecoveryCodes(db: Database, userId: string): Promise<number> {
  return (await selectProofKinds(db, userId)).recoveryCodeCount
}

export interface TotpFactor {
  id: string
  name: string
  totp_secret: Buffer
  totp_last_step: number | null
}

/** Reads the authenticator apps of a user that are in use. */
export async function selectTotpFactors(db: Database, userId: string): Promise<TotpFactor[]> {
  const rows = await db
    .selectFrom('second_factors')
    .select(['id', 'name', 'totp_secret', 'totp_last_step'])
    .where('user_id', '=', userId)
    .where('kind', '=', 'totp')
    .where('activated_at', 'is not', null)
    .orderBy('id')
    .execute()
  return rows.flatMap(({ totp_secret, ...row }) => (totp_secret === null ? [] : [{ ...row, totp_secret }]))
}

/** How long an authenticator app may take to give its first code. */
export const SETUP_MINUTES = 60

/** Reads an authenticator app that waits for its first code. */
export async function findPendingTotp(db: Database, userId: string, id: string): Promise<TotpFactor | undefined> {
  const row = await db
    .selectFrom('second_factors')
    .select(['id', 'name', 'totp_secret', 'totp_last_step'])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('kind', '=', 'totp')
    .where('activated_at', 'is', null)
    .where('created_at', '>', sql<Date>`now() - make_interval(mins => ${sql.lit(SETUP_MINUTES)})`)
    .executeTakeFirst()
  if (row === undefined || row.totp_secret === null) return undefined
  return { ...row, totp_secret: row.totp_secret }
}

/** Stores an authenticator app until it gives its first code, in place of an earlier one that has not. */
export async function insertPendingTotp(
  tx: Database,
  { id, userId, name, secret }: { id: string; userId: string; name: string; secret: Buffer },
): Promise<void> {
  await tx.deleteFrom('second_factors').where('user_id', '=', userId).where('activated_at', 'is', null).execute()
  await tx
    .insertInto('second_factors')
    .values({ id, user_id: userId, kind: 'totp', name, totp_secret: secret })
    .execute()
}

/** Takes an authenticator app into use; returns undefined when that has happened already. */
export async function activateTotp(tx: Database, id: string, timeStep: number): Promise<SecondFactorRow | undefined> {
  return await tx
    .updateTable('second_factors')
    .set({ activated_at: sql<Date>`now()`, last_used_at: sql<Date>`now()`, totp_last_step: timeStep })
    .where('id', '=', id)
    .where('activated_at', 'is', null)
    .returning(secondFactorColumns)
    .executeTakeFirst()
}

/** Records that sign-in asked for no second factor before this one was added. */
export async function markFirstFactor(tx: Database, id: string): Promise<void> {
  await tx.updateTable('second_factors').set({ is_first: true }).where('id', '=', id).execute()
}

/** Uses a code up; returns false when a request at the same time has used it, or a later one. */
export async function useTotpStep(tx: Database, id: string, timeStep: number): Promise<boolean> {
  const updated = await tx
    .updateTable('second_factors')
    .set({ totp_last_step: timeStep, last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where(sql<boolean>`coalesce(totp_last_step, -1) < ${timeStep}`)
    .executeTakeFirst()
  return updated.numUpdatedRows > 0n
}

/** Deletes a factor that is in use, and returns it; undefined when the user has none with this id. */
export async function deleteSecondFactor(tx: Database, userId: string, id: string) {
  return await tx
    .deleteFrom('second_factors')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('activated_at', 'is not', null)
    .returning(['kind', 'name'])
    .executeTakeFirst()
}

/** Deletes all factors and recovery codes of a user; returns how many factors were in use. */
export async function deleteSecondFactors(tx: Database, userId: string): Promise<number> {
  const deleted = await tx
    .deleteFrom('second_factors')
    .where('user_id', '=', userId)
    .returning('activated_at')
    .execute()
  await deleteRecoveryCodes(tx, userId)
  await updateHasSecondFactor(tx, userId, false)
  return deleted.filter(({ activated_at: activatedAt }) => activatedAt !== null).length
}

/** Records whether sign-in asks a user for a second factor. */
export async function updateHasSecondFactor(tx: Database, userId: string, hasSecondFactor: boolean): Promise<void> {
  await tx.updateTable('users').set({ has_second_factor: hasSecondFactor }).where('id', '=', userId).execute()
}

/** Stores new recovery codes in place of the earlier ones. */
export async function replaceRecoveryCodes(tx: Database, userId: string, codes: readonly string[]): Promise<void> {
  await deleteRecoveryCodes(tx, userId)
  const hashes = codes.map(hashRecoveryCode)
  await sql`
    insert into recovery_codes (user_id, code_hash)
    select ${userId}, unnest(${hashes}::bytea[])`.execute(tx)
}

/** Ends all recovery codes of a user. */
export async function deleteRecoveryCodes(tx: Database, userId: string): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}

/** Uses a recovery code up; returns false for a wrong one, or one that was used. */
export async function deleteRecoveryCode(tx: Database, userId: string, code: string): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashRecoveryCode(code))
    .executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

export const generateFactorId = (): string => uuidv7()
