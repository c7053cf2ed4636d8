import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { onCandidateConflict } from '../files/file-candidates.queries.ts'

/** Deletes what is attached to a run that is deleted, and to its results. A sweep deletes the files that nothing else needs. */
export async function deleteAttachmentsOfRun(tx: Database, projectId: string, runId: string): Promise<void> {
  await sql`
    with deleted as (
      delete from run_attachments where project_id = ${projectId} and run_id = ${runId} returning file_id
    )
    insert into file_candidates (project_id, file_id)
    select distinct ${projectId}::uuid, file_id from deleted where file_id is not null
    order by file_id ${onCandidateConflict}`.execute(tx)
}

/**
 * Deletes what is attached to test cases that were deleted by an earlier statement: that one may have waited for a request
 * that attached something, which only a later statement sees.
 */
export async function deleteAttachmentsOfTestCases(
  tx: Database,
  projectId: string,
  caseNumbers: readonly number[],
): Promise<void> {
  await sql`
    with deleted as (
      delete from case_attachments
      where project_id = ${projectId} and case_number = any(${[...caseNumbers]}::int[]) returning file_id
    )
    insert into file_candidates (project_id, file_id)
    select distinct ${projectId}::uuid, file_id from deleted order by file_id ${onCandidateConflict}`.execute(tx)
}

/** Deletes the files of a project that is deleted, and all that names them. Their contents are removed together. */
export async function deleteFilesOfProject(tx: Database, projectId: string): Promise<void> {
  for (const table of [
    'run_attachments',
    'case_attachments',
    'file_candidates',
    'file_usage',
    'file_uploads',
  ] as const) {
    await tx.deleteFrom(table).where('project_id', '=', projectId).execute()
  }
  // Each store in which the project has files has one name for all of them.
  const { rows } = await sql<{ location: number }>`
    with deleted as (delete from files where project_id = ${projectId} returning location)
    select distinct location from deleted`.execute(tx)
  for (const { location } of rows) {
    await sql`
      insert into file_deletions (name, location) values (${`${projectId}/`}, ${location})
      on conflict do nothing`.execute(tx)
  }
}
