import { hash } from '@node-rs/argon2'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import type { Config } from '../../config.ts'
import type { Database } from '../../database/connect.ts'
import { hashSecret } from '../tokens/secret.ts'
import { insertToken } from '../tokens/tokens.queries.ts'

type AdminSettings = Pick<Config, 'adminEmail' | 'adminPassword' | 'adminToken'>

/** Any number: held while the first user is made, so that servers that start at once make one. */
const FIRST_USER_LOCK = 4_812_077

/**
 * Makes the first user from the settings when there is none, and sees to it that `ADMIN_TOKEN` is a token of the user
 * with `ADMIN_EMAIL`.
 * @returns the e-mail address of the user, if it was created just now
 */
export async function ensureFirstAdmin(db: Database, settings: AdminSettings): Promise<string | null> {
  const { adminEmail: email, adminPassword: password, adminToken: token } = settings
  if (email === null) return null
  const passwordHash = password === null ? null : await hash(password)
  return await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${FIRST_USER_LOCK}::bigint)`.execute(tx)
    const someone = await tx.selectFrom('users').select('id').limit(1).executeTakeFirst()
    if (someone === undefined) {
      await tx
        .insertInto('users')
        .values({ id: uuidv7(), email, name: email.split('@', 1)[0] ?? email, password_hash: passwordHash })
        .execute()
    }
    if (token !== null) await ensureAdminToken(tx, email, token)
    return someone === undefined ? email : null
  })
}

async function ensureAdminToken(tx: Database, email: string, secret: string): Promise<void> {
  const known = await tx
    .selectFrom('api_tokens')
    .select('id')
    .where('secret_hash', '=', hashSecret(secret))
    .executeTakeFirst()
  const user = await tx
    .selectFrom('users')
    .select('id')
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst()
  if (known !== undefined || user === undefined) return
  const input = { name: 'ADMIN_TOKEN', access: 'write', expiresAt: null, createdBy: user.id } as const
  await insertToken(tx, { kind: 'personal', userId: user.id }, input, secret)
}
