import { sql } from 'kysely'

import { generateSecret, hashSecret } from '../../../access/secret.ts'
import type { Database } from '../../../platform/database/connect.ts'

/** Setup links may end up in terminal histories and logs, so they expire; a restart of the server creates a new one. */
const VALID_DAYS = 7

const isValid = sql<boolean>`created_at > now() - make_interval(days => ${sql.lit(VALID_DAYS)})`

/** An arbitrary number. */
const FIRST_USER_LOCK = 4_812_077

/** Makes servers and requests that may create the first user wait for each other until the transaction ends. */
export async function lockFirstUser(tx: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(${FIRST_USER_LOCK}::bigint)`.execute(tx)
}

export async function hasUsers(db: Database): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** Stores the hash of a new link's secret, and returns the secret. */
export async function insertSetupLink(tx: Database): Promise<string> {
  const secret = generateSecret()
  await tx
    .insertInto('setup_links')
    .values({ secret_hash: hashSecret(secret) })
    .execute()
  return secret
}

export async function findSetupLink(db: Database, secret: string): Promise<{ expires_at: Date } | undefined> {
  return await db
    .selectFrom('setup_links')
    .select(sql<Date>`created_at + make_interval(days => ${sql.lit(VALID_DAYS)})`.as('expires_at'))
    .where('secret_hash', '=', hashSecret(secret))
    .where(isValid)
    .executeTakeFirst()
}

export async function deleteExpiredSetupLinks(tx: Database): Promise<void> {
  await tx
    .deleteFrom('setup_links')
    .where(sql<boolean>`not (${isValid})`)
    .execute()
}

export async function deleteSetupLinks(tx: Database): Promise<void> {
  await tx.deleteFrom('setup_links').execute()
}
