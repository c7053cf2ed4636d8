import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { enqueueMail } from '../../platform/jobs/mail-jobs.ts'
import { quarantineMail } from './quarantine-mail.ts'
import { REMINDER_DAYS } from './quarantines.queries.ts'

/**
 * Enqueues emails about the quarantines of a project that end soon, have ended, or hide that their test always fails: one to
 * each owner, and once for each. What belongs to nobody who is a member goes to the admins.
 */
export async function announceQuarantines(tx: Database, projectId: string): Promise<void> {
  const at = new Date()
  const testIds = await selectBrokenTests(tx, projectId)
  const { rows } = await sql<{ owner_id: string | null }>`
    with marked as (
      select id, owner_id,
        ended_at is null and reminded_at is null and expires_at > now()
          and expires_at <= now() + make_interval(days => ${sql.lit(REMINDER_DAYS)})
          -- Whoever has just chosen a near end needs no reminder.
          and expires_at > created_at + make_interval(days => ${sql.lit(REMINDER_DAYS)}) as ends_soon,
        ended_at = expires_at and end_announced_at is null as has_ended,
        ended_at is null and broken_announced_at is null and test_id = any(${testIds}::uuid[]) as is_broken
      from quarantines where project_id = ${projectId} and (ended_at is null or end_announced_at is null)
      for no key update
    )
    update quarantines q set
      reminded_at = case when marked.ends_soon then ${at} else q.reminded_at end,
      end_announced_at = case when marked.has_ended then ${at} else q.end_announced_at end,
      broken_announced_at = case when marked.is_broken then ${at} else q.broken_announced_at end
    from marked
    where q.project_id = ${projectId} and q.id = marked.id and (marked.ends_soon or marked.has_ended or marked.is_broken)
    returning q.owner_id`.execute(tx)
  const owners = [...new Set(rows.map(({ owner_id: id }) => id))]
  for (const userId of await selectRecipients(tx, projectId, owners))
    await enqueueMail(tx, quarantineMail, `${projectId} ${userId} ${at.toISOString()}`)
}

/** The tests of quarantines in effect that fail in every run of the default branch. */
async function selectBrokenTests(tx: Database, projectId: string): Promise<string[]> {
  const active = await sql<{ test_id: string }>`
    select test_id from quarantines
    where project_id = ${projectId} and ended_at is null and broken_announced_at is null`.execute(tx)
  const testIds = active.rows.map(({ test_id: id }) => id)
  const { rows } = await sql<{ test_id: string }>`
    select test_id from unstable_tests
    where project_id = ${projectId} and test_id = any(${testIds}::uuid[]) and stability = 'broken'`.execute(tx)
  return rows.map(({ test_id: id }) => id)
}

/** The owners that are members of the project; if one is not, or there is none, also the admins. */
async function selectRecipients(
  tx: Database,
  projectId: string,
  owners: readonly (string | null)[],
): Promise<readonly string[]> {
  if (owners.length === 0) return []
  const { rows } = await sql<{ user_id: string; role: string }>`
    select m.user_id, m.role from memberships m join users u on u.id = m.user_id
    where m.project_id = ${projectId} and u.disabled_at is null
      and (m.role = 'admin' or m.user_id = any(${owners.filter((id) => id !== null)}::uuid[]))
    order by m.user_id`.execute(tx)
  const members = new Set(rows.map(({ user_id: id }) => id))
  const needsAdmins = owners.some((id) => id === null || !members.has(id))
  return rows
    .filter(({ user_id: id, role }) => owners.includes(id) || (needsAdmins && role === 'admin'))
    .map(({ user_id: id }) => id)
}
