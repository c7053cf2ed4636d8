import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { toFileName } from '../../platform/files/file-store.ts'
import { addFileUsage } from './files.queries.ts'

/**
 * Ends every statement that inserts candidates, which it does in the order of their ids. The update locks a candidate that
 * is there already: a sweep that is about to look at the file waits until the attachment is gone.
 */
export const onCandidateConflict = sql`on conflict (project_id, file_id) do update set file_id = excluded.file_id`

/** Lets the next sweep look at a file that lost an attachment. */
export async function insertFileCandidate(tx: Database, projectId: string, fileId: string): Promise<void> {
  await sql`
    insert into file_candidates (project_id, file_id) values (${projectId}, ${fileId}) ${onCandidateConflict}`.execute(
    tx,
  )
}

const CANDIDATES_PER_BATCH = 1000
const PROJECTS_PER_LIST = 100

/** Selects some projects with files that lost an attachment. */
export async function selectCandidateProjects(db: Database, after: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct project_id as id from file_candidates where project_id > ${after}::uuid
    order by 1 limit ${sql.lit(PROJECTS_PER_LIST)}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Deletes the files among some candidates of a project that nothing refers to any more, and queues their contents for
 * removal. Returns whether there may be more candidates.
 *
 * Each statement sees what was committed before it: the first one waits for requests that delete attachments, the second one
 * for those that attach the files, and only then does the third one look.
 */
export async function deleteUnusedFiles(tx: Database, projectId: string): Promise<boolean> {
  const { rows: candidates } = await sql<{ id: string }>`
    delete from file_candidates where project_id = ${projectId} and file_id = any(array(
      select file_id from file_candidates where project_id = ${projectId}
      order by file_id limit ${sql.lit(CANDIDATES_PER_BATCH)}
    ))
    returning file_id as id`.execute(tx)
  const ids = candidates.map(({ id }) => id)
  await sql`
    select from files where project_id = ${projectId} and id = any(${ids}::uuid[]) order by id for update`.execute(tx)
  const { rows: deleted } = await sql<{ id: string; byteCount: number; location: number }>`
    delete from files f where f.project_id = ${projectId} and f.id = any(${ids}::uuid[])
      and not exists (select from run_attachments a where a.project_id = ${projectId} and a.file_id = f.id)
      and not exists (select from case_attachments a where a.project_id = ${projectId} and a.file_id = f.id)
      and not exists (select from import_files a where a.project_id = ${projectId} and a.file_id = f.id)
    returning f.id, f.byte_count as "byteCount", f.location`.execute(tx)
  if (deleted.length > 0) {
    const bytes = deleted.reduce((sum, { byteCount }) => sum + byteCount, 0)
    await addFileUsage(tx, projectId, -bytes, -deleted.length)
    await sql`
      insert into file_deletions (name, location)
      select * from unnest(
        ${deleted.map(({ id }) => toFileName(projectId, id))}::text[], ${deleted.map(({ location }) => location)}::smallint[]
      ) on conflict do nothing`.execute(tx)
  }
  return candidates.length === CANDIDATES_PER_BATCH
}

/** The tables of names that are to be removed, and the time that counts. */
const QUEUES = {
  /** Names of deleted contents, those of deleted projects too. */
  file_deletions: sql.ref('deleted_at'),
  /** Names of contents that were begun, and whose files were never stored. */
  file_writes: sql.ref('started_at'),
} as const
export type NameQueue = keyof typeof QUEUES

/**
 * Takes some names of one store that were queued before a time, and locks them until the transaction ends: whoever moves a
 * content back to where it was waits, or takes its name away first.
 */
export async function takeQueuedNames(
  tx: Database,
  queue: NameQueue,
  { location, before, limit }: { location: number; before: Date; limit: number },
): Promise<string[]> {
  const time = QUEUES[queue]
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(queue)} where location = ${location} and ${time} <= ${before}
    order by ${time} limit ${limit} for update skip locked`.execute(tx)
  return rows.map(({ name }) => name)
}

export async function deleteQueuedNames(
  db: Database,
  queue: NameQueue,
  location: number,
  names: readonly string[],
): Promise<void> {
  await sql`delete from ${sql.table(queue)} where location = ${location} and name = any(${[...names]}::text[])`.execute(
    db,
  )
}

/** Counts the names whose time has come, and that are in stores other than these. */
export async function countNamesElsewhere(db: Database, locations: readonly number[], before: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from file_deletions
    where deleted_at <= ${before} and not location = any(${[...locations]}::smallint[])`.execute(db)
  return rows[0]?.count ?? 0
}

/** The names that were queued since a time in one store, page by page. Those whose time comes meanwhile may be left out. */
export async function* selectNamesDeletedSince(
  db: Database,
  location: number,
  since: Date,
): AsyncGenerator<string[], void> {
  for (let last = ''; ;) {
    const { rows } = await sql<{ name: string }>`
      select name from file_deletions
      where location = ${location} and deleted_at >= ${since} and name > ${last} order by name limit ${sql.lit(CANDIDATES_PER_BATCH)}`.execute(
      db,
    )
    const names = rows.map(({ name }) => name)
    const end = names.at(-1)
    if (end === undefined) return
    yield names
    last = end
  }
}
