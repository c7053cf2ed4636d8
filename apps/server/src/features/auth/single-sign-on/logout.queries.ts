import { sql } from 'kysely'

import type { Database } from '../../../platform/database/connect.ts'
import type { ProviderLogout } from './logout-token.ts'

/** Remembers a token; returns false when it was used before. Tokens that are too old to be used again are forgotten. */
export async function insertUsedLogoutToken(
  tx: Database,
  { tokenDigest, replayableUntil }: ProviderLogout,
): Promise<boolean> {
  await sql`
    delete from used_logout_tokens where digest in (
      select digest from used_logout_tokens where expires_at <= now() order by expires_at limit 100 for update skip locked
    )`.execute(tx)
  const inserted = await tx
    .insertInto('used_logout_tokens')
    .values({ digest: tokenDigest, expires_at: replayableUntil })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/**
 * Deletes the sessions that a logout names, and single sign-ons that wait for a password. Returns the user of each session.
 * Sessions are locked in the order of their ids, so that two logouts do not deadlock.
 */
export async function deleteLoggedOutSessions(
  tx: Database,
  { issuer, subject, sessionDigest }: ProviderLogout,
): Promise<string[]> {
  const isNamed = sql`issuer = ${issuer}
    and ${subject === null ? sql`true` : sql`subject = ${subject}`}
    and ${sessionDigest === null ? sql`true` : sql`provider_session = ${sessionDigest}::bytea`}`
  await sql`delete from pending_identities where ${isNamed}`.execute(tx)
  const { rows } = await sql<{ user_id: string }>`
    with named as (select id from sessions where ${isNamed} order by id for update)
    delete from sessions where id in (select id from named) returning user_id`.execute(tx)
  return rows.map((row) => row.user_id)
}
