import type { Invitation } from '@caseward/contract/invitations'

import type { Database } from '../../platform/database/connect.ts'
import { enqueueMail } from '../../platform/jobs/mail-jobs.ts'
import { conflictProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { lockMembers } from '../members/members.queries.ts'
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

/** An invitation whose email is queued. */
export interface InvitationWithSecret {
  invitation: InvitationRow
  /** The secret of a link that the admin passes on; null when only the email contains a link. */
  secret: string | null
}

/**
 * Invites an email address, with or without an account. The email is queued in the same transaction.
 * @throws {Problem} 409 for a member, and when another invitation is pending
 */
export async function inviteMember(
  db: Database,
  actor: AuditActor,
  newInvitation: { projectId: string; email: string; role: Invitation['role']; invitedBy: string },
  { showLink }: { showLink: boolean },
): Promise<InvitationWithSecret> {
  return await db.transaction().execute(async (tx) => {
    await lockMembers(tx, newInvitation.projectId)
    await requireNoMember(tx, newInvitation.projectId, newInvitation.email)
    const invitation = await insertInvitation(tx, newInvitation)
    if (invitation === undefined) throw invitationPendingProblem()
    await recordChange(tx, actor, newInvitation.projectId, 'invitation.create', invitation)
    return await sendInvitation(tx, invitation, showLink)
  })
}

/**
 * Sends a new link that is valid for seven days. The earlier links of the invitation are no longer valid.
 * @throws {Problem} 404 for an unknown invitation; 409 when it is accepted or revoked, for a member, and when another
 *   invitation is pending
 */
export async function resendInvitation(
  db: Database,
  actor: AuditActor,
  { projectId, id }: InvitationId,
  { showLink }: { showLink: boolean },
): Promise<InvitationWithSecret> {
  return await db.transaction().execute(async (tx) => {
    await lockMembers(tx, projectId)
    const { status, email } = await requireInvitation(tx, { projectId, id })
    if (status === 'accepted' || status === 'revoked') throw invitationClosedProblem(status)
    await requireNoMember(tx, projectId, email)
    const invitation = await renewInvitation(tx, id)
    if (invitation === undefined) throw invitationPendingProblem()
    await replaceLinks(tx, id)
    await recordChange(tx, actor, projectId, 'invitation.resend', invitation)
    return await sendInvitation(tx, invitation, showLink)
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
  await db.transaction().execute(async (tx) => {
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

async function requireInvitation(tx: Database, { projectId, id }: InvitationId): Promise<InvitationRow> {
  const invitation = await lockInvitation(tx, projectId, id)
  if (invitation === undefined) throw notFoundProblem('invitation')
  return invitation
}

async function requireNoMember(tx: Database, projectId: string, email: string): Promise<void> {
  if (!(await isMember(tx, projectId, email))) return
  throw conflictProblem('already_member', 'The user with this email address is already a member.')
}

async function sendInvitation(
  tx: Database,
  invitation: InvitationRow,
  showLink: boolean,
): Promise<InvitationWithSecret> {
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
