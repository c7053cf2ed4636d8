import { sql } from 'kysely'

import type { Database } from '../../../platform/database/connect.ts'
import { hashSecret } from '../../../access/secret.ts'
import { insertToken } from '../../tokens/tokens.queries.ts'
import { nameFromEmail } from '../users/names.ts'
import { hashPassword } from '../password.ts'
import { findUserByEmail, insertUser } from '../users/users.queries.ts'

interface AdminSettings {
  adminEmail: string | null
  adminPassword: string | null
  adminToken: string | null
}

/** Any number: held while the first user is made, so that servers that start at once make one. */
const FIRST_USER_LOCK = 4_812_077

/** Holds, until the transaction ends, the right to make the first user; tells whether there is none yet. */
export async function lockFirstUser(tx: Database): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${FIRST_USER_LOCK}::bigint)`.execute(tx)
  return !(await hasUsers(tx))
}

export async function hasUsers(db: Database): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

/**
 * Makes the first user from the settings when there is none, and sees to it that `ADMIN_TOKEN` is a token of the user
 * with `ADMIN_EMAIL`. An address alone makes nobody: there would be no way in, and no setup link any more.
 * @param warn is told when nobody could be given the token
 * @returns the e-mail address of the user, if it was created just now
 */
export async function ensureFirstAdmin(
  db: Database,
  settings: AdminSettings,
  warn: (message: string) => void = () => {},
): Promise<string | null> {
  const { adminEmail: email, adminPassword: password, adminToken: token } = settings
  if (email === null || (password === null && token === null)) return null
  const passwordHash = password === null ? null : await hashPassword(password)
  return await db.transaction().execute(async (tx) => {
    const isFirst = await lockFirstUser(tx)
    if (isFirst) await insertUser(tx, { email, name: nameFromEmail(email), passwordHash })
    if (token !== null) await ensureAdminToken(tx, email, token, warn)
    return isFirst ? email : null
  })
}

async function ensureAdminToken(
  tx: Database,
  email: string,
  secret: string,
  warn: (message: string) => void,
): Promise<void> {
  const known = await tx
    .selectFrom('api_tokens')
    .select('id')
    .where('secret_hash', '=', hashSecret(secret))
    .executeTakeFirst()
  const user = await findUserByEmail(tx, email)
  if (known !== undefined) return
  if (user === undefined)
    return warn('ADMIN_TOKEN is nobody’s: there are users, and none has the address of ADMIN_EMAIL')
  const input = { name: 'ADMIN_TOKEN', access: 'write', expiresAt: null, createdBy: user.id } as const
  await insertToken(tx, { kind: 'personal', userId: user.id }, input, secret)
}
