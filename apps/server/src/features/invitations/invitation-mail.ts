import type { Database } from '../../platform/database/connect.ts'
import { renderHtmlMail, type MailContent, toSingleLine, renderTextMail } from '../../platform/mail/mail-layout.ts'
import type { MailDefinition } from '../../platform/jobs/mail-jobs.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { insertLink, joinUrl } from './invitation-links.queries.ts'

const roleMeans = {
  admin: 'an admin: you can do everything in it, and invite others',
  member: 'a member: you can write test cases, run them and record results',
  viewer: 'a viewer: you can read everything in it',
} as const

/**
 * The mail of an invitation, with a link made for it now; null when the invitation is pending no more. Whoever asks
 * twice gets two links: nobody can tell whether a mail that was given up on arrived after all.
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
  const content = invitationContent(invitation, joinUrl(publicUrl, await insertLink(db, id)))
  return {
    to: invitation.email,
    subject: content.heading,
    text: renderTextMail(content),
    html: renderHtmlMail(content),
  }
}

export const invitationMail: MailDefinition = { kind: 'invitation', build: buildInvitationMail }

interface MailedInvitation {
  email: string
  role: keyof typeof roleMeans
  expires_at: Date
  project_name: string
  inviter_name: string
  inviter_email: string
}

function invitationContent(invitation: MailedInvitation, url: string): MailContent {
  const project = toSingleLine(invitation.project_name)
  const until = invitation.expires_at.toISOString().slice(0, 16).replace('T', ', ')
  return {
    heading: `Join ${project} on Caseward`,
    paragraphs: [
      `${toSingleLine(invitation.inviter_name)} (${invitation.inviter_email}) invites you to the project ${project}, as ${roleMeans[invitation.role]}.`,
      `The link works once, until ${until} UTC.`,
    ],
    button: { label: 'Join the project', url },
    footer: `This mail went to ${invitation.email}. If you do not know what it is about, do nothing: you join only by the link.`,
  }
}
