import type { WorkRun } from '@caseward/contract/assignments'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { enqueueMail, type MailDefinition } from '../../platform/jobs/mail-jobs.ts'
import { type MailContent, quoteName, renderHtmlMail, renderTextMail } from '../../platform/mail/mail-layout.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { selectMyWork } from './my-work.queries.ts'

/** The first mail waits for what else is assigned at the same time, and the next one for what is assigned later. */
const FIRST_DELAY = '1 minute'
const INTERVAL = '1 hour'
/** Runs that the mail lists. */
const LISTED_RUNS = 10

/** The email that says what is assigned to a user. */
export const assignmentMail: MailDefinition = { kind: 'assignment', build: buildAssignmentMail }

/**
 * Enqueues an email to each of these users, unless one is waiting already: at most one in an hour. It is built when it is
 * sent, so that it contains what is still to do then.
 */
export async function enqueueAssignmentMails(tx: Database, userIds: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string; at: Date }>`
    update users
    set assignment_mail_at = greatest(now() + ${FIRST_DELAY}::interval, assignment_mail_at + ${INTERVAL}::interval)
    where id in (
      select id from users
      where id = any(${userIds}::uuid[]) and (assignment_mail_at is null or assignment_mail_at <= now())
      order by id for no key update
    )
    returning id, assignment_mail_at as at`.execute(tx)
  for (const { id, at } of rows) await enqueueMail(tx, assignmentMail, id, at)
}

/** Returns null when nothing is left to do. */
async function buildAssignmentMail(db: Database, userId: string, publicUrl: string): Promise<Mail | null> {
  const user = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  const runs = (JSON.parse(await selectMyWork(db, userId)) as WorkRun[]).filter((run) => countToDo(run) > 0)
  if (user === undefined || runs.length === 0) return null
  const content = buildContent(user.email, runs, publicUrl)
  return { to: user.email, subject: content.heading, text: renderTextMail(content), html: renderHtmlMail(content) }
}

function buildContent(email: string, runs: readonly WorkRun[], publicUrl: string): MailContent {
  const total = runs.reduce((sum, run) => sum + countToDo(run), 0)
  const lines = runs
    .slice(0, LISTED_RUNS)
    .map((run) => `${quoteName(run.name)} in ${quoteName(run.project_name)}: ${formatTestCases(countToDo(run))}.`)
  const more = runs.length - LISTED_RUNS
  return {
    heading: `${formatTestCases(total)} to test`,
    paragraphs: ['These test cases are assigned to you:', ...lines, ...(more > 0 ? [`And ${more} more runs.`] : [])],
    button: { label: 'Open my work', url: `${publicUrl}/work` },
    footer: `This email was sent to ${email} because someone assigned test cases to you. You get at most one in an hour.`,
  }
}

const countToDo = ({ stats }: WorkRun): number => stats.not_tested + stats.retest

const formatTestCases = (count: number): string => `${count} test ${count === 1 ? 'case' : 'cases'}`
