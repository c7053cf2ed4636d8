import type { Invitation } from '@caseward/contract/invitations'

import type { UserPrincipal } from '../../access/principal.ts'
import type { Database } from '../../platform/database/connect.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import { enqueueMail } from '../../platform/jobs/mail-jobs.ts'
import { requireMailAllowed } from '../../platform/jobs/mail-limits.ts'
import { conflictProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { requireActiveCaller } from '../auth/session/require-active-caller.ts'
import { lockMembers } from '../members/members.queries.ts'
import { requireRole } from '../members/require-role.ts'
import { insertLink, replaceLinks } from './invitation-links.queries.ts'
import { invitationMail } from './invitation-mail.ts'
import {
  insertInvitation,
  type InvitationRow,
  isMember,
  lockInvitation,
  renewInvitation,
  updateInvitationStatus,
} from './invitations.queries.ts'

interface InvitationId {
  projectId: string
  id: string
}

/** How the link of an invitation reaches the invitee. */
interface SendOptions {
  /** The admin who sends the invitation. */
  senderId: string
  /** The session or token of the sender, which must not have ended meanwhile. */
  caller?: UserPrincipal
  /** Whether the sender receives the link, to pass it on. */
  showLink: boolean
}

/** An invitation whose email is queued. */
export interface InvitationWithSecret {
  invitation: InvitationRow
  /** The secret of a link that the admin passes on; null when only the email contains a link. */
  secret: string | null
}

/**
 * Invites an email address, with or without an account. The email is queued in the same transaction.
 * @throws {Problem} 403 when the sender is not an admin anymore; 409 for a member, and when another invitation is pending;
 *   429 `mail_limit`
 */
export async function inviteMember(
  db: Database,
  actor: AuditActor,
  newInvitation: { projectId: string; email: string; role: Invitation['role'] },
  options: SendOptions,
): Promise<InvitationWithSecret> {
  const { projectId, email } = newInvitation
  return await transactionWithRowMutex(db, projectId, async (tx) => {
    await lockInvitations(tx, projectId, options)
    await requireNoMember(tx, projectId, email)
    const invitation = await insertInvitation(tx, { ...newInvitation, invitedBy: options.senderId })
    if (invitation === undefined) throw invitationPendingProblem()
    await recordChange(tx, actor, projectId, 'invitation.create', invitation)
    return await sendInvitation(tx, invitation, options)
  })
}

/**
 * Sends a new link that is valid for seven days. The earlier links of the invitation are no longer valid.
 * @throws {Problem} 403 when the sender is not an admin anymore; 404 for an unknown invitation; 409 when it is accepted or
 *   revoked, for a member, and when another invitation is pending; 429 `mail_limit`
 */
export async function resendInvitation(
  db: Database,
  actor: AuditActor,
  { projectId, id }: InvitationId,
  options: SendOptions,
): Promise<InvitationWithSecret> {
  return await transactionWithRowMutex(db, projectId, async (tx) => {
    await lockInvitations(tx, projectId, options)
    const { status, email } = await requireInvitation(tx, { projectId, id })
    if (status === 'accepted' || status === 'revoked') throw invitationClosedProblem(status)
    await requireNoMember(tx, projectId, email)
    const invitation = await renewInvitation(tx, id, options.senderId)
    if (invitation === undefined) throw invitationPendingProblem()
    await replaceLinks(tx, id)
    await recordChange(tx, actor, projectId, 'invitation.resend', invitation)
    return await sendInvitation(tx, invitation, options)
  })
}

/**
 * Revokes an invitation. Does nothing when it is already revoked.
 * @throws {Problem} 404 for an unknown invitation; 409 when it is accepted
 */
export async function revokeInvitation(
  db: Database,
  actor: AuditActor,
  { projectId, id }: InvitationId,
): Promise<void> {
  await transactionWithRowMutex(db, projectId, async (tx) => {
    await lockMembers(tx, projectId)
    const invitation = await requireInvitation(tx, { projectId, id })
    const { status } = invitation
    if (status === 'accepted') throw invitationClosedProblem(status)
    if (status === 'revoked') return
    await updateInvitationStatus(tx, id, 'revoked')
    await recordChange(tx, actor, projectId, 'invitation.revoke', invitation)
  })
}

async function recordChange(
  tx: Database,
  actor: AuditActor,
  projectId: string,
  action: 'invitation.create' | 'invitation.resend' | 'invitation.revoke',
  { id, email, role }: InvitationRow,
): Promise<void> {
  const subject = { kind: 'invitation', id, name: email } as const
  await recordAudit(tx, actor, { action, subject, projectId, detail: { role } })
}

/** Waits for changes of members and invitations. An admin who was removed meanwhile must not leave an invitation behind. */
async function lockInvitations(tx: Database, projectId: string, { senderId, caller }: SendOptions): Promise<void> {
  await lockMembers(tx, projectId)
  await requireRole(tx, { projectId, userId: senderId }, 'members:manage')
  if (caller !== undefined) await requireActiveCaller(tx, caller)
}

async function requireInvitation(tx: Database, { projectId, id }: InvitationId): Promise<InvitationRow> {
  const invitation = await lockInvitation(tx, projectId, id)
  if (invitation === undefined) throw notFoundProblem('invitation')
  return invitation
}

async function requireNoMember(tx: Database, projectId: string, email: string): Promise<void> {
  if (!(await isMember(tx, projectId, email))) return
  throw conflictProblem('already_member', 'The user with this email address is already a member.')
}

/** Must come last: if the limit is reached, the transaction is rolled back and nothing has changed. */
async function sendInvitation(
  tx: Database,
  invitation: InvitationRow,
  { senderId, showLink }: SendOptions,
): Promise<InvitationWithSecret> {
  await requireMailAllowed(tx, invitationMail, { address: invitation.email, senderId })
  await enqueueMail(tx, invitationMail, invitation.id)
  return { invitation, secret: showLink ? await insertLink(tx, invitation.id, { isMailed: false }) : null }
}

const invitationPendingProblem = () =>
  conflictProblem(
    'invitation_pending',
    'An invitation for this email address is already pending. Resend it, or revoke it first.',
  )

const invitationClosedProblem = (status: 'accepted' | 'revoked') =>
  status === 'accepted'
    ? conflictProblem('invitation_accepted', 'The invitation has already been accepted. To undo it, remove the member.')
    : conflictProblem('invitation_revoked', 'The invitation was revoked. Create a new one.')
