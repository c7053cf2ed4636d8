import type { Database } from '../../../platform/database/connect.ts'
import type { MailDefinition } from '../../../platform/jobs/mail-jobs.ts'
import { type MailContent, renderHtmlMail, renderTextMail } from '../../../platform/mail/mail-layout.ts'
import type { Mail } from '../../../platform/mail/mailer.ts'
import { createEmailChangeLink } from './email-changes.queries.ts'

/** The email to a new address, with the link that confirms it. */
export const emailChangeMail: MailDefinition = { kind: 'email_change', build: buildEmailChangeMail }

/** Builds the email with a new link; returns null when the change is no longer pending. */
async function buildEmailChangeMail(db: Database, userId: string, publicUrl: string): Promise<Mail | null> {
  const change = await createEmailChangeLink(db, userId)
  if (change === undefined) return null
  const [date, time] = change.expires_at.toISOString().slice(0, 16).split('T')
  const content = change.is_taken
    ? buildTakenContent(change.email, publicUrl)
    : buildContent(change.email, `${date} at ${time} UTC`, `${publicUrl}/confirm-email/${change.secret}`)
  return { to: change.email, subject: content.heading, text: renderTextMail(content), html: renderHtmlMail(content) }
}

const buildContent = (email: string, expiry: string, url: string): MailContent => ({
  heading: 'Confirm your new email address',
  paragraphs: [
    `A user of Caseward asked to change the email address of their account to ${email}.`,
    `The link can be used once, in any browser, and expires on ${expiry}.`,
  ],
  button: { label: 'Confirm this address', url },
  footer: `This email was sent to ${email}. If you did not ask for this, ignore this email and do not use the link: nothing will change.`,
})

/** Only the owner of the address learns that it has an account. */
const buildTakenContent = (email: string, publicUrl: string): MailContent => ({
  heading: 'Your email address was given for another account',
  paragraphs: [
    `A user of Caseward asked to change the email address of their account to ${email}. You have an account with this address, so nothing was changed.`,
    'Was it you? Then sign in to the account that has this address, or change its address first.',
  ],
  button: { label: 'Open Caseward', url: `${publicUrl}/` },
  footer: `This email was sent to ${email}. If you did not ask for this, you can ignore this email.`,
})
