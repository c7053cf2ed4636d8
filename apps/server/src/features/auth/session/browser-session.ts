import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Deps } from '../../../deps.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Cookies } from '../../../access/cookies.ts'
import { forbiddenProblem } from '../../../platform/http/problems.ts'
import { recordAudit, toUserActor } from '../../audit/record-audit.ts'
import { recordSignIn } from '../users/users.queries.ts'
import { deleteEndedSessions, deleteSessionBySecret, insertSession, SESSION_DAYS } from './session.queries.ts'

const DAY_SECONDS = 24 * 60 * 60

/**
 * Starts a session for the browser that sent the request. The session that the browser already had is deleted, so that
 * a cookie planted by an attacker never becomes the user's session.
 * @param tx transaction of the caller, who clears the principal cache and sets the cookie after the commit
 * @returns the secret for {@link setSessionCookie}
 * @throws {Problem} 403 `account_disabled`; call it only after the user has proved who they are
 */
export async function startSession(
  tx: Database,
  cookies: Cookies,
  request: FastifyRequest,
  userId: string,
): Promise<string> {
  if (!(await recordSignIn(tx, userId))) throw accountDisabledProblem()
  const previousSecret = cookies.read(request, 'session')
  if (previousSecret !== null) await deleteSessionBySecret(tx, previousSecret)
  await deleteEndedSessions(tx, userId)
  await recordAudit(tx, toUserActor(userId, request), {
    action: 'session.create',
    subject: { kind: 'user', id: userId },
  })
  return await insertSession(tx, userId, request.headers['user-agent'])
}

const accountDisabledProblem = () =>
  forbiddenProblem('Your account is disabled. Ask an administrator of this server to enable it.', 'account_disabled')

export function setSessionCookie(cookies: Cookies, reply: FastifyReply, secret: string): void {
  cookies.set(reply, 'session', secret, SESSION_DAYS * DAY_SECONDS)
}

/** Ends the session in the browser's cookie, and clears the cookie. */
export async function endSession(
  { db, cookies, principalCache }: Deps,
  secret: string,
  reply: FastifyReply,
): Promise<void> {
  await deleteSessionBySecret(db, secret)
  principalCache.clear()
  cookies.clear(reply, 'session')
}
