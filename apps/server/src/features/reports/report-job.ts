import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { groupBy } from '../../platform/group-by.ts'
import { addDays, createLocalClock, isTimeZone } from '../../platform/http/time-zones.ts'
import { enqueueMail } from '../../platform/jobs/mail-jobs.ts'
import type { ScheduledJob } from '../../platform/jobs/scheduled-jobs.ts'
import { findDueDay, REPORT_DAYS } from './due-report.ts'
import { reportMail } from './report-mail.ts'

const SUBSCRIPTIONS_PER_LIST = 500

/** The job that sends reports when the hour of their readers has begun: also in time zones that are a quarter of an hour apart. */
export const reportJob: ScheduledJob = {
  name: 'send_reports',
  schedule: '*/15 * * * *',
  maxDelayMs: 24 * 3_600_000,
  run: async (db, signal) => await sendDueReports(db, new Date(), signal),
}

interface Subscription {
  project_id: string
  user_id: string
  every: 'week' | 'day'
  weekday: number | null
  hour: number
  time_zone: string
  last_sent_on: string
}

/** Sends the reports that are due at a time. */
export async function sendDueReports(db: Database, now: Date, signal: AbortSignal): Promise<void> {
  let after: Subscription | undefined
  do {
    const { rows }: { rows: Subscription[] } = await sql<Subscription>`
      select s.project_id, s.user_id, s.every, s.weekday, s.hour, s.time_zone, s.last_sent_on::text
      from report_subscriptions s join users u on u.id = s.user_id
      where u.disabled_at is null
        and (${after?.project_id ?? null}::uuid is null
          or (s.project_id, s.user_id) > (${after?.project_id ?? null}::uuid, ${after?.user_id ?? null}::uuid))
      order by s.project_id, s.user_id limit ${sql.lit(SUBSCRIPTIONS_PER_LIST)}`.execute(db)
    const clocks = new Map(
      [...groupBy(rows, ({ time_zone: zone }) => zone).keys()]
        .filter(isTimeZone)
        .map((zone) => [zone, createLocalClock(zone)] as const),
    )
    for (const subscription of rows) {
      signal.throwIfAborted()
      // A time zone that a newer version of Node.js does not know any more: its reports come by UTC.
      const clock = clocks.get(subscription.time_zone) ?? createLocalClock('UTC')
      const dueDay = findDueDay(subscription, clock, now)
      if (subscription.last_sent_on >= dueDay) continue
      const findDay = (daysAgo: number) => clock.findMidnight(addDays(clock.formatDay(now), -daysAgo))
      await sendReport(db, subscription, {
        dueDay,
        now,
        weekAgo: findDay(REPORT_DAYS.week),
        dayAgo: findDay(REPORT_DAYS.day),
      })
    }
    after = rows.length === SUBSCRIPTIONS_PER_LIST ? rows.at(-1) : undefined
  } while (after !== undefined)
}

interface DueReport {
  dueDay: string
  now: Date
  /** When the day began on which the report of a week, or of a day, came before. */
  weekAgo: Date
  dayAgo: Date
}

/** Sends a report once, whichever servers try. Without a run, it says so once. */
async function sendReport(
  db: Database,
  { project_id: projectId, user_id: userId, every }: Subscription,
  { dueDay, now, weekAgo, dayAgo }: DueReport,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ was_silent: boolean }>`
      select was_silent from report_subscriptions
      where project_id = ${projectId} and user_id = ${userId} and last_sent_on < ${dueDay}::date for update`.execute(tx)
    const [subscription] = rows
    if (subscription === undefined) return
    // A day without a run is nothing to write about before it is a week.
    const isSilent = !(await hasRun(tx, projectId, weekAgo))
    await sql`
      update report_subscriptions set last_sent_on = ${dueDay}::date, was_silent = ${isSilent}
      where project_id = ${projectId} and user_id = ${userId}`.execute(tx)
    const wasQuiet = every === 'day' && !isSilent && !(await hasRun(tx, projectId, dayAgo))
    if ((isSilent && subscription.was_silent) || wasQuiet) return
    await enqueueMail(tx, reportMail, `${projectId} ${userId} ${every} ${now.toISOString()}`)
  })
}

async function hasRun(tx: Database, projectId: string, since: Date): Promise<boolean> {
  const { rows } = await sql`
    select from runs where project_id = ${projectId} and created_at >= ${since} limit 1`.execute(tx)
  return rows.length > 0
}
