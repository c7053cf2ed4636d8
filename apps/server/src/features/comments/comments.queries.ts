import { MAX_COMMENT_VERSIONS } from '@caseward/contract/comment-schemas'
import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import type { AttachmentPlace } from '../attachments/attachment-places.queries.ts'

/** Where comments are: as attachments, but never at a step. */
export type CommentPlace = AttachmentPlace

export interface CommentRow {
  id: string
  /** Null after it was deleted. */
  body: string | null
  createdBy: string
  createdAt: Date
  editedAt: Date | null
  deletedAt: Date | null
  deletedBy: string | null
}

const fields = sql`
  id, body, created_by as "createdBy", created_at as "createdAt", edited_at as "editedAt", deleted_at as "deletedAt",
  deleted_by as "deletedBy"`

/** Condition on a comment: it is at this place. */
export const isCommentAt = (place: CommentPlace) =>
  place.kind === 'testCase'
    ? sql`case_number = ${place.caseNumber}`
    : sql`run_id = ${place.runId} and ${
        place.resultId === null ? sql`result_id is null` : sql`result_id = ${place.resultId}`
      }`

/** Selects the comments of a place before a cursor, the newest first; one more than `limit` if there are more. */
export async function selectComments(
  db: Database,
  place: CommentPlace,
  { after = null, limit }: { after?: string | null | undefined; limit: number },
): Promise<CommentRow[]> {
  const { rows } = await sql<CommentRow>`
    select ${fields} from comments
    where project_id = ${place.projectId} and ${isCommentAt(place)} and (${after}::uuid is null or id < ${after}::uuid)
    order by id desc limit ${limit + 1}`.execute(db)
  return rows
}

/** A comment, and where it is. */
export interface FoundComment {
  place: CommentPlace
  row: CommentRow
}

export async function selectComment(db: Database, projectId: string, id: string): Promise<FoundComment | null> {
  const { rows } = await sql<CommentRow & { caseNumber: number; runId: string | null; resultId: string | null }>`
    select ${fields}, case_number as "caseNumber", run_id as "runId", result_id as "resultId"
    from comments where project_id = ${projectId} and id = ${id}`.execute(db)
  const [found] = rows
  if (found === undefined) return null
  const { caseNumber, runId, resultId, ...row } = found
  const place: CommentPlace =
    runId === null
      ? { kind: 'testCase', projectId, caseNumber, step: null }
      : { kind: 'run', projectId, runId, resultId, step: null }
  return { place, row }
}

export async function insertComment(
  tx: Database,
  place: CommentPlace,
  { id, body, createdBy, createdAt }: { id: string; body: string; createdBy: string; createdAt: Date },
): Promise<CommentRow> {
  const caseNumber = place.kind === 'testCase' ? place.caseNumber : null
  const { runId, resultId } = place.kind === 'run' ? place : { runId: null, resultId: null }
  const { rows } = await sql<CommentRow>`
    insert into comments (project_id, id, case_number, run_id, result_id, body, created_by, created_at)
    values (${place.projectId}, ${id}, ${caseNumber}, ${runId}, ${resultId}, ${body}, ${createdBy}, ${createdAt})
    returning ${fields}`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('The comment was not inserted')
  return row
}

/** Locks a comment that is not deleted and still at its place, from which a merge may move it, and returns its text. */
export async function lockComment(tx: Database, place: CommentPlace, id: string): Promise<string | null> {
  const { rows } = await sql<{ body: string | null }>`
    select body from comments where project_id = ${place.projectId} and id = ${id} and ${isCommentAt(place)}
    for no key update`.execute(tx)
  return rows[0]?.body ?? null
}

/** Gives a locked comment a new text, and keeps its earlier ones, up to a limit. */
export async function updateCommentBody(
  tx: Database,
  projectId: string,
  { id, earlier, body }: { id: string; earlier: string; body: string },
): Promise<void> {
  const { rows } = await sql<{ place: number }>`
    insert into comment_versions (project_id, comment_id, place, body)
    select ${projectId}::uuid, ${id}::uuid, coalesce(max(place) + 1, 0), ${earlier}
    from comment_versions where project_id = ${projectId} and comment_id = ${id}
    returning place`.execute(tx)
  const oldest = (rows[0]?.place ?? 0) - MAX_COMMENT_VERSIONS + 1
  if (oldest > 0) {
    await sql`
      delete from comment_versions
      where project_id = ${projectId} and comment_id = ${id} and place < ${oldest}::int`.execute(tx)
  }
  await sql`
    update comments set body = ${body}, edited_at = now() where project_id = ${projectId} and id = ${id}`.execute(tx)
}

/** Deletes the text of a comment and its earlier texts. Returns false when it is deleted or moved already. */
export async function deleteCommentText(
  tx: Database,
  place: CommentPlace,
  { id, deletedBy }: { id: string; deletedBy: string },
): Promise<boolean> {
  const { projectId } = place
  const { rows } = await sql`
    update comments set body = null, deleted_at = now(), deleted_by = ${deletedBy}
    where project_id = ${projectId} and id = ${id} and deleted_at is null and ${isCommentAt(place)}
    returning id`.execute(tx)
  if (rows.length === 0) return false
  await sql`delete from comment_versions where project_id = ${projectId} and comment_id = ${id}`.execute(tx)
  return true
}

/** Selects the earlier texts of a comment, the newest first. */
export async function selectCommentVersions(db: Database, projectId: string, id: string) {
  return await db
    .selectFrom('comment_versions')
    .select(['body', 'replaced_at'])
    .where('project_id', '=', projectId)
    .where('comment_id', '=', id)
    .orderBy('place', 'desc')
    .execute()
}

const MOVED_COUNT = (by: 1 | -1) => sql`comment_count = coalesce(comment_count, 0) + ${by}::int`

/** What has changed with the number of comments. */
interface MovedCount {
  count: number
  /** When the transaction began. */
  at: Date
}

/** Moves the number of comments of a place, and locks its row until the transaction ends. Returns null when it is gone. */
export async function moveCommentCount(tx: Database, place: CommentPlace, by: 1 | -1): Promise<MovedCount | null> {
  const { projectId } = place
  if (place.kind === 'testCase') {
    // The deletion of the project, which takes its comments first, waits or has ended.
    await sql`select from projects where id = ${projectId} for key share`.execute(tx)
  }
  // Citus allows no time in what an update returns.
  const { rows } = await sql<MovedCount>`
    with moved as (${updateCount(place, by)} returning comment_count as count)
    select count, now()::timestamptz(3) as at from moved`.execute(tx)
  return rows[0] ?? null
}

function updateCount(place: CommentPlace, by: 1 | -1): RawBuilder<unknown> {
  const { projectId } = place
  if (place.kind === 'testCase') {
    return sql`update test_cases set ${MOVED_COUNT(by)} where project_id = ${projectId} and number = ${place.caseNumber}`
  }
  if (place.resultId === null) {
    return sql`update runs set ${MOVED_COUNT(by)} where project_id = ${projectId} and id = ${place.runId}`
  }
  return sql`
    update test_results set ${MOVED_COUNT(by)}, changed_at = statement_timestamp()
    where project_id = ${projectId} and run_id = ${place.runId} and id = ${place.resultId}`
}
