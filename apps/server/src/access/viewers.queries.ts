import { sql } from 'kysely'

import type { Database } from '../platform/database/connect.ts'
import { isMissingSecondFactor, SESSION_IS_ACTIVE } from './principals.queries.ts'

/** A caller that continues to receive what it was allowed to read when it asked. */
export interface Viewer {
  /** The id of the session or token. */
  callerId: string
  projectId: string
  /** Null for the whole project. */
  runId: string | null
}

export interface CheckedViewers {
  /** The time of the database. */
  now: Date
  /** The indexes of the viewers that still have the permission `project:view`, and whose run still exists. */
  permitted: ReadonlySet<number>
}

/**
 * Checks many viewers with one statement, as the guard checks a request. Every role and every CI token of the project has
 * `project:view`.
 */
export async function checkViewers(db: Database, viewers: readonly Viewer[]): Promise<CheckedViewers> {
  const { rows } = await sql<{ now: Date; index: number | null }>`
    select clock_timestamp() as now, permitted.index from (select) as always left join (
      select viewer.number - 1 as index
      from unnest(
        ${viewers.map(({ callerId }) => callerId)}::uuid[], ${viewers.map(({ projectId }) => projectId)}::uuid[],
        ${viewers.map(({ runId }) => runId)}::uuid[]
      ) with ordinality as viewer (caller_id, project_id, run_id, number)
      where (
        exists (
          select from sessions
          join users on users.id = sessions.user_id and users.disabled_at is null
          join memberships m on m.user_id = users.id and m.project_id = viewer.project_id
          where sessions.id = viewer.caller_id and ${sql.raw(SESSION_IS_ACTIVE)} and not ${isMissingSecondFactor}
        ) or exists (
          select from api_tokens t left join users on users.id = t.user_id
          where t.id = viewer.caller_id and (t.expires_at is null or t.expires_at > now())
            and users.disabled_at is null
            and (t.project_id = viewer.project_id or exists (
              select from memberships m where m.user_id = t.user_id and m.project_id = viewer.project_id
            ))
        )
      ) and (viewer.run_id is null or exists (select from runs where runs.id = viewer.run_id))
    ) permitted on true`.execute(db)
  const indexes = rows.flatMap(({ index }) => (index === null ? [] : [index]))
  return { now: rows[0]?.now ?? new Date(), permitted: new Set(indexes) }
}
