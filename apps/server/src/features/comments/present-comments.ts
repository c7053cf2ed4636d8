import type { Comment } from '@caseward/contract/comment-schemas'
import { findAttachmentIds } from '@caseward/matching/comment-references'

import type { Database } from '../../platform/database/connect.ts'
import { presentNullableTime, presentTime } from '../../platform/http/timestamps.ts'
import { presentAttachment } from '../attachments/attachments.queries.ts'
import { type CommentAttachmentRow, selectCommentAttachments } from './comment-attachments.queries.ts'
import type { CommentPlace, CommentRow } from './comments.queries.ts'

/** Presents comments of one place with their attachments, which one statement reads if there can be any. */
export async function presentComments(
  db: Database,
  place: CommentPlace,
  rows: readonly CommentRow[],
  { hasAttachments }: { hasAttachments: boolean },
): Promise<Comment[]> {
  const ids = hasAttachments ? rows.flatMap(({ body }) => findAttachmentIds(body ?? '')) : []
  const attachments =
    hasAttachments && rows.length > 0
      ? await selectCommentAttachments(db, place, { commentIds: rows.map(({ id }) => id), ids })
      : []
  return rows.map((row) => presentComment(place, row, attachments))
}

function presentComment(
  { projectId }: CommentPlace,
  { id, body, createdBy, createdAt, editedAt, deletedAt, deletedBy }: CommentRow,
  attachments: readonly CommentAttachmentRow[],
): Comment {
  const shown = new Set(findAttachmentIds(body ?? ''))
  return {
    id,
    body,
    created_by: createdBy,
    created_at: presentTime(createdAt),
    edited_at: presentNullableTime(editedAt),
    deleted_at: presentNullableTime(deletedAt),
    deleted_by: deletedBy,
    attachments: attachments
      .filter((row) => row.commentId === id || shown.has(row.id))
      .map((row) => presentAttachment(projectId, row)),
  }
}
