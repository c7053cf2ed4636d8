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
import { createSecondFactorLinks, type FactorLink } from '../second-factors/second-factor-links.queries.ts'
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
  const content = buildContent(email, notices, publicUrl, await createFactorLinks(db, notices))
  return { to: email, subject: content.heading, text: renderTextMail(content), html: renderHtmlMail(content) }
}

/**
 * Creates a link for each factor that was added in the last day to the accounts of these notices: also for those that a notice
 * only counts, so that no burst hides one.
 */
async function createFactorLinks(db: Database, notices: readonly NoticeRow[]): Promise<FactorLink[]> {
  const userIds = notices.flatMap(({ kind, detail: { user } }) => (kind === 'factor_add' && user ? [user] : []))
  const links: FactorLink[] = []
  for (const userId of new Set(userIds)) links.push(...(await createSecondFactorLinks(db, userId)))
  return links
}

function buildContent(
  email: string,
  notices: readonly NoticeRow[],
  publicUrl: string,
  factorLinks: readonly FactorLink[],
): MailContent {
  const kinds = notices.flatMap(({ kind }) => findNoticeKind(kind) ?? [])
  const [firstTitle = OTHER_TITLE, ...otherTitles] = new Set(kinds.map(({ title }) => title))
  const canUserHelp = kinds.some(({ help }) => help === 'user')
  return {
    heading: otherTitles.length === 0 ? firstTitle : OTHER_TITLE,
    paragraphs: [
      ...notices.map(formatNotice),
      ...factorLinks.map((link) => formatFactorLink(link, publicUrl)),
      canUserHelp ? buildUserAdvice(publicUrl) : ADMINISTRATOR_ADVICE,
    ],
    button: canUserHelp
      ? { label: 'Check your account', url: `${publicUrl}/account` }
      : { label: 'Open Caseward', url: `${publicUrl}/` },
    footer: `This email was sent to ${email} to keep your Caseward account safe. Security emails cannot be switched off.`,
  }
}

const OTHER_TITLE = 'Changes to your Caseward account'

/** The page of a link requires more than the link, which whoever reads the mailbox has. */
const formatFactorLink = ({ name, secret, expiresAt }: FactorLink, publicUrl: string): string => {
  const [date, time] = expiresAt.toISOString().slice(0, 16).split('T')
  return `You did not add ${quoteName(name)}? Until ${date} at ${time} UTC, you can remove it with your password and this link: ${publicUrl}/remove-factor/${secret}`
}

const buildUserAdvice = (publicUrl: string) =>
  `Was this you? Then there is nothing to do. If it was not, someone else may be using your account. Set a new password, with your sign-in provider or at ${publicUrl}/reset. There, say that someone else may have used your account: that ends their sessions, tokens and invitations. After signing in, check your second factors and everything under “Review” in your account. If sign-in asks for a second factor that is not yours, use the link of the email about it within a day; after that, only an administrator of this server can remove it. Tell an administrator in any case.`

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
