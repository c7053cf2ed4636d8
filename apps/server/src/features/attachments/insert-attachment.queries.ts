import { ATTACHMENT_LIMIT } from '@caseward/contract/attachments'
import { type RawBuilder, sql } from 'kysely'

import { type Database, hasCitus } from '../../platform/database/connect.ts'
import { type FileType, findLockedFile, storeContent, type StoredContent } from '../files/files.queries.ts'
import type { AttachmentPlace } from './attachment-places.queries.ts'
import { type AttachmentRow, getFields } from './attachments.queries.ts'

/** A file of the project by its id, or a content in the store, for which a file is stored unless the project has one of it. */
type AttachedFile = { id: string } | { content: StoredContent; type: FileType }

export interface InsertedAttachment extends AttachmentRow {
  /** Whether a file was stored for the content. */
  isNew: boolean
}

/** An attachment with its new id. */
export interface AttachmentToInsert {
  id: string
  name: string
  file: AttachedFile
  createdBy: string | null
}

/**
 * Attaches a file to a place that has room, and counts it there. Returns null when the place or the file is gone, the place is
 * full, or another transaction stores or deletes a file of the same content at this moment.
 *
 * One statement, because the row of the run stays locked until the commit: files of one run wait for each other no longer than
 * that. It locks the run or project first, then the result or test case, then the file, and changes them only when it has all.
 */
export async function insertAttachment(
  db: Database,
  place: AttachmentPlace,
  attachment: AttachmentToInsert,
): Promise<InsertedAttachment | null> {
  const { lockOwner, countInOwner, ...parts } = place.kind === 'run' ? toRunParts(place) : toTestCaseParts(place)
  if (!hasCitus(db)) {
    const isLocked = sql`exists (select from owner)`
    const prefix = sql`owner as materialized (${lockOwner}), `
    const suffix = countInOwner === null ? sql`` : sql`, counted_in_owner as (${countInOwner(HAS_FILE)})`
    return await insertWith(db, place, attachment, { ...parts, isLocked, prefix, suffix })
  }
  // Runs and projects are not distributed: their rows take statements of their own.
  return await db.transaction().execute(async (tx) => {
    const { rows } = await lockOwner.execute(tx)
    if (rows.length === 0) return null
    const inserted = await insertWith(tx, place, attachment, { ...parts, isLocked: TRUE, prefix: sql``, suffix: sql`` })
    if (inserted !== null) await countInOwner?.(TRUE).execute(tx)
    return inserted
  })
}

type Sql = RawBuilder<unknown>

const TRUE = sql`true`
const HAS_FILE = sql`exists (select from file)`

/** Parts of a statement that depend on the place. */
interface PlaceParts {
  /** Selects and locks the result or test case if it has room; null for the run itself. */
  lockTarget: Sql | null
  /** Counts in the result or test case. */
  countInTarget: Sql | null
  /** Inserts a row, without the fields that all tables have. */
  insert: Sql
}

async function insertWith(
  db: Database,
  place: AttachmentPlace,
  { id, name, file, createdBy }: AttachmentToInsert,
  {
    lockTarget,
    countInTarget,
    insert,
    isLocked,
    prefix,
    suffix,
  }: PlaceParts & Record<'isLocked' | 'prefix' | 'suffix', Sql>,
): Promise<InsertedAttachment | null> {
  const { projectId } = place
  const target =
    lockTarget === null ? sql`` : sql`target as materialized (${lockTarget} and ${isLocked} for no key update), `
  const hasRoom = lockTarget === null ? isLocked : sql`exists (select from target)`
  const files =
    'id' in file
      ? findLockedFile(projectId, file.id, hasRoom)
      : storeContent(projectId, file.content, file.type, hasRoom)
  const counted = countInTarget === null ? sql`` : sql`, counted as (${countInTarget} and ${HAS_FILE})`
  const { rows } = await sql<InsertedAttachment>`
    with ${prefix}${target}${files}${counted}${suffix}, a as (
      ${insert}, ${id}::uuid, ${name}::text, file.id, ${createdBy}::uuid from file returning *
    )
    select ${getFields(place)}, f.is_new as "isNew" from a join file f on f.id = a.file_id`.execute(db)
  return rows[0] ?? null
}

interface OwnedParts extends PlaceParts {
  /** Selects and locks the run, if it has room, or the project. */
  lockOwner: Sql
  countInOwner: ((condition: Sql) => Sql) | null
}

const countIn = (table: 'runs' | 'test_results' | 'test_cases') => sql`
  update ${sql.table(table)} t set attachment_count = coalesce(t.attachment_count, 0) + 1`
const hasFewer = (limit: number) => sql`coalesce(t.attachment_count, 0) < ${sql.lit(limit)}`

function toRunParts(place: AttachmentPlace & { kind: 'run' }): OwnedParts {
  const { projectId, runId, resultId, step, combination = null } = place
  const isRun = sql`t.project_id = ${projectId} and t.id = ${runId}`
  const isResult = sql`t.project_id = ${projectId} and t.run_id = ${runId} and t.id = ${resultId}`
  const hasResult = resultId !== null
  return {
    lockOwner: sql`select t.id from runs t where ${isRun} and ${hasFewer(ATTACHMENT_LIMIT.run)} for no key update`,
    countInOwner: (condition) => sql`${countIn('runs')} where ${isRun} and ${condition}`,
    lockTarget: hasResult
      ? sql`select t.id from test_results t where ${isResult} and ${hasFewer(ATTACHMENT_LIMIT.result)}`
      : null,
    countInTarget: hasResult ? sql`${countIn('test_results')} where ${isResult}` : null,
    insert: sql`
      insert into run_attachments (project_id, run_id, result_id, place, step, id, name, file_id, created_by)
      select ${projectId}::uuid, ${runId}::uuid, ${resultId}::uuid, ${combination}::smallint, ${step}::smallint`,
  }
}

function toTestCaseParts({ projectId, caseNumber, step }: AttachmentPlace & { kind: 'testCase' }): OwnedParts {
  const isTestCase = sql`t.project_id = ${projectId} and t.number = ${caseNumber}::int`
  return {
    // The deletion of the project, which takes its files first, waits or has ended.
    lockOwner: sql`select id from projects where id = ${projectId} for key share`,
    countInOwner: null,
    lockTarget: sql`select t.number from test_cases t where ${isTestCase} and ${hasFewer(ATTACHMENT_LIMIT.testCase)}`,
    countInTarget: sql`${countIn('test_cases')} where ${isTestCase}`,
    insert: sql`
      insert into case_attachments (project_id, case_number, step, id, name, file_id, created_by)
      select ${projectId}::uuid, ${caseNumber}::int, ${step}::smallint`,
  }
}
