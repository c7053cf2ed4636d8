import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { FIRST_ID } from '../../platform/http/ids.ts'
import { onCandidateConflict } from '../files/file-candidates.queries.ts'

/** Attachments that one transaction changes. */
const ROWS_PER_BATCH = 2000

/** A project that does not keep the files of its runs as long as the runs. */
export interface FileRetention {
  id: string
  name: string
  days: number
}

/** Selects the projects that have files of runs which are not kept. @param maxDays what the server keeps at most */
export async function selectFileRetention(db: Database, maxDays: number | null): Promise<FileRetention[]> {
  const { rows: projects } = await sql<FileRetention>`
    select id, name, least(keep_run_files_days, ${maxDays}::int) as days from projects
    where least(keep_run_files_days, ${maxDays}::int) is not null order by id`.execute(db)
  if (projects.length === 0) return []
  const { rows: withFiles } = await sql<{ id: string }>`
    select project_id as id from file_usage
    where project_id = any(${projects.map(({ id }) => id)}::uuid[]) group by project_id having sum(file_count) > 0`.execute(
    db,
  )
  const ids = new Set(withFiles.map(({ id }) => id))
  return projects.filter(({ id }) => ids.has(id))
}

const isOld = (projectId: string, before: Date) => sql`
  r.project_id = ${projectId} and r.status = 'completed' and r.completed_at < ${before}`

/** Runs that are looked at together. Most of the oldest ones have lost their files before. */
const RUNS_PER_PAGE = 1000

/** Selects the runs that were completed before a time and still have files, page by page, in the order of their ids. */
export async function* selectRunsWithOldFiles(db: Database, projectId: string, before: Date): AsyncGenerator<string[]> {
  for (let after = FIRST_ID; ;) {
    const { rows: runs } = await sql<{ id: string }>`
      select r.id from runs r
      where ${isOld(projectId, before)} and r.id > ${after}::uuid and r.attachment_count is not null
      order by r.id limit ${sql.lit(RUNS_PER_PAGE)}`.execute(db)
    const last = runs.at(-1)
    if (last === undefined) return
    // A statement of its own: Citus joins no table of the coordinator with those of the nodes.
    const { rows: withFiles } = await sql<{ id: string }>`
      select distinct run_id as id from run_attachments
      where project_id = ${projectId} and run_id = any(${runs.map(({ id }) => id)}::uuid[]) and file_id is not null
      order by run_id`.execute(db)
    if (withFiles.length > 0) yield withFiles.map(({ id }) => id)
    after = last.id
  }
}

/** Counts the attachments of runs that were completed before a time and still have their files. */
export async function countOldFiles(db: Database, projectId: string, before: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with old as materialized (
      select r.id from runs r where ${isOld(projectId, before)} and r.attachment_count is not null
    )
    select count(*)::int as count from old
    join run_attachments a on a.project_id = ${projectId} and a.run_id = old.id and a.file_id is not null`.execute(db)
  return rows[0]?.count ?? 0
}

/** Locks a run that is still due. Returns false when it is gone or was reopened. */
export async function lockRunWithOldFiles(tx: Database, projectId: string, id: string, before: Date): Promise<boolean> {
  const { rows } = await sql`
    select from runs r where ${isOld(projectId, before)} and r.id = ${id} for no key update`.execute(tx)
  return rows.length > 0
}

/** Removes the files of some attachments of a locked run, which stay and say so. Returns whether there may be more. */
export async function removeSomeFiles(tx: Database, projectId: string, runId: string): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    with old as (
      select id, file_id from run_attachments
      where project_id = ${projectId} and run_id = ${runId} and file_id is not null
      order by id limit ${sql.lit(ROWS_PER_BATCH)} for update
    ), removed as (
      update run_attachments a set file_id = null, removed_at = now(), digest = null, byte_count = null
      from old where a.project_id = ${projectId} and a.run_id = ${runId} and a.id = old.id
    ), candidates as (
      insert into file_candidates (project_id, file_id)
      select distinct ${projectId}::uuid, file_id from old order by file_id ${onCandidateConflict}
    )
    select count(*)::int as count from old`.execute(tx)
  return rows[0]?.count === ROWS_PER_BATCH
}
