import type { FastifyRequest } from 'fastify'

import type { Database } from '../../../platform/database/connect.ts'
import { forbiddenProblem } from '../../../platform/http/problems.ts'
import { recordAudit, toUserActor } from '../../audit/record-audit.ts'
import { deriveNameFromEmail } from '../users/user-name.ts'
import { findUserByEmail, insertUser, type UserRow } from '../users/users.queries.ts'
import type { Identity } from './parse-identity.ts'
import { hasPendingInvitation } from './single-sign-on.queries.ts'

/**
 * Finds the user of an identity by an email address that the provider has verified. Creates the user if an invitation to
 * that address is pending, and only then, because not everyone with an account at the provider may use this server. The
 * new user joins the project with the link of the invitation.
 * @throws {Problem} 403
 */
export async function findOrCreateUser(
  db: Database,
  request: FastifyRequest,
  { email, isVerified, name }: Identity,
  { arePasswordsAllowed }: { arePasswordsAllowed: boolean },
): Promise<UserRow> {
  const orPassword = arePasswordsAllowed ? ', or sign in with your password' : ''
  if (email === null) {
    throw forbiddenProblem(
      `Your sign-in provider did not return a valid email address, so we cannot identify your account. Correct the address with the provider${orPassword}.`,
      'email_missing',
    )
  }
  if (!isVerified) {
    throw forbiddenProblem(
      `Your sign-in provider did not confirm that your email address is verified, so we cannot identify your account. Verify the address with the provider${orPassword}.`,
      'email_not_verified',
    )
  }
  const existing = await findUserByEmail(db, email)
  if (existing !== undefined) return existing
  if (!(await hasPendingInvitation(db, email))) {
    throw forbiddenProblem(`${email} has no account on this server. Ask a project admin to invite you.`, 'not_invited')
  }
  const created = await insertUser(db, {
    email,
    isEmailConfirmed: true,
    name: name ?? deriveNameFromEmail(email),
    passwordHash: null,
  })
  if (created !== undefined) {
    const [actor, subject] = [toUserActor(created.id, request), { kind: 'user', id: created.id } as const]
    await recordAudit(db, actor, { action: 'user.create', subject, detail: { by: 'single sign-on' } })
  }
  // A concurrent sign-in, for example in a second tab, may have created the user.
  const user = created ?? (await findUserByEmail(db, email))
  if (user === undefined) throw new Error('The user could be neither created nor found')
  return user
}
