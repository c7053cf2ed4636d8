import { MAX_COMMENT_LENGTH, MAX_COMMENT_VERSIONS } from '@caseward/contract/comment-schemas'
import type { CommentRecord } from '@caseward/importers/records'
import { mapAttachmentIds, mapMentions } from '@caseward/matching/comment-references'
import { cutText } from '@caseward/matching/note'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { deriveTimedId } from './derive-id.ts'
import type { HistoryContext } from './history-context.ts'
import type { PlannedRecord, StoredPlan } from './import-records.queries.ts'
import type { ImportWork } from './import-work.ts'
import { planPages, toPlannedRecord } from './plan-pages.ts'
import { readPastTime } from './past-time.ts'
import type { LocatedResult, PlaceDecision, PlaceFinder, PlannedPlace } from './plan-places.ts'

/** A comment of an export as it is stored. */
export interface PlannedComment extends PlannedPlace {
  id: string
  /** Null after it was deleted. */
  body: string | null
  created_by: string
  created_at: string
  edited_at: string | null
  deleted_at: string | null
  deleted_by: string | null
  /** Earlier texts, the oldest first. */
  versions: { body: string; replaced_at: string }[]
}

/** As it was staged. Imports that an earlier version has read have only the key. */
type StagedComment = Pick<CommentRecord, 'key'> & Partial<CommentRecord>

type Context = Pick<HistoryContext, 'source' | 'people' | 'isSelf' | 'importedAt'> & {
  /** Returns the id here of an attachment of the file. */
  mapAttachment: (id: string) => string
}

const PAGE = 500

/** Plans the comments of an export. Their ids follow from those in the source, so that they are found again. */
export async function planComments(
  db: Database,
  work: ImportWork,
  context: Context,
  findPlace: PlaceFinder,
): Promise<void> {
  const { claim } = work
  const seen = new Set<string>()
  await planPages<StagedComment, LocatedResult>(db, work, { kind: 'comment', limit: PAGE }, async (rows) => {
    const comments = rows.map((row) => ({ row, ...toPlannedComment(row.record, claim.projectId, context) }))
    const existing = await selectBodies(
      db,
      claim.projectId,
      comments.map(({ comment }) => comment.id),
    )
    return comments.map(({ row, comment, losses, isPossible }): PlannedRecord => {
      const decided: PlaceDecision =
        isPossible && !seen.has(comment.id)
          ? findPlace(toNamedPlace(row.record), row.planned)
          : { place: null, action: 'not_imported' }
      seen.add(comment.id)
      return toRecord(row, { ...comment, ...decided.place }, { decided, losses, context, existing })
    })
  })
}

const toNamedPlace = ({ case: key = null, run = null, result = null }: StagedComment) => ({ case: key, run, result })

function toRecord(
  { seq }: StoredPlan<StagedComment, LocatedResult>,
  comment: PlannedComment,
  {
    decided,
    losses,
    context,
    existing,
  }: {
    decided: PlaceDecision
    losses: readonly string[]
    context: Context
    existing: ReadonlyMap<string, string | null>
  },
): PlannedRecord {
  const stored = existing.get(comment.id)
  const isHere = stored !== undefined
  const action =
    decided.action === 'create' && isHere
      ? 'unchanged'
      : decided.action === 'create' && context.isSelf
        ? 'deleted_here'
        : decided.action
  const lossesOf = {
    create: losses,
    unchanged: stored === comment.body || context.isSelf ? [] : ['comment_kept'],
    deleted_here: [],
    not_imported: ['not_imported:comment'],
  }
  return toPlannedRecord(seq, action, { losses: lossesOf[action], planned: comment, id: comment.id })
}

function toPlannedComment(
  record: StagedComment,
  projectId: string,
  { source, people, isSelf, importedAt, mapAttachment }: Context,
): { comment: PlannedComment; losses: string[]; isPossible: boolean } {
  const losses: string[] = []
  const limit = importedAt.toISOString()
  const toTime = (text: string | undefined) => readPastTime(text, importedAt, losses)
  const toText = (text: string): string => {
    const mapped = mapAttachmentIds(
      mapMentions(text, (id) => people.findUser(id) ?? id),
      mapAttachment,
    )
    const cut = cutText(mapped, MAX_COMMENT_LENGTH)
    if (cut !== mapped) losses.push('text_cut')
    return cut
  }
  const { key, at, person = '', deleted_by: deletedBy = '', versions = [], text = null } = record
  const createdAt = toTime(at)
  if (createdAt === null) losses.push('time_missing')
  const deletedAt = toTime(record.deleted_at)
  const author = people.find(person)
  if (people.isImported(person)) losses.push('comment_author_unknown')
  if (versions.length > MAX_COMMENT_VERSIONS) losses.push('comment_versions_cut')
  const isDeleted = deletedAt !== null
  const body = isDeleted || text === null ? null : toText(text)
  return {
    comment: {
      id: isSelf ? key : deriveTimedId([projectId, source.system, source.source, 'comment'], key, createdAt ?? limit),
      case_digest: null,
      run_id: null,
      body,
      created_by: author ?? '',
      created_at: createdAt ?? limit,
      edited_at: toTime(record.edited_at),
      deleted_at: deletedAt,
      deleted_by: isDeleted ? people.find(deletedBy) : null,
      versions: isDeleted
        ? []
        : versions.slice(-MAX_COMMENT_VERSIONS).map(({ text: earlier, replaced_at: until }) => ({
            body: toText(earlier),
            replaced_at: toTime(until) ?? createdAt ?? limit,
          })),
    },
    losses: [...new Set(losses)],
    isPossible: author !== null && (isDeleted || (body !== null && body.trim() !== '')),
  }
}

/** Selects the texts of comments that are here, by id. */
async function selectBodies(
  db: Database,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, string | null>> {
  const { rows } = await sql<{ id: string; body: string | null }>`
    select id, body from comments where project_id = ${projectId} and id::text = any(${[...ids]}::text[])`.execute(db)
  return new Map(rows.map(({ id, body }) => [id, body]))
}
