import { sql } from 'kysely'

import type { Database } from '../../database/connect.ts'
import type { UserRow } from '../users/users.queries.ts'

const fields = ['id', 'email', 'name', 'avatar_url', 'password_hash', 'created_at', 'updated_at'] as const

/** What people change of themselves. */
export interface AccountChange {
  name?: string | undefined
  avatar_url?: string | null | undefined
  password_hash?: string | undefined
}

export async function updateAccount(db: Database, userId: string, change: AccountChange): Promise<UserRow> {
  return await db
    .updateTable('users')
    .set({ ...change, updated_at: sql<Date>`now()` })
    .where('id', '=', userId)
    .returning(fields)
    .executeTakeFirstOrThrow()
}
