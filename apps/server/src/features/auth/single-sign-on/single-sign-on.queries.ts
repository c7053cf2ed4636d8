import { sql } from 'kysely'

import type { Database } from '../../../platform/database/connect.ts'

/** Returns whether an email address, in upper or lower case, is invited to any project. */
export async function hasPendingInvitation(db: Database, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('invitations')
    .select('id')
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .where('status', '=', 'pending')
    .where('expires_at', '>', sql<Date>`now()`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
