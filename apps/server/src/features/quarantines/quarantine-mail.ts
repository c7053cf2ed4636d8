import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import type { MailDefinition } from '../../platform/jobs/mail-jobs.ts'
import {
  type MailContent,
  quoteName,
  renderHtmlMail,
  renderTextMail,
  toSingleLine,
} from '../../platform/mail/mail-layout.ts'
import type { Mail } from '../../platform/mail/mailer.ts'

/** Quarantines that an email lists of each kind. */
const LISTED = 20

/**
 * The email about quarantines that end soon, have ended, or hide a test that always fails. Its id is that of the project, of the
 * user, and the time at which they were marked.
 */
export const quarantineMail: MailDefinition = { kind: 'quarantine', build: buildQuarantineMail }

interface AnnouncedEntry {
  test_id: string
  reason: string
  kind: 'ending' | 'ended' | 'broken'
  expires_at: Date
  owner_name: string | null
  is_owner: boolean
}

/** Returns null when there is nothing to say any more: the entries were ended or extended. */
async function buildQuarantineMail(db: Database, id: string, publicUrl: string): Promise<Mail | null> {
  const [projectId = '', userId = '', at = ''] = id.split(' ')
  const recipient = await selectRecipient(db, projectId, userId)
  if (recipient === undefined) return null
  const entries = await selectAnnounced(db, {
    projectId,
    userId,
    at: new Date(at),
    isAdmin: recipient.role === 'admin',
  })
  if (entries.length === 0) return null
  const names = await selectTestNames(
    db,
    projectId,
    entries.map(({ test_id: testId }) => testId),
  )
  const content = buildContent(recipient, entries, {
    names,
    url: `${publicUrl}/projects/${projectId}/tests`,
  })
  return { to: recipient.email, subject: content.heading, text: renderTextMail(content), html: renderHtmlMail(content) }
}

interface Recipient {
  email: string
  role: string
  project_name: string
}

async function selectRecipient(db: Database, projectId: string, userId: string): Promise<Recipient | undefined> {
  const { rows } = await sql<Recipient>`
    select u.email, m.role, p.name as project_name
    from memberships m join users u on u.id = m.user_id join projects p on p.id = m.project_id
    where m.project_id = ${projectId} and m.user_id = ${userId} and u.disabled_at is null`.execute(db)
  return rows[0]
}

/** The entries of the user; for an admin, also those whose owner is no member any more. */
async function selectAnnounced(
  db: Database,
  { projectId, userId, at, isAdmin }: { projectId: string; userId: string; at: Date; isAdmin: boolean },
): Promise<AnnouncedEntry[]> {
  const { rows } = await sql<AnnouncedEntry>`
    select q.test_id, q.reason, kind.kind, q.expires_at, owner.name as owner_name,
      q.owner_id is not distinct from ${userId}::uuid as is_owner
    from quarantines q
    cross join lateral (
      select 'ended' as kind where q.end_announced_at = ${at} and q.ended_at is not null
      union all select 'ending' where q.reminded_at = ${at} and q.ended_at is null and q.expires_at > now()
      union all select 'broken' where q.broken_announced_at = ${at} and q.ended_at is null
    ) kind
    left join users owner on owner.id = q.owner_id
    where q.project_id = ${projectId} and (
      q.owner_id = ${userId}
      or ${isAdmin} and not exists (
        select from memberships m join users u on u.id = m.user_id
        where m.project_id = ${projectId} and m.user_id = q.owner_id and u.disabled_at is null
      )
    )
    order by q.expires_at, q.id`.execute(db)
  return rows
}

async function selectTestNames(
  db: Database,
  projectId: string,
  testIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from tests where project_id = ${projectId} and id = any(${[...testIds]}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const headings: Readonly<Record<AnnouncedEntry['kind'], (count: number) => string>> = {
  ended: (count) => `${formatCount(count)} ${count === 1 ? 'has' : 'have'} ended`,
  ending: (count) => `${formatCount(count)} ${count === 1 ? 'ends' : 'end'} soon`,
  broken: (count) => `${count} quarantined ${count === 1 ? 'test fails' : 'tests fail'} in every run`,
}
const explanations: Readonly<Record<AnnouncedEntry['kind'], string>> = {
  ended: 'These quarantines have ended. Failures of the tests block again:',
  ending: 'These quarantines end by themselves. Then failures of the tests block again, unless you change the end:',
  broken: 'These tests failed in their 3 newest runs of the default branch. They are broken, not flaky:',
}
const KINDS = ['ended', 'ending', 'broken'] as const

function buildContent(
  { email, project_name: projectName }: Recipient,
  entries: readonly AnnouncedEntry[],
  { names, url }: { names: ReadonlyMap<string, string>; url: string },
): MailContent {
  const kinds = KINDS.map((kind) => ({ kind, listed: entries.filter((entry) => entry.kind === kind) })).filter(
    ({ listed }) => listed.length > 0,
  )
  const isOwner = entries.some((entry) => entry.is_owner)
  return {
    heading: `${kinds.map(({ kind, listed }) => headings[kind](listed.length)).join(', ')} in ${quoteName(projectName)}`,
    paragraphs: kinds.flatMap(({ kind, listed }) => [
      explanations[kind],
      ...listed.slice(0, LISTED).map((entry) => formatEntry(entry, names.get(entry.test_id))),
      ...(listed.length > LISTED ? [`And ${listed.length - LISTED} more.`] : []),
    ]),
    button: { label: 'Open the tests', url },
    footer: isOwner
      ? `This email was sent to ${email} because you own these quarantines.`
      : `This email was sent to ${email} because you are an admin of the project, and the owner of these quarantines is no member any more.`,
  }
}

const formatCount = (count: number): string => `${count} ${count === 1 ? 'quarantine' : 'quarantines'}`

/** Days are UTC, as the mail does not know where it is read. */
const dayFormat = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

function formatEntry(
  { kind, reason, expires_at: at, owner_name: owner, is_owner: isOwner }: AnnouncedEntry,
  name?: string,
) {
  const test = name === undefined ? 'A deleted test' : quoteName(name)
  const end = kind === 'ended' ? `ended on ${dayFormat.format(at)}` : `until ${dayFormat.format(at)}`
  const whose = isOwner || owner === null ? '' : `, owned by ${quoteName(owner)}`
  return `${test}, ${end}${whose}: ${toSingleLine(reason, 200)}`
}
