import { sql } from 'kysely'

import type { Database } from '../../../platform/database/connect.ts'
import { forbiddenProblem } from '../../../platform/http/problems.ts'
import { nameFromEmail } from '../users/names.ts'
import { findUserByEmail, insertUser, type UserRow } from '../users/users.queries.ts'
import type { Identity } from './parse-identity.ts'

/**
 * The user of an identity: by an e-mail address that the provider vouches for, never by one that somebody merely
 * claims. Who has no account gets one if an invitation to that address is pending, and otherwise none: a provider knows
 * more people than ought to be let in. They join the project by the invitation's link.
 * @throws {Problem} 403
 */
export async function findOrCreateUser(db: Database, { email, isVerified, name }: Identity): Promise<UserRow> {
  if (email === null) {
    throw forbiddenProblem(
      'The provider tells no e-mail address of yours that an account could have, so that we cannot tell which one is yours. Correct it there, or sign in with your password.',
      'email_missing',
    )
  }
  if (!isVerified) {
    throw forbiddenProblem(
      'The provider does not vouch for your e-mail address, so that we cannot tell which account is yours. Verify it there, or sign in with your password.',
      'email_not_verified',
    )
  }
  const known = await findUserByEmail(db, email)
  if (known !== undefined) return known
  if (!(await isInvited(db, email))) {
    throw forbiddenProblem(`${email} has no account here. Ask an admin of a project to invite you.`, 'not_invited')
  }
  const made = await insertUser(db, { email, name: name ?? nameFromEmail(email), passwordHash: null })
  // Two tabs at once: the other one has made it.
  const user = made ?? (await findUserByEmail(db, email))
  if (user === undefined) throw new Error('A user is there and is not found')
  return user
}

async function isInvited(db: Database, email: string): Promise<boolean> {
  const found = await db
    .selectFrom('invitations')
    .select('id')
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .where('status', '=', 'pending')
    .where('expires_at', '>', sql<Date>`now()`)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
