import { MAX_COMMENTS } from '@caseward/contract/comment-schemas'
import { toStoredJson } from '@caseward/importers/stored-json'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import type { FoundPlace } from './apply-places.queries.ts'
import type { PlannedComment } from './plan-comments.ts'

export type CommentRow = PlannedComment & FoundPlace

/** Inserts comments with their earlier texts. */
export async function insertComments(tx: Database, projectId: string, rows: readonly CommentRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into comments (project_id, id, case_number, run_id, result_id, body, created_by, created_at, edited_at, deleted_at,
      deleted_by)
    select ${projectId}::uuid, id, case_number, run_id, result_id, body, created_by, created_at, edited_at, deleted_at,
      deleted_by
    from json_to_recordset(${toStoredJson(rows)}) as item (
      id uuid, case_number int, run_id uuid, result_id uuid, body text, created_by uuid, created_at timestamptz,
      edited_at timestamptz, deleted_at timestamptz, deleted_by uuid
    )`.execute(tx)
  const versions = rows.flatMap(({ id, versions: all }) =>
    all.map((version, place) => ({ comment_id: id, place, ...version })),
  )
  if (versions.length === 0) return
  await sql`
    insert into comment_versions (project_id, comment_id, place, body, replaced_at)
    select ${projectId}::uuid, comment_id, place, body, replaced_at
    from json_to_recordset(${toStoredJson(versions)}) as item (
      comment_id uuid, place int, body text, replaced_at timestamptz
    )`.execute(tx)
}

/** Counts the comments of places again: null for none, 0 if all are deleted. */
export async function recountComments(tx: Database, projectId: string, places: readonly FoundPlace[]): Promise<void> {
  const count = sql`case when count(*) > 0 then count(body)::int end`
  const cases = [...new Set(places.flatMap(({ case_number: number }) => number ?? []))]
  const runs = [...new Set(places.flatMap(({ run_id: id, result_id: result }) => (result === null ? (id ?? []) : [])))]
  const results = places.flatMap(({ run_id: runId, result_id: id }) =>
    id === null || runId === null ? [] : [{ runId, id }],
  )
  if (cases.length > 0) {
    await sql`
      update test_cases c set comment_count = (
        select ${count} from comments k where k.project_id = ${projectId} and k.case_number = c.number
      ) where c.project_id = ${projectId} and c.number = any(${cases}::int[])`.execute(tx)
  }
  if (runs.length > 0) {
    const { rows } = await sql<{ id: string; count: number | null }>`
      select input.id, (
        select ${count} from comments k where k.project_id = ${projectId} and k.run_id = input.id and k.result_id is null
      ) as count from unnest(${runs}::uuid[]) as input (id)`.execute(tx)
    await sql`
      update runs r set comment_count = item.count
      from json_to_recordset(${JSON.stringify(rows)}) as item (id uuid, count int)
      where r.project_id = ${projectId} and r.id = item.id`.execute(tx)
  }
  if (results.length > 0) {
    await sql`
      update test_results r set changed_at = statement_timestamp(), comment_count = (
        select ${count} from comments k where k.project_id = ${projectId} and k.run_id = r.run_id and k.result_id = r.id
      ) where r.project_id = ${projectId} and r.run_id = any(${results.map(({ runId }) => runId)}::uuid[])
        and r.id = any(${results.map(({ id }) => id)}::uuid[])`.execute(tx)
  }
}

/** Which of these comments a place has no room for, since it would have more than it may. */
export async function selectTooMany(
  tx: Database,
  projectId: string,
  rows: readonly CommentRow[],
): Promise<ReadonlySet<string>> {
  const { rows: crowded } = await sql<{ id: string }>`
    select item.id from (
      select i.*, row_number() over (partition by case_number, run_id, result_id order by id) as nth
      from json_to_recordset(${JSON.stringify(rows.map(({ id, case_number, run_id, result_id }) => ({ id, case_number, run_id, result_id })))})
        as i (id uuid, case_number int, run_id uuid, result_id uuid)
    ) item
    where item.nth + (
      select count(*) from comments k where k.project_id = ${projectId}
        and ((item.case_number is not null and k.case_number = item.case_number)
          or (item.run_id is not null and k.run_id = item.run_id and k.result_id is not distinct from item.result_id))
    ) > ${MAX_COMMENTS}`.execute(tx)
  return new Set(crowded.map(({ id }) => id))
}
