import type { FastifyReply } from 'fastify'

import type { Database } from '../../../platform/database/connect.ts'
import type { Deps } from '../../../deps.ts'
import type { Principal } from '../../../access/principal.ts'
import { invalidFieldProblem } from '../../../platform/http/problems.ts'
import { hashPassword, verifyPassword } from '../password.ts'
import type { UserRow } from '../users/users.queries.ts'
import { type AccountChange, replacePassword, updatePassword } from './account.queries.ts'
import { deleteUserSessions } from '../session/session.queries.ts'
import { limitSignInAttempts } from '../session/sign-in.ts'

export interface PasswordChange {
  user: UserRow
  /** The password as it is now, to be checked. */
  current: string | undefined
  password: string
  /** Who asks: a session goes on. */
  principal: Principal
  /** What else is changed at once. */
  otherChanges?: AccountChange
}

/**
 * Changes the password of who gives the current one. All sessions end but the one that asks, if one does, and so do
 * links to reset the old one. Of several changes at once that give the same password the first is done: it is wrong by
 * the time of the others.
 * @throws {Problem} 400, 429
 */
export async function changePassword(
  deps: Deps,
  reply: FastifyReply,
  { user, current, password, principal, otherChanges = {} }: PasswordChange,
): Promise<UserRow> {
  await checkCurrentPassword(deps, reply, user, current)
  const passwordHash = await hashPassword(password)
  const changed = await deps.db.transaction().execute(async (tx) => {
    const replaced = await replacePassword(tx, user, passwordHash, otherChanges)
    if (replaced === undefined) throw wrongPassword()
    await endOtherSessions(tx, user.id, principal.kind === 'session' ? principal.key : null)
    return replaced
  })
  deps.principalCache.clear()
  return changed
}

/** Sets a password for who has shown otherwise that the account is theirs. All sessions end, and links to reset it. */
export async function setPassword(tx: Database, userId: string, passwordHash: string): Promise<UserRow> {
  const user = await updatePassword(tx, userId, passwordHash)
  await endOtherSessions(tx, userId, null)
  return user
}

/**
 * Whether the current password was given. Guesses count as tries to sign in: a session left open must not become a way
 * to find the password out.
 */
async function checkCurrentPassword(
  deps: Deps,
  reply: FastifyReply,
  user: UserRow,
  current: string | undefined,
): Promise<void> {
  if (user.password_hash === null) {
    throw invalidFieldProblem(
      '/password',
      'cannot be changed, as you have none yet: ask for a link at /reset',
      'no_password',
    )
  }
  if (current === undefined) throw invalidFieldProblem('/current_password', 'is required to change the password')
  await limitSignInAttempts(deps, user.email, reply)
  if (!(await verifyPassword(current, user.password_hash))) throw wrongPassword()
}

const wrongPassword = () => invalidFieldProblem('/current_password', 'is not your password', 'wrong_password')

async function endOtherSessions(tx: Database, userId: string, sessionId: string | null): Promise<void> {
  await deleteUserSessions(tx, userId, sessionId)
  // In this order: a link that is made for what was asked is seen once that is locked.
  await tx.deleteFrom('password_resets').where('user_id', '=', userId).execute()
  await tx.deleteFrom('password_reset_links').where('user_id', '=', userId).execute()
}
