import type { Database } from '../../../platform/database/connect.ts'
import { recordAudit, SYSTEM_ACTOR } from '../../audit/record-audit.ts'
import { insertToken } from '../../tokens/tokens.queries.ts'
import { hashPassword } from '../password.ts'
import { deriveNameFromEmail } from '../users/user-name.ts'
import { findUserByEmail, insertUser } from '../users/users.queries.ts'
import { deleteEarlierAdminTokens, findAdminToken, findToken, insertAdminToken } from './admin-token.queries.ts'
import { hasUsers, lockFirstUser } from './setup.queries.ts'

export interface FirstAdminSettings {
  adminEmail: string | null
  adminPassword: string | null
  adminToken: string | null
  signIn?: 'any' | 'single-sign-on'
}

/**
 * Creates the first user from the settings when there are no users, and makes `ADMIN_TOKEN` a token of the user with
 * `ADMIN_EMAIL`. An email address alone creates a user only where single sign-on is required, without a password: elsewhere
 * nobody could sign in, and no setup link would be printed.
 * @param warn called when the token could not be created
 * @returns the email address of the user, if it was created by this call
 */
export async function ensureFirstAdmin(
  db: Database,
  settings: FirstAdminSettings,
  warn: (message: string) => void = () => {},
): Promise<string | null> {
  const { adminEmail: email, adminToken: token, signIn = 'any' } = settings
  const password = signIn === 'single-sign-on' ? null : settings.adminPassword
  if (email === null || (password === null && token === null && signIn === 'any')) return null
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

/**
 * Creates the token of a value of `ADMIN_TOKEN` that is new, and revokes the token of the value before. A value that was
 * replaced or revoked never becomes valid again: a server that starts late with the old settings must not bring back a token
 * that was replaced because it leaked.
 */
async function ensureAdminToken(
  tx: Database,
  email: string,
  secret: string,
  warn: (message: string) => void,
): Promise<void> {
  const known = await findAdminToken(tx, secret)
  if (known !== undefined) {
    if (known.token_id === null) {
      warn('ADMIN_TOKEN is not valid: this value was revoked or replaced earlier. Set a value that was never used')
    }
    return
  }
  await revokeEarlierAdminTokens(tx)
  const token = (await findToken(tx, secret)) ?? (await createAdminToken(tx, email, secret))
  if (token !== undefined) {
    await insertAdminToken(tx, secret, token.id)
    return
  }
  warn('ADMIN_TOKEN was not created: users exist, but none has the email address in ADMIN_EMAIL')
}

async function revokeEarlierAdminTokens(tx: Database): Promise<void> {
  for (const { id, name, access, user_id } of await deleteEarlierAdminTokens(tx)) {
    const detail = { kind: 'personal', access, user_id, by: 'ADMIN_TOKEN' }
    await recordAudit(tx, SYSTEM_ACTOR, { action: 'token.revoke', subject: { kind: 'token', id, name }, detail })
  }
}

async function createAdminToken(tx: Database, email: string, secret: string): Promise<{ id: string } | undefined> {
  const user = await findUserByEmail(tx, email)
  if (user === undefined) return undefined
  const input = { name: 'ADMIN_TOKEN', access: 'write', expiresAt: null, createdBy: user.id } as const
  const { id, name, access } = await insertToken(tx, { kind: 'personal', userId: user.id }, input, secret)
  const detail = { kind: 'personal', access, user_id: user.id, by: 'ADMIN_TOKEN' }
  await recordAudit(tx, SYSTEM_ACTOR, { action: 'token.create', subject: { kind: 'token', id, name }, detail })
  return { id }
}
