import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { type Location, type PartsState, toFileName } from '../../platform/files/file-store.ts'

/** A content that is received in parts. */
export interface FileUploadRow {
  projectId: string
  key: string
  name: string | null
  contentId: string
  location: Location
  byteCount: number
  received: number
  hashState: Buffer | null
  storeState: PartsState
  fileId: string | null
}

/** What is not complete by then is deleted. */
export const UPLOAD_LIFETIME_MS = 24 * 60 * 60 * 1000

const uploadFields = sql`
  project_id as "projectId", key, name, content_id as "contentId", location, byte_count as "byteCount", received,
  hash_state as "hashState", store_state as "storeState", file_id as "fileId"`

const LIFETIME = sql.raw(`interval '${UPLOAD_LIFETIME_MS} milliseconds'`)

export const getContentName = ({ projectId, contentId }: FileUploadRow): string => toFileName(projectId, contentId)

export async function selectFileUpload(db: Database, projectId: string, key: string): Promise<FileUploadRow | null> {
  const { rows } = await sql<FileUploadRow>`
    select ${uploadFields} from file_uploads where project_id = ${projectId} and key = ${key} 
      and created_at > now() - ${LIFETIME}`.execute(db)
  return rows[0] ?? null
}

/** Locks an upload until the transaction ends. */
export async function lockFileUpload(
  tx: Database,
  { projectId, key, contentId }: FileUploadRow,
): Promise<FileUploadRow | null> {
  const { rows } = await sql<FileUploadRow>`
    select ${uploadFields} from file_uploads
    where project_id = ${projectId} and key = ${key} and content_id = ${contentId} for update`.execute(tx)
  return rows[0] ?? null
}

/** Stores an upload; one whose time is over gives way, and a job removes its content. Returns false if another request has begun it meanwhile. */
export async function insertFileUpload(
  tx: Database,
  { projectId, key, name, contentId, location, byteCount, storeState }: FileUploadRow,
  createdBy: string | null,
): Promise<boolean> {
  // Citus knows no time in the condition of an upsert.
  const expired = new Date(Date.now() - UPLOAD_LIFETIME_MS)
  const { rows } = await sql`
    insert into file_uploads as u
      (project_id, key, name, content_id, location, byte_count, received, store_state, created_by, created_at)
    values (${projectId}, ${key}, ${name}, ${contentId}, ${location}, ${byteCount}, 0, ${JSON.stringify(storeState)}::json,
      ${createdBy}, now())
    on conflict (project_id, key) do update set
      content_id = excluded.content_id, location = excluded.location, byte_count = excluded.byte_count, received = 0,
      hash_state = null, store_state = excluded.store_state, file_id = null, created_by = excluded.created_by,
      created_at = excluded.created_at
    where u.created_at <= ${expired}::timestamptz
    returning key`.execute(tx)
  return rows.length > 0
}

export async function updateFileUpload(
  tx: Database,
  { projectId, key, received, hashState, storeState }: FileUploadRow,
): Promise<void> {
  await sql`
    update file_uploads set received = ${received}, hash_state = ${hashState}, store_state = ${JSON.stringify(storeState)}::json
    where project_id = ${projectId} and key = ${key}`.execute(tx)
}

/** Keeps the file of a complete upload until it is attached, or its time is over. */
export async function setFileOfUpload(tx: Database, { projectId, key }: FileUploadRow, fileId: string): Promise<void> {
  await sql`update file_uploads set file_id = ${fileId} where project_id = ${projectId} and key = ${key}`.execute(tx)
}

export async function deleteFileUpload(tx: Database, { projectId, key, contentId }: FileUploadRow): Promise<boolean> {
  const { rows } = await sql`
    delete from file_uploads where project_id = ${projectId} and key = ${key} and content_id = ${contentId}
    returning key`.execute(tx)
  return rows.length > 0
}

/** Selects some uploads in one store that began before a time. */
export async function selectExpiredUploads(
  db: Database,
  { location, before, limit }: { location: number; before: Date; limit: number },
): Promise<FileUploadRow[]> {
  const { rows } = await sql<FileUploadRow>`
    select ${uploadFields} from file_uploads where location = ${location} and created_at < ${before}
    order by created_at limit ${limit}`.execute(db)
  return rows
}
