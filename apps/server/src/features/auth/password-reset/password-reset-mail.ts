import type { Database } from '../../../platform/database/connect.ts'
import type { MailDefinition } from '../../../platform/jobs/mail-jobs.ts'
import { renderHtmlMail, type MailContent, renderTextMail } from '../../../platform/mail/mail-layout.ts'
import type { Mail } from '../../../platform/mail/mailer.ts'
import { createResetLink } from './password-reset.queries.ts'

/** The email with a link to reset a user's password. */
export const passwordResetMail: MailDefinition = { kind: 'password_reset', build: buildPasswordResetMail }

/** Builds the email with a new link; returns null when the password has been changed since or the request has expired. */
async function buildPasswordResetMail(db: Database, userId: string, publicUrl: string): Promise<Mail | null> {
  const link = await createResetLink(db, userId)
  if (link === null) return null
  const [date, time] = link.expires_at.toISOString().slice(0, 16).split('T')
  const content: MailContent = {
    heading: 'Reset your Caseward password',
    paragraphs: [
      'We received a request to reset your password.',
      `The link can be used once and expires on ${date} at ${time} UTC. Setting a new password signs you out everywhere.`,
    ],
    button: { label: 'Choose a new password', url: `${publicUrl}/reset/${link.secret}` },
    footer: `This email was sent to ${link.email}. If you did not request this, you can ignore this email: your password will not change.`,
  }
  return { to: link.email, subject: content.heading, text: renderTextMail(content), html: renderHtmlMail(content) }
}
