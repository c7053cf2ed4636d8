import type { Database } from '../../../platform/database/connect.ts'
import type { MailDefinition } from '../../../platform/jobs/mail-jobs.ts'
import {
  type MailContent,
  quoteName,
  renderHtmlMail,
  renderTextMail,
  toSingleLine,
} from '../../../platform/mail/mail-layout.ts'
import type { Mail } from '../../../platform/mail/mailer.ts'
import { formatBrowser } from '../session/format-browser.ts'
import { SECURITY_MAIL } from './enqueue-security-notice.ts'
import { findNoticeKind } from './notice-kinds.ts'
import { closeSecurityMail, deleteOldSecurityMails, type NoticeRow, selectNotices } from './security-notices.queries.ts'

/** The email with what happened to an account. */
export const securityMail: MailDefinition = { ...SECURITY_MAIL, build: buildSecurityMail }

async function buildSecurityMail(db: Database, id: string, publicUrl: string): Promise<Mail | null> {
  await deleteOldSecurityMails(db)
  const email = await closeSecurityMail(db, id)
  const notices = await selectNotices(db, id)
  if (email === undefined || notices.length === 0) return null
  const content = buildContent(email, notices, publicUrl)
  return { to: email, subject: content.heading, text: renderTextMail(content), html: renderHtmlMail(content) }
}

function buildContent(email: string, notices: readonly NoticeRow[], publicUrl: string): MailContent {
  const kinds = notices.flatMap(({ kind }) => findNoticeKind(kind) ?? [])
  const [firstTitle = OTHER_TITLE, ...otherTitles] = new Set(kinds.map(({ title }) => title))
  const canUserHelp = kinds.some(({ help }) => help === 'user')
  return {
    heading: otherTitles.length === 0 ? firstTitle : OTHER_TITLE,
    paragraphs: [...notices.map(formatNotice), canUserHelp ? buildUserAdvice(publicUrl) : ADMINISTRATOR_ADVICE],
    button: canUserHelp
      ? { label: 'Check your account', url: `${publicUrl}/account` }
      : { label: 'Open Caseward', url: `${publicUrl}/` },
    footer: `This email was sent to ${email} to keep your Caseward account safe. Security emails cannot be switched off.`,
  }
}

const OTHER_TITLE = 'Changes to your Caseward account'

const buildUserAdvice = (publicUrl: string) =>
  `Was this you? Then there is nothing to do. If it was not, somebody else may be using your account: set a new password, with your sign-in provider or at ${publicUrl}/reset, where you can also revoke your personal tokens, check the passkeys, sessions and tokens of your account, and tell an administrator of this server.`

const ADMINISTRATOR_ADVICE = 'If you did not expect this, contact an administrator of this server.'

function formatNotice({ kind, at, address, user_agent: userAgent, repeat_count: repeats, detail }: NoticeRow): string {
  const { by, token } = detail
  const what = findNoticeKind(kind)?.describe(detail) ?? 'Your account was changed.'
  const [date, time] = at.toISOString().slice(0, 19).split('T')
  const source = [
    ...(by === undefined ? [] : [`by the administrator ${quoteName(by)}`]),
    ...(token === undefined ? [] : [`with the token ${quoteName(token)}`]),
    ...(address === null ? [] : [`from the address ${toSingleLine(address)}`]),
    ...(userAgent === '' ? [] : [`with ${toSingleLine(formatBrowser(userAgent))}`]),
  ]
  const more = repeats === 0 ? '' : ` This happened ${repeats} more ${repeats === 1 ? 'time' : 'times'} shortly after.`
  return `${what} ${[`On ${date} at ${time} UTC`, ...source].join(', ')}.${more}`
}
