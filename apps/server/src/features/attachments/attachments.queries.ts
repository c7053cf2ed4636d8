import { type Attachment, type AttachmentState, FILE_KINDS } from '@caseward/contract/attachment-schemas'
import { sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { presentTime } from '../../platform/http/timestamps.ts'
import { type AttachmentPlace, type DeletedAttachment, getTable, isAt } from './attachment-places.queries.ts'

export interface AttachmentRow {
  id: string
  name: string
  /** Null without a file, as are the next four fields and `isLost`. */
  kind: number | null
  mediaType: string | null
  width: number | null
  height: number | null
  fileId: string | null
  isLost: boolean | null
  /** Of the file, or as they were declared; null when the content was removed. */
  byteCount: number | null
  digest: Buffer | null
  removedAt: Date | null
  step: number | null
  /** The place of a combination; null for the whole result. */
  combination: number | null
  testId: string | null
  source: number | null
  attempt: number | null
  createdBy: string | null
  createdAt: Date
}

/** Fields of an attachment `a` with its file `f`. */
const commonFields = sql`
  a.id, a.name, f.kind, f.media_type as "mediaType", f.width, f.height, a.file_id as "fileId", f.is_lost as "isLost",
  a.step, a.created_by as "createdBy", a.created_at as "createdAt"`
/** Those that only a run has, where attachments can be declared. */
const declaredFields = sql`
  coalesce(f.byte_count, a.byte_count) as "byteCount", coalesce(f.digest, a.digest) as digest, a.removed_at as "removedAt",
  a.place as combination, a.test_id as "testId", a.source, a.attempt`
const noDeclaredFields = sql`
  f.byte_count as "byteCount", f.digest, null::timestamptz as "removedAt", null::smallint as combination, null::uuid as "testId", null::int as source,
  null::smallint as attempt`
const runFields = sql`${commonFields}, ${declaredFields}`
const caseFields = sql`${commonFields}, ${noDeclaredFields}`

/** The fields of {@link AttachmentRow} at a place. */
export const getFields = ({ kind }: AttachmentPlace) => (kind === 'run' ? runFields : caseFields)

export function presentAttachment(projectId: string, row: AttachmentRow): Attachment {
  const { id, name, width, height, step, source, attempt } = row
  const { kind, mediaType, byteCount, digest, testId, createdBy, createdAt } = row
  const state = getState(row)
  const fileId = state === 'complete' ? row.fileId : null
  return {
    id,
    name,
    kind: FILE_KINDS[kind ?? 0] ?? 'other',
    media_type: state === 'complete' ? mediaType : null,
    byte_count: byteCount,
    sha256: digest?.toString('hex') ?? null,
    width,
    height,
    state,
    file_id: fileId,
    url: fileId === null ? null : `/v1/projects/${projectId}/files/${fileId}/content?name=${encodeURIComponent(name)}`,
    step,
    place: row.combination,
    test_id: testId,
    source,
    attempt,
    created_by: createdBy,
    created_at: presentTime(createdAt),
  }
}

/** A content that never came still has its digest; one that was removed has none. */
function getState({ fileId, isLost, removedAt, digest }: AttachmentRow): AttachmentState {
  if (fileId !== null) return isLost === true ? 'lost' : 'complete'
  if (removedAt === null) return 'waiting'
  return digest === null ? 'removed' : 'never_arrived'
}

/** Selects the attachments of a place and its steps after a cursor, in order; one more than `limit` if there are more. */
export async function selectAttachments(
  db: Database,
  place: AttachmentPlace,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<AttachmentRow[]> {
  const { rows } = await sql<AttachmentRow>`
    select ${getFields(place)} from ${getTable(place)} a
      left join files f on f.project_id = ${place.projectId} and f.id = a.file_id
    where ${isAt(place)} and (${after ?? null}::uuid is null or a.id > ${after ?? null}::uuid)
    order by a.id limit ${limit + 1}`.execute(db)
  return rows
}

/** The most attachments of a result or test that are shown with it. */
const MAX_SHOWN = 100

/** The attachments of a result and of tests of a run, in the order of the list. */
export async function selectAttachmentsOfResult(
  db: Database,
  { id: runId, project }: RunRef,
  { resultId, testIds }: { resultId: string | null; testIds: readonly string[] },
): Promise<Attachment[]> {
  const inRun = sql`a.project_id = ${project.id} and a.run_id = ${runId}`
  const { rows } = await sql<AttachmentRow>`
    select ${runFields} from (
      select * from run_attachments a where ${inRun} and a.result_id = ${resultId}::uuid
      union
      select * from run_attachments a where ${inRun} and a.test_id = any(${`{${testIds.join(',')}}`}::uuid[])
    ) a left join files f on f.project_id = ${project.id} and f.id = a.file_id
    order by a.id limit ${sql.lit(MAX_SHOWN)}`.execute(db)
  return rows.map((row) => presentAttachment(project.id, row))
}

/** An attachment, and where it is. */
export interface FoundAttachment {
  place: AttachmentPlace
  row: AttachmentRow
}

export async function selectAttachment(db: Database, projectId: string, id: string): Promise<FoundAttachment | null> {
  const { rows } = await sql<AttachmentRow & { runId: string | null; resultId: string | null; caseNumber: number }>`
    select ${runFields}, a.run_id as "runId", a.result_id as "resultId", 0 as "caseNumber"
    from run_attachments a left join files f on f.project_id = ${projectId} and f.id = a.file_id
    where a.project_id = ${projectId} and a.id = ${id}
    union all
    select ${caseFields}, null, null, a.case_number
    from case_attachments a left join files f on f.project_id = ${projectId} and f.id = a.file_id
    where a.project_id = ${projectId} and a.id = ${id}`.execute(db)
  const [found] = rows
  if (found === undefined) return null
  const { runId, resultId, caseNumber, ...row } = found
  const { step } = row
  const place: AttachmentPlace =
    runId === null
      ? { kind: 'testCase', projectId, caseNumber, step }
      : { kind: 'run', projectId, runId, resultId, step, combination: row.combination }
  return { place, row }
}

/** Renames an attachment; returns null when it is gone. */
export async function updateAttachmentName(
  db: Database,
  place: AttachmentPlace,
  id: string,
  name: string,
): Promise<AttachmentRow | null> {
  return await db.transaction().execute(async (tx) => {
    const { rows } = await sql`
      update ${getTable(place)} set name = ${name} where project_id = ${place.projectId} and id = ${id}
      returning id`.execute(tx)
    return rows.length === 0 ? null : await requireRow(tx, place, id)
  })
}

async function requireRow(tx: Database, place: AttachmentPlace, id: string): Promise<AttachmentRow> {
  const found = await selectAttachment(tx, place.projectId, id)
  if (found === null) throw new Error('An attachment is gone within its own transaction')
  return found.row
}

/** Deletes an attachment; returns null when it is gone, or a merge has moved it to another place. */
export async function deleteAttachmentRow(
  tx: Database,
  place: AttachmentPlace,
  id: string,
): Promise<DeletedAttachment | null> {
  const fields =
    place.kind === 'run'
      ? sql`test_id as "testId", file_id is null and removed_at is null as "isWaiting"`
      : sql`null::uuid as "testId", false as "isWaiting"`
  const { rows } = await sql<DeletedAttachment>`
    delete from ${getTable(place)} a where ${isAt(place)} and a.id = ${id}
    returning file_id as "fileId", ${fields}`.execute(tx)
  return rows[0] ?? null
}
