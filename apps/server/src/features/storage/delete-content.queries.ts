import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { toFileName } from '../../platform/files/file-store.ts'
import { addFileUsage } from '../files/files.queries.ts'

/** The projects that have a file with this content. */
export async function selectProjectsWithContent(db: Database, digest: Buffer): Promise<{ id: string; name: string }[]> {
  const { rows: found } = await sql<{ id: string }>`
    select project_id as id from files
    where project_id = any(array(select id from projects)) and digest = ${digest} order by project_id`.execute(db)
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from projects where id = any(${found.map(({ id }) => id)}::uuid[]) order by id`.execute(db)
  return rows
}

/** A content that was deleted in a project. */
export interface DeletedFile {
  name: string
  /** The stores that have its content: one that was moved is in two of them for some days. */
  locations: number[]
  attachmentCount: number
  /** Where it was attached to runs. A result or test is null where there is none. */
  runPlaces: { runId: string; resultId: string | null; testId: string | null }[]
}

/**
 * Deletes the file of a project with this content. What it was attached to in runs stays and says that it was removed; at test
 * cases, the attachments go. Its name is due for removal at once. Returns null when the file is gone.
 */
export async function deleteFile(tx: Database, projectId: string, digest: Buffer): Promise<DeletedFile | null> {
  // Whoever attaches the file meanwhile waits, and then finds that it is gone.
  const { rows: files } = await sql<{ id: string; byteCount: string; location: number }>`
    select id, byte_count::text as "byteCount", location from files
    where project_id = ${projectId} and digest = ${digest} for update`.execute(tx)
  const [file] = files
  if (file === undefined) return null
  const { rows: runPlaces } = await sql<DeletedFile['runPlaces'][number]>`
    update run_attachments set file_id = null, removed_at = now(), digest = null, byte_count = null
    where project_id = ${projectId} and file_id = ${file.id}
    returning run_id as "runId", result_id as "resultId", test_id as "testId"`.execute(tx)
  const caseCount = await deleteFromTestCases(tx, projectId, file.id)
  for (const table of ['file_candidates', 'file_uploads'] as const) {
    await tx.deleteFrom(table).where('project_id', '=', projectId).where('file_id', '=', file.id).execute()
  }
  await tx.deleteFrom('files').where('project_id', '=', projectId).where('id', '=', file.id).execute()
  await addFileUsage(tx, projectId, -Number(file.byteCount), -1)
  const name = toFileName(projectId, file.id)
  await sql`
    insert into file_deletions (name, location, deleted_at) values (${name}, ${file.location}, to_timestamp(0))
    on conflict do nothing`.execute(tx)
  const { rows: queued } = await sql<{ location: number }>`
    update file_deletions set deleted_at = to_timestamp(0) where name = ${name} returning location`.execute(tx)
  return {
    name,
    locations: queued.map(({ location }) => location),
    attachmentCount: runPlaces.length + caseCount,
    runPlaces,
  }
}

/** Returns how many attachments were deleted. */
async function deleteFromTestCases(tx: Database, projectId: string, fileId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with deleted as (
      delete from case_attachments where project_id = ${projectId} and file_id = ${fileId} returning case_number
    ), counted as (
      update test_cases c set attachment_count = nullif(c.attachment_count - d.count, 0)
      from (select case_number, count(*)::int as count from deleted group by case_number) d
      where c.project_id = ${projectId} and c.number = d.case_number
    )
    select count(*)::int as count from deleted`.execute(tx)
  return rows[0]?.count ?? 0
}
