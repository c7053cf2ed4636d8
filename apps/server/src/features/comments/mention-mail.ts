import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { enqueueMail, type MailDefinition } from '../../platform/jobs/mail-jobs.ts'
import {
  type MailContent,
  quoteName,
  renderHtmlMail,
  renderTextMail,
  toSingleLine,
} from '../../platform/mail/mail-layout.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { type MentioningComment, selectMentioningComments, selectMentionsOfMail } from './mentions.queries.ts'
import { formatFirstLine } from './present-mention.ts'

/** The first email waits for further mentions, and for a correction of the comment. */
const FIRST_DELAY = '1 minute'
const INTERVAL = '5 minutes'
/** An email that is sent this soon is not joined: it may be built before the mention is committed. */
const CLOSED_BEFORE = '10 seconds'
/** Mentions that an email lists. */
const LISTED_MENTIONS = 10

/** The email that says which comments mention a user. Its id is that of the user and the time of the email. */
export const mentionMail: MailDefinition = { kind: 'mention', build: buildMentionMail }

/**
 * Enqueues an email to each of these users who wants it, unless one is waiting: at most one in five minutes.
 * @returns the time of the email that tells each of them, by user
 */
export async function enqueueMentionMails(tx: Database, userIds: readonly string[]): Promise<Map<string, Date>> {
  const { rows } = await sql<{ id: string; at: Date; isNew: boolean }>`
    with known as materialized (
      select id, mention_mail_at, mention_mail_at > now() + ${CLOSED_BEFORE}::interval as is_open from users
      where id = any(${userIds}::uuid[]) and mention_emails and disabled_at is null
      order by id for no key update
    )
    update users u set mention_mail_at = case when known.is_open then known.mention_mail_at
      else greatest(now() + ${FIRST_DELAY}::interval, known.mention_mail_at + ${INTERVAL}::interval) end
    from known where u.id = known.id
    returning u.id, u.mention_mail_at as at, known.is_open is not true as "isNew"`.execute(tx)
  for (const { id, at, isNew } of rows) if (isNew) await enqueueMail(tx, mentionMail, `${id} ${at.toISOString()}`, at)
  return new Map(rows.map(({ id, at }) => [id, at]))
}

/** Returns null when all are read, or the comments are deleted. */
async function buildMentionMail(db: Database, id: string, publicUrl: string): Promise<Mail | null> {
  const [userId = '', mailAt = ''] = id.split(' ')
  const user = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .where('disabled_at', 'is', null)
    .where('mention_emails', '=', true)
    .executeTakeFirst()
  if (user === undefined) return null
  const mentions = await selectMentionsOfMail(db, userId, { mailAt: new Date(mailAt), limit: LISTED_MENTIONS + 1 })
  const comments = [...(await selectMentioningComments(db, mentions)).values()]
  if (comments.length === 0) return null
  const content = buildContent(user.email, comments, publicUrl)
  return { to: user.email, subject: content.heading, text: renderTextMail(content), html: renderHtmlMail(content) }
}

function buildContent(email: string, comments: readonly MentioningComment[], publicUrl: string): MailContent {
  const [first] = comments
  const isOne = comments.length === 1 && first !== undefined
  const heading = isOne
    ? `${quoteName(first.authorName)} mentioned you on ${quoteName(first.title)}`
    : `${comments.length > LISTED_MENTIONS ? `More than ${LISTED_MENTIONS}` : comments.length} comments mention you`
  return {
    heading,
    paragraphs: comments.slice(0, LISTED_MENTIONS).map(formatComment),
    button: { label: 'Open your mentions', url: `${publicUrl}/work?tab=mentions` },
    footer: `This email was sent to ${email} because a comment mentions you. You get at most one in five minutes, and can switch them off at ${publicUrl}/account/keys.`,
  }
}

const formatComment = ({ authorName, title, projectName, body }: MentioningComment): string =>
  `${quoteName(authorName)} on ${quoteName(title)} in ${quoteName(projectName)}: ${toSingleLine(formatFirstLine(body), 200)}`
