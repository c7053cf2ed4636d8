import { type ActivityEntry, ACTIVITY_PAGE } from '@caseward/contract/overview'
import { sql } from 'kysely'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'

/** Runs and test cases that are looked at, so that the cost does not grow with the project. */
const LOOKED_AT = 1000

interface ActivityRow {
  at: Date
  kind: ActivityEntry['kind']
  actor_id: string | null
  actor_name: string | null
  subject_id: string
  subject_name: string
  count: number
}

/** A page of what happened in a project, the newest first. @param before null for the first page */
export async function selectActivity(
  db: Database,
  { id: projectId, prefix }: ProjectRef,
  before: Date | null,
): Promise<{ data: ActivityEntry[]; meta: { next_after: string | null } }> {
  const limit = sql.lit(ACTIVITY_PAGE + 1)
  const isBefore = (column: string) => sql`(${before}::timestamptz is null or ${sql.ref(column)} < ${before})`
  const { rows } = await sql<ActivityRow>`
    with newest_runs as materialized (
      select id, name, created_by, created_at, completed_at from runs
      where project_id = ${projectId} order by id desc limit ${sql.lit(LOOKED_AT)}
    ), newest_cases as (
      select number, title, created_by, created_at from test_cases
      where project_id = ${projectId} order by number desc limit ${sql.lit(LOOKED_AT)}
    ), entries as (
      (
        select created_at as at, 'run.created' as kind, created_by as actor_id, id::text as subject_id,
          name as subject_name, 1 as count
        from newest_runs where ${isBefore('created_at')} order by created_at desc limit ${limit}
      ) union all (
        select completed_at, 'run.completed', null, id::text, name, 1
        from newest_runs where completed_at is not null and ${isBefore('completed_at')}
        order by completed_at desc limit ${limit}
      ) union all (
        select max(created_at), 'test_cases.created', created_by, max(number)::text,
          (array_agg(title order by number desc))[1], count(*)::int
        from newest_cases group by created_by, date_trunc('hour', created_at)
        having ${before}::timestamptz is null or max(created_at) < ${before}
        order by max(created_at) desc limit ${limit}
      ) union all (
        select created_at, 'milestone.created', null, id::text, name, 1
        from milestones where project_id = ${projectId} and ${isBefore('created_at')}
        order by created_at desc limit ${limit}
      ) union all (
        select m.joined_at, 'member.joined', m.user_id, m.user_id::text, u.name, 1
        from memberships m join users u on u.id = m.user_id
        where m.project_id = ${projectId} and ${isBefore('m.joined_at')}
        order by m.joined_at desc limit ${limit}
      )
    )
    select e.*, u.name as actor_name from entries e left join users u on u.id = e.actor_id
    order by e.at desc, e.kind, e.subject_id limit ${limit}`.execute(db)
  const page = cutPage(rows)
  const last = rows.length > page.length ? page.at(-1) : undefined
  return {
    data: page.map((row) => ({
      at: row.at.toISOString(),
      kind: row.kind,
      actor: row.actor_id === null || row.actor_name === null ? null : { id: row.actor_id, name: row.actor_name },
      subject: {
        id: row.kind === 'test_cases.created' ? formatTestCaseId(prefix, row.subject_id) : row.subject_id,
        name: row.subject_name,
        count: row.count,
      },
    })),
    meta: { next_after: last?.at.toISOString() ?? null },
  }
}

/** A page ends between two times, because the next one starts before the time of its last entry. */
function cutPage(rows: readonly ActivityRow[]): readonly ActivityRow[] {
  const next = rows[ACTIVITY_PAGE]
  if (next === undefined) return rows
  const page = rows.slice(0, ACTIVITY_PAGE)
  const later = page.filter(({ at }) => at > next.at)
  return later.length > 0 ? later : page
}
