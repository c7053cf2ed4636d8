import type { FastifyReply } from 'fastify'

import type { Database } from '../../database/connect.ts'
import type { Deps } from '../../deps.ts'
import type { Principal } from '../../http/principals.ts'
import { invalidField } from '../../problems.ts'
import { verifyPassword } from '../users/password.ts'
import type { UserRow } from '../users/users.queries.ts'
import { updateAccount } from './account.queries.ts'
import { deleteSessionsOf } from './session.queries.ts'
import { countSignIn } from './sign-in.ts'

/**
 * Whether the current password was given. Guesses count as tries to sign in: a session left open must not become a way
 * to find the password out.
 * @throws {Problem} 400, 429
 */
export async function checkCurrentPassword(
  deps: Deps,
  reply: FastifyReply,
  user: UserRow,
  current: string | undefined,
): Promise<void> {
  if (user.password_hash === null) {
    throw invalidField('/password', 'cannot be changed, as you have none yet: ask for a link at /reset', 'no_password')
  }
  if (current === undefined) throw invalidField('/current_password', 'is required to change the password')
  await countSignIn(deps, user.email, reply)
  if (!(await verifyPassword(current, user.password_hash))) {
    throw invalidField('/current_password', 'is not your password', 'wrong_password')
  }
}

/** Sets a new password. All sessions end but the one that asks, if one does, and so do links to reset the old one. */
export async function setPassword(
  tx: Database,
  userId: string,
  passwordHash: string,
  asking: Principal | null,
): Promise<UserRow> {
  const user = await updateAccount(tx, userId, { password_hash: passwordHash })
  await deleteSessionsOf(tx, userId, asking?.kind === 'session' ? asking.key : null)
  await tx.deleteFrom('password_resets').where('user_id', '=', userId).execute()
  return user
}
