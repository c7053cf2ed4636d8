import type { Database } from '../../../platform/database/connect.ts'
import { renderHtmlMail, type MailContent, renderTextMail } from '../../../platform/mail/mail-layout.ts'
import type { MailDefinition } from '../../../platform/jobs/mail-jobs.ts'
import type { Mail } from '../../../platform/mail/mailer.ts'
import { createResetLink } from './reset-links.queries.ts'

/** The mail with a link to reset a user's password, made for it now; null when it is not wanted any more. */
async function buildPasswordResetMail(db: Database, userId: string, publicUrl: string): Promise<Mail | null> {
  const reset = await createResetLink(db, userId)
  if (reset === null) return null
  const until = reset.expires_at.toISOString().slice(0, 16).replace('T', ', ')
  const content: MailContent = {
    heading: 'Reset your Caseward password',
    paragraphs: [
      'Somebody asked for a new password for your account.',
      `The link works once, until ${until} UTC. With the new password you are signed out everywhere.`,
    ],
    button: { label: 'Choose a new password', url: `${publicUrl}/reset/${reset.secret}` },
    footer: `This mail went to ${reset.email}. If it was not you who asked, do nothing: your password stays as it is.`,
  }
  return { to: reset.email, subject: content.heading, text: renderTextMail(content), html: renderHtmlMail(content) }
}

export const passwordResetMail: MailDefinition = { kind: 'password_reset', build: buildPasswordResetMail }
