import { CONFIRMATION_MINUTES } from '@caseward/contract/confirmation'
import { sql } from 'kysely'

import type { Database } from '../../../platform/database/connect.ts'

/** When the user of a session has last proved who they are, and how they can do so again. */
export interface ConfirmationRow {
  userId: string
  isRecent: boolean
  /** Whether the session was started or confirmed with a second factor. */
  sessionHasSecondFactor: boolean
  /** Whether the session began with a password: one that began at the provider is confirmed there. */
  hasPassword: boolean
  /** Whether the session began with a passkey alone. */
  hasPasskeySession: boolean
  /** Whether sign-in asks the user for a second factor. */
  userHasSecondFactor: boolean
  /** Whether the account is linked with a user of a sign-in provider. */
  hasIdentity: boolean
}

const validity = sql`make_interval(mins => ${sql.lit(CONFIRMATION_MINUTES)})`

/** Reads the database and no cache: the session may just have been confirmed on another server. */
export async function findConfirmation(db: Database, sessionId: string): Promise<ConfirmationRow | undefined> {
  const { rows } = await sql<ConfirmationRow>`
    select s.user_id as "userId",
      coalesce(s.confirmed_at > now() - ${validity}, false) as "isRecent",
      s.has_second_factor as "sessionHasSecondFactor",
      u.password_hash is not null and s.method = 'password' as "hasPassword",
      s.method = 'passkey' as "hasPasskeySession",
      u.has_second_factor as "userHasSecondFactor",
      exists (select from sign_in_identities i where i.user_id = s.user_id) as "hasIdentity"
    from sessions s join users u on u.id = s.user_id
    where s.id = ${sessionId}`.execute(db)
  return rows[0]
}

/**
 * Records that the user of a session has just proved who they are; returns until when that counts as recent, or undefined
 * when the session has ended.
 */
export async function confirmSession(
  tx: Database,
  sessionId: string,
  { hasSecondFactor }: { hasSecondFactor: boolean },
): Promise<Date | undefined> {
  const row = await tx
    .updateTable('sessions')
    .set({
      confirmed_at: sql<Date>`now()`,
      has_second_factor: sql<boolean>`has_second_factor or ${hasSecondFactor}`,
    })
    .where('id', '=', sessionId)
    .returning(sql<Date>`confirmed_at + ${validity}`.as('until'))
    .executeTakeFirst()
  return row?.until
}
