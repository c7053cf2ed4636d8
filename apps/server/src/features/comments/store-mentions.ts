import { MAX_MENTIONS } from '@caseward/contract/comment-schemas'
import type { FieldError } from '@caseward/contract/problem'
import { findMentions } from '@caseward/matching/comment-references'

import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { CommentPlace } from './comments.queries.ts'
import { enqueueMentionMails } from './mention-mail.ts'
import { insertMentions, selectMentionable, selectMentioned } from './mentions.queries.ts'

/** A text of a comment. */
export interface MentioningText {
  commentId: string
  body: string
  /** The text before; null for a new comment. Whom it mentions need not be a member any more. */
  earlier: string | null
  authorId: string
}

/**
 * Stores whom a comment mentions for the first time, and tells them, except the author.
 * @returns an error for each user who is not a member of the project, or if there are too many
 */
export async function storeMentions(
  { hasMailServer }: Pick<Deps, 'hasMailServer'>,
  tx: Database,
  place: CommentPlace,
  { commentId, body, earlier, authorId }: MentioningText,
): Promise<FieldError[]> {
  const mentions = findMentions(body)
  if (mentions.length === 0) return []
  if (mentions.length > MAX_MENTIONS) {
    return [{ path: '/body', message: `mentions ${mentions.length} users. Mention up to ${MAX_MENTIONS}` }]
  }
  const before = new Set(earlier === null ? [] : findMentions(earlier).map(({ userId }) => userId))
  const added = mentions.filter(({ userId }) => !before.has(userId))
  if (added.length === 0) return []
  const userIds = added.map(({ userId }) => userId)
  const mentionable = await selectMentionable(tx, place.projectId, userIds)
  const others = added.filter(({ userId }) => !mentionable.has(userId))
  if (others.length > 0) {
    return others.map(({ name }) => ({
      path: '/body',
      message: `mentions ${name}, who is not a member of this project`,
    }))
  }
  const told = earlier === null ? new Set() : await selectMentioned(tx, place.projectId, { commentId, userIds })
  const newIds = userIds.filter((userId) => userId !== authorId && !told.has(userId))
  if (newIds.length === 0) return []
  const mailTimes = hasMailServer ? await enqueueMentionMails(tx, newIds) : new Map<string, Date>()
  await insertMentions(
    tx,
    place,
    commentId,
    newIds.map((userId) => ({ userId, mailAt: mailTimes.get(userId) ?? null })),
  )
  return []
}
