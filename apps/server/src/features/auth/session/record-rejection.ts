import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'

import type { Deps } from '../../../deps.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { Problem } from '../../../platform/http/problems.ts'
import { countRejections } from '../../audit/audit.queries.ts'
import { recordAudit, SYSTEM_ACTOR, toUserActor } from '../../audit/record-audit.ts'

/** A password or passkey that did not prove a user. */
export interface Rejection {
  /** The account; null when no account was found. Never what was typed: people enter passwords in the wrong field. */
  userId: string | null
  method: 'password' | 'passkey' | 'single sign-on'
  purpose: 'sign-in' | 'link of single sign-on' | 'confirmation' | 'password change' | 'removal of a second factor'
  /** Why, when the proof was right. */
  reason?: 'account disabled'
}

/** How many entries without an account are recorded in a minute: anyone can cause them. Those of an account are limited with it. */
const MAX_UNKNOWN_PER_MINUTE = 20

/** Records a rejection in the audit log: one entry for an account, an address and a minute. */
export async function recordRejection(
  db: Database,
  request: Pick<FastifyRequest, 'ip' | 'headers'>,
  { userId, method, purpose, reason }: Rejection,
): Promise<void> {
  const { ip: address } = request
  await db.transaction().execute(async (tx) => {
    // Parallel guesses wait for each other.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`session.reject ${userId} ${address}`}, 0))`.execute(tx)
    const count = await countRejections(tx, { userId, address })
    if (count.same > 0 || (userId === null && count.unknown >= MAX_UNKNOWN_PER_MINUTE)) return
    const detail = { method, purpose, ...(reason === undefined ? {} : { reason }) }
    if (userId === null) {
      const subject = { kind: 'session', id: null, name: 'Unknown account' } as const
      await recordAudit(tx, { ...SYSTEM_ACTOR, address }, { action: 'session.reject', subject, detail })
    } else {
      const subject = { kind: 'user', id: userId } as const
      await recordAudit(tx, toUserActor(userId, request), { action: 'session.reject', subject, detail })
    }
  })
}

/**
 * Records a rejection of a public request without making it wait, so that its time does not depend on whether the account exists.
 */
export function reportRejection(
  { db, background }: Pick<Deps, 'db' | 'background'>,
  request: FastifyRequest,
  rejection: Rejection,
): void {
  request.accountId = rejection.userId
  background.run('recording a rejected sign-in', () => recordRejection(db, request, rejection))
}

/** Starts a session with the right proof, and records it when the account is disabled. */
export async function reportDisabled<T>(
  deps: Pick<Deps, 'db' | 'background'>,
  request: FastifyRequest,
  { userId, method }: Pick<Rejection, 'method'> & { userId: string },
  start: () => Promise<T>,
): Promise<T> {
  try {
    return await start()
  } catch (error) {
    if (error instanceof Problem && error.code === 'account_disabled') {
      reportRejection(deps, request, { userId, method, purpose: 'sign-in', reason: 'account disabled' })
    }
    throw error
  }
}
