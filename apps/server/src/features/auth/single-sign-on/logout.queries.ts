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
 * Deletes the sessions that a logout names, and the single sign-ons that wait for a password or for a second factor. Returns the
 * user of each. They are deleted in the order in which one leads to the next, so that none slips through; sessions are locked in
 * the order of their ids, so that two logouts do not deadlock.
 */
export async function deleteLoggedOutSessions(
  tx: Database,
  { issuer, subject, sessionDigest }: ProviderLogout,
): Promise<string[]> {
  const isNamed = sql`issuer = ${issuer}
    and ${subject === null ? sql`true` : sql`subject = ${subject}`}
    and ${sessionDigest === null ? sql`true` : sql`provider_session = ${sessionDigest}::bytea`}`
  await sql`delete from pending_identities where ${isNamed}`.execute(tx)
  const provider = sql`session_start #> '{start,provider}'`
  // An expired one stays until its user was told, and can no longer be completed.
  const pending = await sql<{ user_id: string }>`
    with named as (
      select secret_hash from pending_sign_ins
      where expires_at > now() and ${provider} ->> 'issuer' = ${issuer}
        and ${subject === null ? sql`true` : sql`${provider} ->> 'subject' = ${subject}`}
        and ${sessionDigest === null ? sql`true` : sql`${provider} ->> 'digest' = ${sessionDigest.toString('base64')}`}
      order by secret_hash for update
    )
    delete from pending_sign_ins where secret_hash in (select secret_hash from named) returning user_id`.execute(tx)
  const sessions = await sql<{ user_id: string }>`
    with named as (select id from sessions where ${isNamed} order by id for update)
    delete from sessions where id in (select id from named) returning user_id`.execute(tx)
  return [...pending.rows, ...sessions.rows].map((row) => row.user_id)
}
