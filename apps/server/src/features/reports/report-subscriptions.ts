import type { ReportSubscription, ReportSubscriptionBody } from '@caseward/contract/report'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { invalidFieldProblem } from '../../platform/http/problems.ts'
import { createLocalClock, requireTimeZone } from '../../platform/http/time-zones.ts'
import { findDueDay } from './due-report.ts'

/** Whose subscription of which project. */
export interface Subscriber {
  projectId: string
  userId: string
}

export async function selectSubscription(
  db: Database,
  { projectId, userId }: Subscriber,
): Promise<ReportSubscription | null> {
  const { rows } = await sql<ReportSubscription>`
    select every, weekday, hour, time_zone from report_subscriptions
    where project_id = ${projectId} and user_id = ${userId}`.execute(db)
  return rows[0] ?? null
}

/**
 * Stores a subscription. The first report comes at the next time: what was due before is taken as sent, and a report of today is not
 * sent again because its hour was changed.
 * @throws {Problem} 400 for a field
 */
export async function saveSubscription(
  db: Database,
  { projectId, userId }: Subscriber,
  { every, weekday: sent, hour, time_zone: zone }: ReportSubscriptionBody,
  now: Date,
): Promise<ReportSubscription> {
  const timeZone = requireTimeZone(zone)
  const weekday = sent ?? null
  if (every === 'week' && weekday === null) throw invalidFieldProblem('/weekday', 'is required for a report every week')
  if (every === 'day' && weekday !== null)
    throw invalidFieldProblem('/weekday', 'must be left out for a report every day')
  const dueDay = findDueDay({ weekday, hour }, createLocalClock(timeZone), now)
  // A user who leaves the project at the same time gets none.
  await sql`
    insert into report_subscriptions as s (project_id, user_id, every, weekday, hour, time_zone, last_sent_on)
    select m.project_id, m.user_id, ${every}::text, ${weekday}::smallint, ${hour}::smallint, ${timeZone}::text, ${dueDay}::date
    from memberships m where m.project_id = ${projectId} and m.user_id = ${userId}
    on conflict (project_id, user_id) do update set every = excluded.every, weekday = excluded.weekday, hour = excluded.hour,
      time_zone = excluded.time_zone, last_sent_on = greatest(s.last_sent_on, excluded.last_sent_on)`.execute(db)
  return { every, weekday, hour, time_zone: timeZone }
}

export async function deleteSubscription(db: Database, { projectId, userId }: Subscriber): Promise<void> {
  await sql`delete from report_subscriptions where project_id = ${projectId} and user_id = ${userId}`.execute(db)
}
