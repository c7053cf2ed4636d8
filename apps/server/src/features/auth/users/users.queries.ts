import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import type { Database } from '../../../platform/database/connect.ts'

const fields = ['id', 'email', 'name', 'avatar_url', 'password_hash', 'created_at', 'updated_at'] as const

export type UserRow = NonNullable<Awaited<ReturnType<typeof findUser>>>

export async function findUser(db: Database, id: string) {
  return await db.selectFrom('users').select(fields).where('id', '=', id).executeTakeFirst()
}

/** The user of an e-mail address, which compares without regard to case. */
export async function findUserByEmail(db: Database, email: string): Promise<UserRow | undefined> {
  return await db
    .selectFrom('users')
    .select(fields)
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .executeTakeFirst()
}

/** Makes a user; undefined when the address is somebody's already. */
export async function insertUser(
  db: Database,
  user: { email: string; name: string; passwordHash: string | null },
): Promise<UserRow | undefined> {
  return await db
    .insertInto('users')
    .values({ id: uuidv7(), email: user.email, name: user.name, password_hash: user.passwordHash })
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .returning(fields)
    .executeTakeFirst()
}
