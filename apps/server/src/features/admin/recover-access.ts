import type { Database } from '../../platform/database/connect.ts'
import { recordAudit, SYSTEM_ACTOR } from '../audit/record-audit.ts'
import { createResetLink, saveReset } from '../auth/password-reset/password-reset.queries.ts'
import { findUserByEmail, type UserRow } from '../auth/users/users.queries.ts'
import { lockActiveAdmins, lockRights, updateRights } from './instance-users.queries.ts'

/*
 * What the person with access to the server can do when no instance administrator can help: the commands `admin …`
 * (`commands/admin.ts`).
 */

/** Why a command cannot be carried out; the message says what to do. */
export class RecoveryError extends Error {
  override readonly name = 'RecoveryError'
}

/**
 * Makes a user an instance administrator.
 * @returns false when the user already is one
 * @throws {RecoveryError} for an unknown or disabled user
 */
export async function grantInstanceAdmin(db: Database, email: string): Promise<boolean> {
  return await db.transaction().execute(async (tx) => {
    const user = await requireActiveUser(tx, email)
    await lockActiveAdmins(tx)
    const rights = await lockRights(tx, user.id)
    if (rights?.isInstanceAdmin === true) return false
    await updateRights(tx, user.id, { isDisabled: false, isInstanceAdmin: true })
    await recordAudit(tx, SYSTEM_ACTOR, {
      action: 'user.grant_instance_admin',
      subject: { kind: 'user', id: user.id },
      detail: { command: 'admin grant' },
    })
    return true
  })
}

/**
 * Creates a link to set a new password, which is valid for an hour and can be used once.
 * @returns its secret
 * @throws {RecoveryError} for an unknown or disabled user
 */
export async function createRecoveryLink(db: Database, email: string): Promise<string> {
  return await db.transaction().execute(async (tx) => {
    const user = await requireActiveUser(tx, email)
    await saveReset(tx, user.id)
    const link = await createResetLink(tx, user.id)
    if (link === null) throw new Error('The reset that was just saved is not valid')
    await recordAudit(tx, SYSTEM_ACTOR, {
      action: 'user.create_reset_link',
      subject: { kind: 'user', id: user.id },
      detail: { command: 'admin reset-password' },
    })
    return link.secret
  })
}

async function requireActiveUser(tx: Database, email: string): Promise<UserRow> {
  const user = await findUserByEmail(tx, email)
  if (user === undefined) throw new RecoveryError(`No account has the email address ${email}.`)
  if (user.disabled_at !== null) {
    throw new RecoveryError(
      `The account ${user.email} is disabled. An instance administrator can enable it; "admin list" shows who they are.`,
    )
  }
  return user
}
