import type { Database } from '../../../platform/database/connect.ts'
import { recordAudit, SYSTEM_ACTOR } from '../../audit/record-audit.ts'
import { insertToken } from '../../tokens/tokens.queries.ts'
import { hashPassword } from '../password.ts'
import { deriveNameFromEmail } from '../users/user-name.ts'
import { findUserByEmail, insertUser } from '../users/users.queries.ts'
import { hasToken, hasUsers, lockFirstUser } from './setup.queries.ts'

interface FirstAdminSettings {
  adminEmail: string | null
  adminPassword: string | null
  adminToken: string | null
}

/**
 * Creates the first user from the settings when there are no users, and ensures that `ADMIN_TOKEN` is a token of the user
 * with `ADMIN_EMAIL`. An email address alone creates no user: nobody could sign in, and no setup link would be printed.
 * @param warn called when the token could not be created
 * @returns the email address of the user, if it was created by this call
 */
export async function ensureFirstAdmin(
  db: Database,
  settings: FirstAdminSettings,
  warn: (message: string) => void = () => {},
): Promise<string | null> {
  const { adminEmail: email, adminPassword: password, adminToken: token } = settings
  if (email === null || (password === null && token === null)) return null
  const passwordHash = password === null ? null : await hashPassword(password)
  return await db.transaction().execute(async (tx) => {
    await lockFirstUser(tx)
    const isFirst = !(await hasUsers(tx))
    if (isFirst) await insertFirstUser(tx, email, passwordHash)
    if (token !== null) await ensureAdminToken(tx, email, token, warn)
    return isFirst ? email : null
  })
}

async function insertFirstUser(tx: Database, email: string, passwordHash: string | null): Promise<void> {
  const name = deriveNameFromEmail(email)
  const user = await insertUser(tx, { email, isEmailConfirmed: true, name, passwordHash, isInstanceAdmin: true })
  if (user === undefined) return
  const subject = { kind: 'user', id: user.id } as const
  await recordAudit(tx, SYSTEM_ACTOR, { action: 'user.create', subject, detail: { by: 'ADMIN_EMAIL' } })
}

async function ensureAdminToken(
  tx: Database,
  email: string,
  secret: string,
  warn: (message: string) => void,
): Promise<void> {
  if (await hasToken(tx, secret)) return
  const user = await findUserByEmail(tx, email)
  if (user === undefined) {
    warn('ADMIN_TOKEN was not created: users exist, but none has the email address in ADMIN_EMAIL')
    return
  }
  const input = { name: 'ADMIN_TOKEN', access: 'write', expiresAt: null, createdBy: user.id } as const
  const { id, name, access } = await insertToken(tx, { kind: 'personal', userId: user.id }, input, secret)
  const detail = { kind: 'personal', access, user_id: user.id, by: 'ADMIN_TOKEN' }
  await recordAudit(tx, SYSTEM_ACTOR, { action: 'token.create', subject: { kind: 'token', id, name }, detail })
}
