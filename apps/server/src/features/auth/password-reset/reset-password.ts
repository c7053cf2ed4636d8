import { setTimeout as sleep } from 'node:timers/promises'

import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'

import type { Database } from '../../../platform/database/connect.ts'
import type { Deps } from '../../../deps.ts'
import { enqueueMail } from '../../../platform/jobs/mail-jobs.ts'
import { goneProblem } from '../../../platform/http/problems.ts'
import { lockAccount } from '../account/account.queries.ts'
import { setPassword } from '../account/change-password.ts'
import { limitSignInAttempts, startSession } from '../session/sign-in.ts'
import { passwordResetMail } from './password-reset-mail.ts'
import { hashSecret } from '../../../access/secret.ts'
import { hashPassword } from '../password.ts'
import { findUserByEmail, type UserRow } from '../users/users.queries.ts'

/** Queueing a mail takes some milliseconds. The answer always takes these, so that its time tells nothing. */
const ANSWER_MS = 250

const oneHourFromNow = sql<Date>`now() + interval '1 hour'`

/**
 * Sends a mail with a link to reset the password, if somebody has this address: who asks is not told.
 * @throws {Problem} 429, at the pace at which one account may be signed in to
 */
export async function requestReset(deps: Deps, email: string, reply: FastifyReply): Promise<void> {
  await limitSignInAttempts(deps, email, reply)
  await Promise.all([queueReset(deps.db, email), sleep(ANSWER_MS)])
}

/** Queues the mail, if there is somebody to send it to. Links sent before go on: whoever asks ends nobody else's. */
async function queueReset(db: Database, email: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const user = await findUserByEmail(tx, email)
    if (user === undefined) return
    await tx
      .insertInto('password_resets')
      .values({ user_id: user.id, expires_at: oneHourFromNow })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ expires_at: oneHourFromNow }))
      .execute()
    await tx
      .deleteFrom('password_reset_links')
      .where('user_id', '=', user.id)
      .where('expires_at', '<=', sql<Date>`now()`)
      .execute()
    await enqueueMail(tx, passwordResetMail, user.id)
  })
}

/**
 * Whose password a link resets.
 * @throws {Problem} 410 when it or another one was used, it has expired or never was
 */
export async function findReset(db: Database, secret: string) {
  const found = await db
    .selectFrom('password_reset_links as link')
    .innerJoin('users', 'users.id', 'link.user_id')
    .select(['link.user_id', 'users.email', 'link.expires_at'])
    .where('link.secret_hash', '=', hashSecret(secret))
    .where('link.expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  if (found === undefined) throw resetLinkEndedProblem()
  return found
}

/**
 * Sets a new password by a link, which ends with all others. So do all sessions of the user: who stole one is out. Then
 * signs in.
 * @throws {Problem} 410 as for {@link findReset}
 */
export async function resetPassword(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { secret, password }: { secret: string; password: string },
): Promise<UserRow> {
  const { user_id: userId } = await findReset(deps.db, secret)
  const passwordHash = await hashPassword(password)
  const user = await startSession(deps, request, reply, async (tx) => {
    await lockAccount(tx, userId)
    await useLink(tx, secret)
    return await setPassword(tx, userId, passwordHash)
  })
  deps.principalCache.clear()
  return user
}

/** Ends a link. Of two that use it at once, one finds it gone. */
async function useLink(tx: Database, secret: string): Promise<void> {
  const used = await tx
    .deleteFrom('password_reset_links')
    .where('secret_hash', '=', hashSecret(secret))
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  if (used.numDeletedRows === 0n) throw resetLinkEndedProblem()
}

const resetLinkEndedProblem = () =>
  goneProblem(
    'reset_link_ended',
    'This link was used, or another one that was sent to you, or it is older than an hour. Ask for a new one at /reset.',
  )
