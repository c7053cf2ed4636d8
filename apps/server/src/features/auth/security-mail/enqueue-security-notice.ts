import type { Database } from '../../../platform/database/connect.ts'
import { enqueueMail } from '../../../platform/jobs/mail-jobs.ts'
import type { AuditActor } from '../../audit/record-audit.ts'
import type { NoticeDetail, NoticeKindName } from './notice-kinds.ts'
import { insertNotice, openSecurityMail } from './security-notices.queries.ts'

/** The kind of the email in the queue. */
export const SECURITY_MAIL = { kind: 'security' }

export interface SecurityNotice {
  kind: NoticeKindName
  /** The user whose account it is about. */
  userId: string
  /** Where to send it, if not to the address of the account. */
  email?: string
  /** What the notice names. Never a secret. */
  detail?: NoticeDetail
}

/**
 * Tells a user by email what happened to their account. The first notice is sent at once; those of the next minutes are
 * collected in one email, and no limit drops any of them. Users cannot switch these emails off.
 * @param tx the transaction of the change, so that the email is sent if, and only if, it is committed. Call this after the
 *   user was locked, if it is locked at all: notices to one user wait for each other
 * @param actor who made the change, as for the audit log
 */
export async function enqueueSecurityNotice(
  tx: Database,
  actor: AuditActor,
  { kind, userId, email, detail = {} }: SecurityNotice,
): Promise<void> {
  const address = email ?? (await findEmail(tx, userId))
  if (address === undefined) return
  const { id, sendAt, isNew } = await openSecurityMail(tx, address)
  await insertNotice(tx, actor, { mailId: id, kind, userId, detail })
  if (isNew) await enqueueMail(tx, SECURITY_MAIL, id, sendAt)
}

async function findEmail(tx: Database, userId: string): Promise<string | undefined> {
  const user = await tx.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  return user?.email
}
