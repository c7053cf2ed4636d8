import { sql } from 'kysely'

import { generateSecret, hashSecret } from '../../../access/secret.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { getEmailKeySql, toEmailKey } from '../users/email-key.ts'

/** How many browsers of one user are known: the ones that were used last. */
const MAX_KNOWN_BROWSERS = 50

/**
 * Records that a user has signed in in a browser, and returns the secret for the browser's cookie, and whether it is the
 * first time that this user is known to sign in there. The secret is a new one each time, for all accounts that are used in the browser: a cookie that an attacker planted never makes the attacker's browser
 * a known one.
 * @param previousSecret the secret that the browser had
 */
export async function saveKnownBrowser(
  tx: Database,
  userId: string,
  previousSecret: string | null,
): Promise<{ secret: string; isNew: boolean }> {
  const secret = generateSecret()
  if (previousSecret !== null) {
    await tx
      .updateTable('known_browsers')
      .set({ secret_hash: hashSecret(secret) })
      .where('secret_hash', '=', hashSecret(previousSecret))
      .execute()
  }
  const { isNew } = await tx
    .insertInto('known_browsers')
    .values({ user_id: userId, secret_hash: hashSecret(secret) })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'secret_hash']).doUpdateSet({ last_used_at: sql<Date>`now()` }),
    )
    // PostgreSQL sets xmax when it updates a row.
    .returning(sql<boolean>`xmax = 0`.as('isNew'))
    .executeTakeFirstOrThrow()
  await sql`
    delete from known_browsers where (user_id, secret_hash) in (
      select user_id, secret_hash from known_browsers where user_id = ${userId}
      order by last_used_at desc, secret_hash offset ${sql.lit(MAX_KNOWN_BROWSERS)}
    )`.execute(tx)
  return { secret, isNew }
}

/**
 * Returns whether the user with an email address has signed in in a browser. The query is the same whether or not there is
 * such a user, because its time must not reveal that.
 */
export async function isKnownBrowser(db: Database, email: string, secret: string): Promise<boolean> {
  const row = await db
    .selectFrom('known_browsers as browser')
    .innerJoin('users', 'users.id', 'browser.user_id')
    .select('users.id')
    .where('browser.secret_hash', '=', hashSecret(secret))
    .where(getEmailKeySql('users.email'), '=', toEmailKey(email))
    .executeTakeFirst()
  return row !== undefined
}

/** Forgets all browsers of a user, except for one if its secret is given. */
export async function deleteKnownBrowsers(tx: Database, userId: string, exceptSecret: string | null): Promise<void> {
  const exceptHash = exceptSecret === null ? null : hashSecret(exceptSecret)
  await tx
    .deleteFrom('known_browsers')
    .where('user_id', '=', userId)
    .where(sql<boolean>`secret_hash is distinct from ${exceptHash}::bytea`)
    .execute()
}
