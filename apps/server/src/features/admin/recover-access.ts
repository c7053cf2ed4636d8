import type { Database } from '../../platform/database/connect.ts'
import { recordAudit, SYSTEM_ACTOR } from '../audit/record-audit.ts'
import { createResetLink, saveReset } from '../auth/password-reset/password-reset.queries.ts'
import { enqueueSecurityNotice } from '../auth/security-mail/enqueue-security-notice.ts'
import { removeAllSecondFactors } from '../auth/second-factors/remove-all-second-factors.ts'
import { insertSignInLink } from '../auth/session/sign-in-link.queries.ts'
import { endSignOns } from '../auth/single-sign-on/end-sign-ons.ts'
import { deleteIdentities } from '../auth/single-sign-on/single-sign-on.queries.ts'
import { findUserByEmail, lockUser, type UserRow } from '../auth/users/users.queries.ts'
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

/**
 * Creates a link to sign in without a password and without the sign-in provider, which can be used once.
 * @returns its secret
 * @throws {RecoveryError} for an unknown or disabled user
 */
export async function createSignInLink(db: Database, email: string): Promise<string> {
  return await db.transaction().execute(async (tx) => {
    const user = await requireActiveUser(tx, email)
    const secret = await insertSignInLink(tx, user.id)
    await recordAudit(tx, SYSTEM_ACTOR, {
      action: 'user.create_sign_in_link',
      subject: { kind: 'user', id: user.id },
      detail: { command: 'admin sign-in-link' },
    })
    return secret
  })
}

/**
 * Removes the links of an account with the users of sign-in providers, for a person who has a new user there. The sessions
 * that began with them end.
 * @returns the issuers
 * @throws {RecoveryError} for an unknown or disabled user
 */
export async function unlinkAccount(db: Database, email: string): Promise<string[]> {
  return await db.transaction().execute(async (tx) => {
    const { id: userId } = await requireActiveUser(tx, email)
    await lockUser(tx, userId)
    const issuers = await deleteIdentities(tx, userId)
    await endSignOns(tx, userId)
    for (const issuer of issuers) {
      await recordAudit(tx, SYSTEM_ACTOR, {
        action: 'single_sign_on.unlink',
        subject: { kind: 'user', id: userId },
        detail: { issuer, command: 'admin unlink' },
      })
      await enqueueSecurityNotice(tx, SYSTEM_ACTOR, { kind: 'sign_on_unlink', userId, detail: { issuer } })
    }
    return issuers
  })
}

/**
 * Removes all second factors of a user who has lost them.
 * @returns how many there were
 * @throws {RecoveryError} for an unknown or disabled user
 */
export async function resetSecondFactors(db: Database, email: string): Promise<number> {
  return await db.transaction().execute(async (tx) => {
    const { id: userId } = await requireActiveUser(tx, email)
    await lockUser(tx, userId)
    return await removeAllSecondFactors(tx, SYSTEM_ACTOR, userId, { command: 'admin reset-second-factors' })
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
