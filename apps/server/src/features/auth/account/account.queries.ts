import { sql } from 'kysely'

import type { Database } from '../../../platform/database/connect.ts'
import type { UserRow } from '../users/users.queries.ts'

const fields = ['id', 'email', 'name', 'avatar_url', 'password_hash', 'created_at', 'updated_at'] as const

/** What people change of themselves, beside the password. */
export interface AccountChange {
  name?: string | undefined
  avatar_url?: string | null | undefined
}

export async function updateAccount(db: Database, userId: string, change: AccountChange): Promise<UserRow> {
  return await db
    .updateTable('users')
    .set({ ...change, updated_at: sql<Date>`now()` })
    .where('id', '=', userId)
    .returning(fields)
    .executeTakeFirstOrThrow()
}

/** Sets a password, whatever it was before. */
export async function updatePassword(tx: Database, userId: string, passwordHash: string): Promise<UserRow> {
  return await tx
    .updateTable('users')
    .set({ password_hash: passwordHash, updated_at: sql<Date>`now()` })
    .where('id', '=', userId)
    .returning(fields)
    .executeTakeFirstOrThrow()
}

/** Sets a password in place of the one that this user is known by; undefined when that has been changed since. */
export async function replacePassword(
  tx: Database,
  known: UserRow,
  passwordHash: string,
  change: AccountChange,
): Promise<UserRow | undefined> {
  return await tx
    .updateTable('users')
    .set({ ...change, password_hash: passwordHash, updated_at: sql<Date>`now()` })
    .where('id', '=', known.id)
    .where('password_hash', '=', known.password_hash)
    .returning(fields)
    .executeTakeFirst()
}

/**
 * Keeps a user's password from being changed until the transaction ends; undefined when it has been since the user was
 * read. A new session's foreign key would not: it locks the row against its deletion alone.
 */
export async function lockUnchangedPassword(tx: Database, known: UserRow): Promise<UserRow | undefined> {
  return await tx
    .selectFrom('users')
    .select(fields)
    .where('id', '=', known.id)
    .where('password_hash', '=', known.password_hash)
    .forShare()
    .executeTakeFirst()
}

/**
 * Keeps everything else from a user's password until the transaction ends. Whoever changes one takes this lock before
 * that of any session or link, so that no two of them wait for each other.
 */
export async function lockAccount(tx: Database, userId: string): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
}
