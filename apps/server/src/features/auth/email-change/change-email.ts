import type { FastifyRequest } from 'fastify'

import type { UserPrincipal } from '../../../access/principal.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { conflictProblem, goneProblem, invalidFieldProblem, notFoundProblem } from '../../../platform/http/problems.ts'
import { enqueueMail } from '../../../platform/jobs/mail-jobs.ts'
import { requireMailAllowed } from '../../../platform/jobs/mail-limits.ts'
import { type AuditActor, recordAudit, toUserActor } from '../../audit/record-audit.ts'
import { deleteResets } from '../password-reset/password-reset.queries.ts'
import { enqueueSecurityNotice } from '../security-mail/enqueue-security-notice.ts'
import { requireActiveCaller } from '../session/require-active-caller.ts'
import { findUser, lockUser, type UserRow } from '../users/users.queries.ts'
import { emailChangeMail } from './email-change-mail.ts'
import {
  deleteEmailChange,
  findLinkedEmailChange,
  type PendingEmailChange,
  saveEmailChange,
  updateEmail,
} from './email-changes.queries.ts'

/**
 * Sends a link to a new address, which changes the address of the account when it is used, and tells the former address. The
 * change ends with the session that requests it, so that whoever is signed out cannot complete it.
 * Nothing depends on whether another account has the new address: the caller must not learn it.
 * @throws {Problem} 400 when it is the address of the account; 429 `mail_limit`
 */
export async function requestEmailChange(
  db: Database,
  actor: AuditActor,
  user: UserRow,
  { email, caller }: { email: string; caller: UserPrincipal },
): Promise<PendingEmailChange> {
  if (email === user.email) throw invalidFieldProblem('/email', 'is the email address of your account already')
  return await db.transaction().execute(async (tx) => {
    await lockUser(tx, user.id)
    await requireActiveCaller(tx, caller)
    await requireMailAllowed(tx, emailChangeMail, { address: email, senderId: user.id })
    const change = await saveEmailChange(tx, user.id, email, caller.key)
    await enqueueMail(tx, emailChangeMail, user.id)
    await recordAudit(tx, actor, {
      action: 'user.request_email_change',
      subject: { kind: 'user', id: user.id },
      detail: { to: email },
    })
    await enqueueSecurityNotice(tx, actor, { kind: 'email_change_request', userId: user.id, detail: { to: email } })
    return change
  })
}

/** @throws {Problem} 404 when no change is pending */
export async function cancelEmailChange(db: Database, actor: AuditActor, userId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    if (!(await deleteEmailChange(tx, userId))) throw notFoundProblem('change of the email address')
    const subject = { kind: 'user', id: userId } as const
    await recordAudit(tx, actor, { action: 'user.cancel_email_change', subject })
  })
}

/** @throws {Problem} 410 for a link that was used, replaced or canceled, that has expired, or that is unknown */
export async function requireEmailChange(db: Database, secret: string) {
  const change = await findLinkedEmailChange(db, secret)
  if (change === undefined) throw emailChangeEndedProblem()
  return change
}

/**
 * Changes the address of an account with a link that was sent to the new address. It needs no session, because the link may
 * be opened in another browser. Password reset links of the former address end; sessions stay.
 * @returns the new address
 * @throws {Problem} 410 as for {@link requireEmailChange}; 409 `email_taken` when another account has the address by now
 */
export async function confirmEmailChange(db: Database, request: FastifyRequest, secret: string): Promise<string> {
  const { user_id: userId } = await requireEmailChange(db, secret)
  return await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    // Read again under the lock: the change may have been confirmed, replaced or canceled meanwhile.
    const { email } = await requireEmailChange(tx, secret)
    const user = await findUser(tx, userId)
    if (user === undefined || user.disabled_at !== null) throw emailChangeEndedProblem()
    await deleteEmailChange(tx, userId)
    await deleteResets(tx, userId)
    if (!(await updateEmail(tx, userId, email))) throw emailTakenProblem()
    const actor = toUserActor(userId, request)
    await recordAudit(tx, actor, {
      action: 'user.change_email',
      subject: { kind: 'user', id: userId },
      detail: { from: user.email, to: email },
    })
    await enqueueSecurityNotice(tx, actor, { kind: 'email_change', userId, email: user.email, detail: { to: email } })
    return email
  })
}

const emailChangeEndedProblem = () =>
  goneProblem(
    'email_change_ended',
    'This link is no longer valid: it was used, replaced or canceled, it is older than one hour, or the session that requested it has ended. Request a new one in your account.',
  )

const emailTakenProblem = () =>
  conflictProblem(
    'email_taken',
    'Another account has this email address. Sign in to that account, or choose another address.',
  )
