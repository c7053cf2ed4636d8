import type { CommentBody } from '@caseward/contract/comments'
import { MAX_COMMENTS } from '@caseward/contract/comment-schemas'
import type { FieldError } from '@caseward/contract/problem'
import { v7 as uuidv7 } from 'uuid'

import type { Principal } from '../../access/principal.ts'
import type { ProjectRef } from '../../access/project-cache.ts'
import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import {
  forbiddenProblem,
  invalidProblem,
  notFoundProblem,
  unprocessableProblem,
} from '../../platform/http/problems.ts'
import { announcePlace } from '../attachments/announce-attachments.ts'
import { getNoun } from '../attachments/attach-file.ts'
import { formatPlace, moveAttachmentCount } from '../attachments/attachment-places.queries.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { findUser } from '../auth/users/users.queries.ts'
import { addResultChanges, createResultChanges } from '../events/result-changes.ts'
import { notifyTestCasesChanged } from '../events/notify-distributed-change.ts'
import { notifyCommentChanged } from './announce-comments.ts'
import { claimAttachments, deleteCommentAttachments } from './comment-attachments.queries.ts'
import {
  type CommentPlace,
  type CommentRow,
  deleteCommentText,
  type FoundComment,
  insertComment,
  lockComment,
  moveCommentCount,
  selectComment,
  updateCommentBody,
} from './comments.queries.ts'
import { deleteMentionsOfComment } from './mentions.queries.ts'
import { type MentioningText, storeMentions } from './store-mentions.ts'

type ChangeDeps = Pick<Deps, 'db' | 'announcer' | 'hasMailServer'>

/**
 * Adds a comment, in one transaction with the count of its place, its mentions and what they cause.
 * @throws {Problem} 404 when the place is gone; 400 for a mentioned user who is no member, or an attachment that is not the
 *   author's to add; 422 for too many comments
 */
export async function addComment(
  deps: ChangeDeps,
  place: CommentPlace,
  { body, attachment_ids: attachmentIds = [] }: CommentBody,
  authorId: string,
): Promise<CommentRow> {
  return await changeCount(deps, place, 1, async (tx, count) => {
    if (count > MAX_COMMENTS) throw tooManyCommentsProblem(getNoun(place))
    const createdAt = new Date()
    const commentId = uuidv7({ msecs: createdAt.getTime() })
    const row = await insertComment(tx, place, { id: commentId, body, createdBy: authorId, createdAt })
    await storeReferences(deps, tx, place, { commentId, body, earlier: null, authorId, attachmentIds })
    return row
  })
}

/**
 * Changes a comment of the caller.
 * @throws {Problem} 404 when it is gone; 403 when someone else has written it; 400 as for {@link addComment}
 */
export async function updateComment(
  deps: ChangeDeps,
  project: ProjectRef,
  id: string,
  { body, attachment_ids: attachmentIds = [] }: CommentBody,
  userId: string,
): Promise<FoundComment> {
  const { place, row } = await requireComment(deps.db, project.id, id)
  if (row.createdBy !== userId) throw notYoursProblem('change')
  return await deps.db.transaction().execute(async (tx) => {
    const earlier = await lockComment(tx, place, id)
    if (earlier === null) throw notFoundProblem('comment')
    if (body !== earlier) await updateCommentBody(tx, project.id, { id, earlier, body })
    await storeReferences(deps, tx, place, { commentId: id, body, earlier, authorId: userId, attachmentIds })
    await notifyCommentChanged(tx, place)
    const found = await selectComment(tx, project.id, id)
    if (found === null) throw new Error('A comment is gone within its own transaction')
    return found
  })
}

/**
 * Deletes the text of a comment, its earlier texts, what was attached for it, and the mentions in it.
 * @throws {Problem} 404 when it is gone; 403 when the caller is neither its author nor an admin of the project
 */
export async function deleteComment(
  deps: ChangeDeps,
  principal: Exclude<Principal, { kind: 'ci' }>,
  actor: AuditActor,
  project: ProjectRef,
  id: string,
): Promise<void> {
  const { place, row } = await requireComment(deps.db, project.id, id)
  const isOwn = row.createdBy === principal.userId
  if (!isOwn && principal.roles.get(project.id) !== 'admin') throw notYoursProblem('delete')
  const attachmentCount = await changeCount(deps, place, -1, async (tx) => {
    if (!(await deleteCommentText(tx, place, { id, deletedBy: principal.userId }))) throw notFoundProblem('comment')
    await deleteMentionsOfComment(tx, place, id)
    const count = await deleteCommentAttachments(tx, place, id)
    if (count > 0) await moveAttachmentCount(tx, place, -count)
    if (!isOwn) {
      const author = await findUser(tx, row.createdBy)
      const subject = { kind: 'comment', id, name: author?.name ?? '' } as const
      const detail = formatPlace(place, project)
      await recordAudit(tx, actor, { action: 'comment.delete', subject, projectId: project.id, detail })
    }
    return count
  })
  if (attachmentCount > 0) announcePlace(deps, place)
}

/**
 * Changes comments of a place and their number, in a transaction that holds the lock on the place. A deletion may remove
 * attachments, which are counted at the run: its row comes before that of the result.
 * @throws {Problem} 404 when the place is gone
 */
async function changeCount<T>(
  { db, announcer }: ChangeDeps,
  place: CommentPlace,
  by: 1 | -1,
  change: (tx: Database, count: number) => Promise<T>,
): Promise<T> {
  const run = place.kind === 'run' ? { id: place.runId, project: { id: place.projectId } } : null
  const changes = run === null ? null : createResultChanges(run)
  try {
    return await db.transaction().execute(async (tx) => {
      if (by < 0) await moveAttachmentCount(tx, place, 0)
      const moved = await moveCommentCount(tx, place, by)
      if (moved === null) throw notFoundProblem(getNoun(place))
      const changed = await change(tx, moved.count)
      await notifyCommentChanged(tx, place)
      if (place.kind === 'testCase') await notifyTestCasesChanged(tx, place.projectId, [place.caseNumber])
      else if (changes !== null && place.resultId !== null) addResultChanges(changes, moved.at, [place.resultId])
      return changed
    })
  } finally {
    // After an error too: when the connection is lost during the commit, it may have succeeded.
    if (changes !== null) announcer.add(changes)
  }
}

/** Stores whom the text mentions, and which attachments are for it. @throws {Problem} 400 with all that it cannot */
async function storeReferences(
  deps: ChangeDeps,
  tx: Database,
  place: CommentPlace,
  { attachmentIds, ...text }: MentioningText & { attachmentIds: readonly string[] },
): Promise<void> {
  const errors: FieldError[] = await storeMentions(deps, tx, place, text)
  if (attachmentIds.length > 0) {
    const { commentId, authorId: userId } = text
    const claimed = await claimAttachments(tx, place, { ids: attachmentIds.filter(isUuid), commentId, userId })
    for (const [index, id] of attachmentIds.entries()) {
      if (claimed.has(id)) continue
      errors.push({ path: `/attachment_ids/${index}`, message: 'is not an attachment that you have added here' })
    }
  }
  if (errors.length > 0) throw invalidProblem(errors)
}

/** @throws {Problem} 404 when there is none, or its text is deleted */
async function requireComment(db: Database, projectId: string, id: string): Promise<FoundComment> {
  const found = isUuid(id) ? await selectComment(db, projectId, id) : null
  if (found === null || found.row.deletedAt !== null) throw notFoundProblem('comment')
  return found
}

const notYoursProblem = (verb: string) =>
  forbiddenProblem(`Someone else has written this comment. You cannot ${verb} it.`, 'not_yours')

const tooManyCommentsProblem = (noun: string) =>
  unprocessableProblem(
    'too_many_comments',
    `There are ${MAX_COMMENTS.toLocaleString('en')} comments on this ${noun} already. Delete some of them first.`,
  )
