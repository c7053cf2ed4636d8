import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import type { Database } from '../../../platform/database/connect.ts'
import { getEmailKeySql, toEmailKey } from './email-key.ts'

const columns = [
  'id',
  'email',
  'email_confirmed_at',
  'name',
  'avatar_url',
  'password_hash',
  'has_second_factor',
  'is_instance_admin',
  'disabled_at',
  'review_since',
  'mention_emails',
  'created_at',
  'updated_at',
] as const

export type UserRow = NonNullable<Awaited<ReturnType<typeof findUser>>>

/** What users can change in their account besides the password. */
export interface AccountChange {
  name?: string | undefined
  avatar_url?: string | null | undefined
  mention_emails?: boolean | undefined
}

export async function findUser(db: Database, id: string) {
  return await db.selectFrom('users').select(columns).where('id', '=', id).executeTakeFirst()
}

/** Finds the user with an email address, in upper or lower case of ASCII. */
export async function findUserByEmail(db: Database, email: string): Promise<UserRow | undefined> {
  return await db
    .selectFrom('users')
    .select(columns)
    .where(getEmailKeySql('email'), '=', toEmailKey(email))
    .executeTakeFirst()
}

export interface NewUser {
  email: string
  /** Whether the user has received mail at the address, or a provider has verified it. By default not. */
  isEmailConfirmed?: boolean
  name: string
  passwordHash: string | null
  isInstanceAdmin?: boolean
}

/** Inserts a user; returns undefined when the email address is in use. */
export async function insertUser(
  db: Database,
  { email, isEmailConfirmed = false, name, passwordHash, isInstanceAdmin = false }: NewUser,
): Promise<UserRow | undefined> {
  const email_confirmed_at = isEmailConfirmed ? sql<Date>`now()` : null
  return await db
    .insertInto('users')
    .values({
      id: uuidv7(),
      email,
      email_confirmed_at,
      name,
      password_hash: passwordHash,
      is_instance_admin: isInstanceAdmin,
    })
    .onConflict((conflict) => conflict.expression(getEmailKeySql('email')).doNothing())
    .returning(columns)
    .executeTakeFirst()
}

export async function updateUser(db: Database, userId: string, change: AccountChange): Promise<UserRow> {
  return await db
    .updateTable('users')
    .set({ ...change, updated_at: sql<Date>`now()` })
    .where('id', '=', userId)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Records that the user owns the email address of the account; returns false when that was known. */
export async function confirmEmail(tx: Database, userId: string): Promise<boolean> {
  const updated = await tx
    .updateTable('users')
    .set({ email_confirmed_at: sql<Date>`now()` })
    .where('id', '=', userId)
    .where('email_confirmed_at', 'is', null)
    .executeTakeFirst()
  return updated.numUpdatedRows > 0n
}

/** @param passwordHash null removes the password */
export async function updatePasswordHash(tx: Database, userId: string, passwordHash: string | null): Promise<UserRow> {
  return await tx
    .updateTable('users')
    .set({ password_hash: passwordHash, updated_at: sql<Date>`now()` })
    .where('id', '=', userId)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Replaces the password hash of a user; returns undefined when it has changed since the user was read. */
export async function replacePasswordHash(
  tx: Database,
  user: UserRow,
  passwordHash: string,
  otherChanges: AccountChange,
): Promise<UserRow | undefined> {
  return await tx
    .updateTable('users')
    .set({ ...otherChanges, password_hash: passwordHash, updated_at: sql<Date>`now()` })
    .where('id', '=', user.id)
    .where('password_hash', '=', user.password_hash)
    .returning(columns)
    .executeTakeFirst()
}

/**
 * Keeps a user's password from being changed until the transaction ends; returns false when it has changed since the user
 * was read. The foreign key of a new session is not enough: it only locks the user against deletion. Two sign-ins wait for
 * each other, because each one goes on to update the user ({@link recordSignIn}): with share locks they would deadlock.
 */
export async function lockUnchangedPassword(tx: Database, user: UserRow): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', user.id)
    .where('password_hash', '=', user.password_hash)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Locks a user's password for this transaction. Password changes take this lock before any lock on sessions or reset
 * links, so that two of them cannot deadlock.
 */
export async function lockUser(tx: Database, userId: string): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
}

/** The same for several users, in the order of their ids, so that two transactions do not deadlock. */
export async function lockUsers(tx: Database, userIds: readonly string[]): Promise<void> {
  await sql`select from users where id = any(${userIds}::uuid[]) order by id for no key update`.execute(tx)
}

/**
 * Records that a user signs in, and locks the user until the transaction ends; returns undefined for a disabled user. A
 * sign-in is not complete, and not recorded, while the second factor is missing. Takes the lock on the user before any lock on
 * sessions, as password changes do.
 */
export async function recordSignIn(
  tx: Database,
  userId: string,
  { hasSecondFactor }: { hasSecondFactor: boolean },
): Promise<{ isComplete: boolean; isFirst: boolean } | undefined> {
  const { rows } = await sql<{ isComplete: boolean; isFirst: boolean }>`
    update users set last_sign_in_at = case when before.is_complete then now() else users.last_sign_in_at end
    from (
      select id, last_sign_in_at, ${hasSecondFactor}::boolean or not has_second_factor as is_complete
      from users where id = ${userId} for no key update
    ) before
    where users.id = before.id and users.disabled_at is null
    returning before.is_complete as "isComplete", before.last_sign_in_at is null as "isFirst"`.execute(tx)
  return rows[0]
}
