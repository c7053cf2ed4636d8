import type { Database } from '../../platform/database/connect.ts'
import {
  quoteName,
  renderHtmlMail,
  type MailContent,
  toSingleLine,
  renderTextMail,
} from '../../platform/mail/mail-layout.ts'
import type { MailDefinition } from '../../platform/jobs/mail-jobs.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { getJoinUrl, insertLink } from './invitation-links.queries.ts'
import { roleDescriptions } from './role-descriptions.ts'

/**
 * Builds the email of an invitation with a new link; null when the invitation is no longer pending. Every attempt to send
 * it adds a link, because an email whose delivery failed may have arrived.
 */
async function buildInvitationMail(db: Database, id: string, publicUrl: string): Promise<Mail | null> {
  const invitation = await db
    .selectFrom('invitations as invitation')
    .innerJoin('projects as project', 'project.id', 'invitation.project_id')
    .innerJoin('users as inviter', 'inviter.id', 'invitation.invited_by')
    .select([
      'invitation.email',
      'invitation.role',
      'invitation.expires_at',
      'project.name as project_name',
      'inviter.name as inviter_name',
      'inviter.email as inviter_email',
    ])
    .where('invitation.id', '=', id)
    .where('invitation.status', '=', 'pending')
    .where('invitation.expires_at', '>', new Date())
    .executeTakeFirst()
  if (invitation === undefined) return null
  const content = buildContent(invitation, getJoinUrl(publicUrl, await insertLink(db, id, { isMailed: true })))
  return {
    to: invitation.email,
    subject: content.heading,
    text: renderTextMail(content),
    html: renderHtmlMail(content),
  }
}

export const invitationMail: MailDefinition = { kind: 'invitation', build: buildInvitationMail }

interface InvitationDetails {
  email: string
  role: keyof typeof roleDescriptions
  expires_at: Date
  project_name: string
  inviter_name: string
  inviter_email: string
}

function buildContent(invitation: InvitationDetails, url: string): MailContent {
  const project = toSingleLine(invitation.project_name)
  const [date, time] = invitation.expires_at.toISOString().slice(0, 16).split('T')
  return {
    heading: `Join ${quoteName(invitation.project_name)} on Caseward`,
    paragraphs: [
      `${toSingleLine(invitation.inviter_name)} (${invitation.inviter_email}) invited you to the project ${project} as ${roleDescriptions[invitation.role]}.`,
      `The link can be used once and expires on ${date} at ${time} UTC.`,
    ],
    button: { label: 'Join the project', url },
    footer: `This email was sent to ${invitation.email}. If you did not expect it, you can ignore it: you join only if you use the link.`,
  }
}
