import type { Report } from '@caseward/contract/report'
import { formatShare } from '@caseward/matching/format-amounts'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { isTimeZone } from '../../platform/http/time-zones.ts'
import type { MailDefinition } from '../../platform/jobs/mail-jobs.ts'
import {
  type MailContent,
  quoteName,
  renderHtmlMail,
  renderTextMail,
  toSingleLine,
} from '../../platform/mail/mail-layout.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { REPORT_DAYS } from './due-report.ts'
import { readReport } from './read-report.ts'

/** The report of a project. Its id is that of the project, of the reader, how often it comes, and the time at which it was due. */
export const reportMail: MailDefinition = { kind: 'report', build: buildReportMail }

interface Reader {
  email: string
  time_zone: string
}

/** Returns null when the reader does not want it any more, or is no member. */
async function buildReportMail(db: Database, id: string, publicUrl: string): Promise<Mail | null> {
  const [projectId = '', userId = '', every = '', at = ''] = id.split(' ')
  const { rows } = await sql<Reader>`
    select u.email, s.time_zone from report_subscriptions s
    join memberships m on m.project_id = s.project_id and m.user_id = s.user_id
    join users u on u.id = s.user_id
    where s.project_id = ${projectId} and s.user_id = ${userId} and u.disabled_at is null`.execute(db)
  const [reader] = rows
  if (reader === undefined) return null
  const timeZone = isTimeZone(reader.time_zone) ? reader.time_zone : 'UTC'
  // With the day of the one before, whose report came in the middle of it.
  const days = (every === 'day' ? REPORT_DAYS.day : REPORT_DAYS.week) + 1
  const report = await readReport(db, projectId, { days, time_zone: timeZone }, new Date(at))
  if (report === undefined) return null
  const url = `${publicUrl}/projects/${projectId}/insight/report`
  const content: MailContent = {
    heading: `${every === 'day' ? 'Daily' : 'Weekly'} report of ${quoteName(report.project_name)}${summarize(report)}`,
    paragraphs: describeReport(report, timeZone),
    button: { label: 'Open the report', url },
    footer: `This email was sent to ${reader.email} because you asked for this report. You can change or end that below the report: ${url}`,
  }
  return { to: reader.email, subject: content.heading, text: renderTextMail(content), html: renderHtmlMail(content) }
}

function summarize({ branch, green }: Report): string {
  if (branch === null || green.length === 0) return ''
  const isRed = green.some(({ state }) => state === 'red')
  return `: ${toSingleLine(branch, 40)} is ${isRed ? 'red' : 'green'}`
}

const CELL_CHARACTERS = { green: '■', red: '✗', excluded: '/', none: '·' } as const
const LEGEND = '■ green, ✗ red, / excluded, · nothing ran'

/** The paragraphs of a report, without what is zero. */
export function describeReport(report: Report, timeZone: string): string[] {
  if (report.run_count === 0) return ['No run was created in this time. The next report comes when there is one.']
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const dayFormat = new Intl.DateTimeFormat('en', { timeZone, day: 'numeric', month: 'short' })
  const { green, new_causes: causes, flaky, ending, slower, gone_count: gone, by_hand: byHand, readiness } = report
  return [
    ...(green.length === 0 ? [] : [`Is ${toSingleLine(report.branch ?? '', 60)} green? ${LEGEND}`]),
    ...green.map(
      ({ series, cells, green_share: share, state, since }) =>
        `${series === '' ? '' : `${toSingleLine(series, 60)}: `}${cells.map((cell) => CELL_CHARACTERS[cell]).join('')} ${
          share === null ? 'no time' : `${formatShare(share, 1)} of the time`
        } green${state === null || since === null ? '' : `, ${state} now, since ${format.format(new Date(since))}`}`,
    ),
    ...list(
      'New cause',
      'New causes',
      causes.total,
      causes.items,
      ({ title, test_count: tests }) => `${toSingleLine(title, 200)} (${tests} ${tests === 1 ? 'test' : 'tests'})`,
    ),
    ...(flaky.added_count + flaky.ended_count + flaky.total === 0
      ? []
      : [`Flaky tests: ${flaky.total} now, ${flaky.added_count} new, ${flaky.ended_count} not any more.`]),
    ...flaky.added.map(({ name }) => `New: ${toSingleLine(name, 200)}`),
    ...list(
      'Quarantine that ends soon',
      'Quarantines that end soon',
      ending.length,
      ending,
      (entry) =>
        `${quoteName(entry.test_name)}, until ${dayFormat.format(new Date(entry.expires_at))}${entry.owner_name === null ? '' : `, owned by ${quoteName(entry.owner_name)}`}`,
    ),
    ...list(
      'Slower test',
      'Slower tests',
      slower.length,
      slower,
      ({ test, before_ms: before, now_ms: now }) =>
        `${toSingleLine(test.name, 200)}: ${formatSeconds(before)} → ${formatSeconds(now)}`,
    ),
    ...(gone === 0 ? [] : [`${gone} linked ${gone === 1 ? 'test does' : 'tests do'} not run any more.`]),
    ...list(
      'Run by hand',
      'Runs by hand',
      byHand.length,
      byHand,
      ({ name, passed, failed, not_tested: open }) =>
        `${quoteName(name)}: ${passed} passed, ${failed} failed or blocked, ${open} to do`,
    ),
    ...list(
      'Milestone',
      'Milestones',
      readiness.length,
      readiness,
      ({ name, tested, total, failed, expected_on: on }) =>
        `${quoteName(name)}: ${tested} of ${total} tested, ${failed} failed${on === null ? '' : `, done on ${on} at this pace`}`,
    ),
    ...(green.length === 0
      ? [`${report.run_count} ${report.run_count === 1 ? 'run' : 'runs'}, none of a base branch.`]
      : []),
  ]
}

/** A heading with the number, and a line for each; nothing without any. */
function list<T>(
  one: string,
  several: string,
  total: number,
  items: readonly T[],
  format: (item: T) => string,
): string[] {
  if (total === 0) return []
  const more = total - items.length
  return [
    `${total} ${(total === 1 ? one : several).replace(/^./, (letter) => letter.toLowerCase())}:`,
    ...items.map(format),
    ...(more > 0 ? [`And ${more} more.`] : []),
  ]
}

const formatSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
