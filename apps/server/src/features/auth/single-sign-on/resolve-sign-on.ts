import type { FastifyRequest } from 'fastify'

import type { Database } from '../../../platform/database/connect.ts'
import { forbiddenProblem } from '../../../platform/http/problems.ts'
import { recordAudit, toUserActor } from '../../audit/record-audit.ts'
import { takeOverAccount } from '../account/take-over-account.ts'
import { enqueueSecurityNotice } from '../security-mail/enqueue-security-notice.ts'
import { findUser, lockUser } from '../users/users.queries.ts'
import { findOrCreateUser } from './find-or-create-user.ts'
import type { Identity } from './parse-identity.ts'
import {
  findIdentityUser,
  type IdentityKey,
  insertIdentity,
  insertPendingIdentity,
  selectIdentities,
} from './single-sign-on.queries.ts'

export interface SignOnRules {
  arePasswordsAllowed: boolean
}

/** The user who signs in, or the secret of a sign-on that waits for the password of the account. */
export type SignOn = { userId: string } | { pendingSecret: string }

/**
 * Finds or links the account of an identity. The email address counts only at the first sign-on, and is not enough: an
 * account with a password is linked after that password was given. An account whose address was never confirmed may have
 * been created by another person, so the owner of the address takes it over. Where single sign-on is required, passwords
 * do not count, and the provider decides to which address a user belongs.
 * @throws {Problem} 403
 */
export async function resolveSignOn(
  tx: Database,
  request: FastifyRequest,
  identity: Identity,
  rules: SignOnRules,
): Promise<SignOn> {
  const linkedUserId = await findIdentityUser(tx, identity)
  if (linkedUserId !== undefined) return { userId: linkedUserId }
  const { id: userId } = await findOrCreateUser(tx, request, identity, rules)
  await lockUser(tx, userId)
  // Read again under the lock: another sign-on may have linked the account, or its password may have changed.
  if ((await findIdentityUser(tx, identity)) === userId) return { userId }
  const user = await findUser(tx, userId)
  const identities = await selectIdentities(tx, userId)
  if (identities.some(({ issuer }) => issuer === identity.issuer)) throw otherIdentityProblem(rules)
  if (user === undefined) throw new Error('The user of a single sign-on was deleted')
  if (user.email_confirmed_at === null) {
    await takeOverAccount(tx, userId)
    await linkIdentity(tx, request, userId, identity, { ended: 'password, sessions and personal tokens' })
    return { userId }
  }
  if (user.password_hash !== null && rules.arePasswordsAllowed) {
    return { pendingSecret: await insertPendingIdentity(tx, userId, identity) }
  }
  await linkIdentity(tx, request, userId, identity)
  return { userId }
}

/** @throws {Problem} 403 when this or another identity of the provider is linked already */
export async function linkIdentity(
  tx: Database,
  request: FastifyRequest,
  userId: string,
  { issuer, subject }: IdentityKey,
  detail: Record<string, string> = {},
): Promise<void> {
  if (!(await insertIdentity(tx, userId, { issuer, subject }))) {
    throw otherIdentityProblem({ arePasswordsAllowed: true })
  }
  const actor = toUserActor(userId, request)
  await recordAudit(tx, actor, {
    action: 'single_sign_on.link',
    subject: { kind: 'user', id: userId },
    detail: { issuer, subject, ...detail },
  })
  await enqueueSecurityNotice(tx, actor, { kind: 'sign_on_link', userId, detail: { issuer } })
}

function otherIdentityProblem({ arePasswordsAllowed }: SignOnRules) {
  const help = arePasswordsAllowed
    ? 'sign in with your password, remove the link on your account page, and try again. If you have no password, reset it first.'
    : 'ask the operator of this server to remove the link.'
  return forbiddenProblem(
    `The account with your email address is linked to another user of your sign-in provider. If it is your account, ${help}`,
    'other_identity',
  )
}
