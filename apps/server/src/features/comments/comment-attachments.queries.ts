import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { type AttachmentPlace, getTable, isAt } from '../attachments/attachment-places.queries.ts'
import { type AttachmentRow, getFields } from '../attachments/attachments.queries.ts'
import { onCandidateConflict } from '../files/file-candidates.queries.ts'

/** An attachment, and the comment that it was attached for; null for none. */
export type CommentAttachmentRow = AttachmentRow & { commentId: string | null }

/** The attachments of a place that are of these comments, or have these ids. */
export async function selectCommentAttachments(
  db: Database,
  place: AttachmentPlace,
  { commentIds, ids }: { commentIds: readonly string[]; ids: readonly string[] },
): Promise<CommentAttachmentRow[]> {
  const { rows } = await sql<CommentAttachmentRow>`
    select ${getFields(place)}, a.comment_id as "commentId"
    from ${getTable(place)} a left join files f on f.project_id = ${place.projectId} and f.id = a.file_id
    where ${isAt(place)} and (a.comment_id = any(${commentIds}::uuid[]) or a.id = any(${ids}::uuid[]))
    order by a.id`.execute(db)
  return rows
}

/** Makes attachments of a user at a place those of a comment. Returns the ids of those that are, or were before. */
export async function claimAttachments(
  tx: Database,
  place: AttachmentPlace,
  { ids, commentId, userId }: { ids: readonly string[]; commentId: string; userId: string },
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    update ${getTable(place)} a set comment_id = ${commentId}
    where ${isAt(place)} and a.id = any(${ids}::uuid[]) and a.created_by = ${userId}
      and (a.comment_id is null or a.comment_id = ${commentId})
    returning a.id`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/** Deletes what was attached for a comment. A sweep deletes the files that nothing else needs. Returns how many there were. */
export async function deleteCommentAttachments(
  tx: Database,
  place: AttachmentPlace,
  commentId: string,
): Promise<number> {
  const { projectId } = place
  const { rows } = await sql<{ count: number }>`
    with deleted as (
      delete from ${getTable(place)} where project_id = ${projectId} and comment_id = ${commentId} returning file_id
    ), candidates as (
      insert into file_candidates (project_id, file_id)
      select distinct ${projectId}::uuid, file_id from deleted where file_id is not null
      order by file_id ${onCandidateConflict}
    )
    select count(*)::int as count from deleted`.execute(tx)
  return rows[0]?.count ?? 0
}
