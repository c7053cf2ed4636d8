import { setTimeout as sleep } from 'node:timers/promises'

import type { FastifyReply, FastifyRequest } from 'fastify'

import { findClientKey } from '../../../access/limit-requests.ts'
import type { Deps } from '../../../deps.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { enqueueMail } from '../../../platform/jobs/mail-jobs.ts'
import { isMailAllowed } from '../../../platform/jobs/mail-limits.ts'
import { consumeRateLimit } from '../../../platform/http/rate-limit.ts'
import { toBucket } from '../session/limit-password-failures.ts'
import { toEmailKey } from '../users/email-key.ts'
import { findUserByEmail } from '../users/users.queries.ts'
import { passwordResetMail } from './password-reset-mail.ts'
import { deleteExpiredResetLinks, saveReset } from './password-reset.queries.ts'

/** Minimum response time, longer than queueing an email takes: the time must not reveal whether the account exists. */
const MIN_RESPONSE_MS = 250

/**
 * Sends an email with a reset link if the account exists, is not disabled, and got none in the last minutes. The caller
 * cannot tell whether it does.
 * @throws {Problem} 429
 */
export async function requestReset(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  email: string,
): Promise<void> {
  await limitResetRequests(deps, request, reply, email)
  await Promise.all([queueResetMail(deps.db, email), sleep(MIN_RESPONSE_MS)])
}

async function queueResetMail(db: Database, email: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const user = await findUserByEmail(tx, email)
    if (user === undefined || user.disabled_at !== null) return
    if (!(await isMailAllowed(tx, passwordResetMail, user.email))) return
    await saveReset(tx, user.id)
    await deleteExpiredResetLinks(tx, user.id)
    await enqueueMail(tx, passwordResetMail, user.id)
  })
}

/** A few requests for each account remain possible when others at the same address have used up its limit. */
async function limitResetRequests(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  email: string,
): Promise<void> {
  const { 'reset-requests': limiter, 'account-reserve': reserve } = deps.rateLimits
  const client = await findClientKey(deps, request)
  const key = toBucket('reset', toEmailKey(email), client)
  await consumeRateLimit(limiter, client, reply, { limiter: reserve, key })
}
