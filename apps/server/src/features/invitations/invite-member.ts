import type { Invitation } from '@caseward/contract/invitations'

import type { Database } from '../../platform/database/connect.ts'
import { enqueueMail } from '../../platform/jobs/mail-jobs.ts'
import { invitationMail } from './invitation-mail.ts'
import { conflictProblem } from '../../platform/http/problems.ts'
import { lockMembers } from '../members/members.queries.ts'
import { insertLink, replaceLinks } from './invitation-links.queries.ts'
import {
  closeInvitation,
  insertInvitation,
  type InvitationRow,
  isMember,
  lockInvitation,
  renewInvitation,
} from './invitations.queries.ts'

/** An invitation whose mail is queued; with the secret of a link where the admin is to hand it on. */
export interface InvitationWithSecret {
  invitation: InvitationRow
  secret: string | null
}

const alreadyMember = () => conflictProblem('already_member', 'The user of this e-mail address is a member already.')

/**
 * Invites an e-mail address, whether or not it has an account. Its mail is queued in the same transaction.
 * @throws {Problem} 409 for a member and for a second pending invitation
 */
export async function inviteMember(
  db: Database,
  invited: { projectId: string; email: string; role: Invitation['role']; invitedBy: string },
  { showLink }: { showLink: boolean },
): Promise<InvitationWithSecret> {
  return await db.transaction().execute(async (tx) => {
    await lockMembers(tx, invited.projectId)
    if (await isMember(tx, invited.projectId, invited.email)) throw alreadyMember()
    return await send(tx, await insertInvitation(tx, invited), showLink)
  })
}

/**
 * Ends the links of an invitation, gives it seven days more and sends a new link.
 * @throws {Problem} 404 for none, 409 for one that is accepted or revoked or stands against another
 */
export async function resendInvitation(
  db: Database,
  { projectId, id }: { projectId: string; id: string },
  { showLink }: { showLink: boolean },
): Promise<InvitationWithSecret> {
  return await db.transaction().execute(async (tx) => {
    await lockMembers(tx, projectId)
    const { status, email } = await lockInvitation(tx, projectId, id)
    if (status === 'accepted' || status === 'revoked') throw invitationClosedProblem(status)
    if (await isMember(tx, projectId, email)) throw alreadyMember()
    const renewed = await renewInvitation(tx, id)
    await replaceLinks(tx, id)
    return await send(tx, renewed, showLink)
  })
}

/**
 * Revokes an invitation. One that is revoked already stays so.
 * @throws {Problem} 404 for none, 409 for one that is accepted
 */
export async function revokeInvitation(
  db: Database,
  { projectId, id }: { projectId: string; id: string },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockMembers(tx, projectId)
    const { status } = await lockInvitation(tx, projectId, id)
    if (status === 'accepted') throw invitationClosedProblem(status)
    await closeInvitation(tx, id, 'revoked')
  })
}

async function send(tx: Database, invitation: InvitationRow, showLink: boolean): Promise<InvitationWithSecret> {
  await enqueueMail(tx, invitationMail, invitation.id)
  return { invitation, secret: showLink ? await insertLink(tx, invitation.id) : null }
}

const invitationClosedProblem = (status: 'accepted' | 'revoked') =>
  status === 'accepted'
    ? conflictProblem('invitation_accepted', 'The invitation has been accepted. To undo it, remove the member.')
    : conflictProblem('invitation_revoked', 'The invitation was revoked. Make a new one.')
