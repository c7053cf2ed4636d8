import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { LOCATION, type Location } from '../../platform/files/file-store.ts'
import { FIRST_ID } from '../../platform/http/ids.ts'

/** A file, to be looked for in the store. */
export interface CheckedFile {
  projectId: string
  id: string
  digest: Buffer
  byteCount: number
}

const FILES_PER_PAGE = 1000

/** All files whose contents are at a location, page by page. */
export const selectAllFiles = (db: Database, location: Location): AsyncGenerator<CheckedFile[]> =>
  selectPages(db, sql`location = ${location}`)

/** The files of a project whose contents are in some folders of a store, page by page. */
export const selectFilesOfFolders = (
  db: Database,
  location: Location,
  projectId: string,
  { from, to }: { from: string; to: string },
): AsyncGenerator<CheckedFile[]> =>
  selectPages(
    db,
    sql`location = ${location} and project_id = ${projectId} and right(id::text, 2) between ${from} and ${to}`,
  )

async function* selectPages(db: Database, condition: RawBuilder<unknown>): AsyncGenerator<CheckedFile[]> {
  let [project, id] = [FIRST_ID, FIRST_ID]
  for (;;) {
    const { rows } = await sql<{ project_id: string; id: string; digest: Buffer; byte_count: string }>`
      select project_id, id, digest, byte_count::text from files
      where ${condition} and (project_id, id) > (${project}::uuid, ${id}::uuid)
      order by project_id, id limit ${FILES_PER_PAGE}`.execute(db)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows.map((row) => ({
      projectId: row.project_id,
      id: row.id,
      digest: row.digest,
      byteCount: Number(row.byte_count),
    }))
    project = last.project_id
    id = last.id
  }
}

/** Whether a file is still there, and its content at a location. */
export async function isFileAt(db: Database, { projectId, id }: CheckedFile, location: Location): Promise<boolean> {
  const { rows } = await sql`
    select from files where project_id = ${projectId} and id = ${id} and location = ${location}`.execute(db)
  return rows.length > 0
}

/** In which stores there are files, or contents whose files were deleted since a time. */
export async function selectLocations(db: Database, deletedSince: Date | null = null): Promise<number[]> {
  const { rows } = await sql<{ location: number }>`
    select location from unnest(${Object.values(LOCATION)}::smallint[]) as l (location)
    where exists (select from files f where f.location = l.location)
      or exists (select from file_deletions d where d.location = l.location and d.deleted_at >= ${deletedSince}::timestamptz)`.execute(
    db,
  )
  return rows.map(({ location }) => location)
}

/** How many files each project has whose contents are at a location. */
export async function countFilesByProject(db: Database, location: Location): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; count: number }>`
    select project_id as id, count(*)::int as count from files where location = ${location} group by project_id`.execute(
    db,
  )
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/**
 * Which of these names belong to files, and which are unknown. Neither: contents that are being written, and those that are to
 * be removed. Each is asked for by itself, as Citus joins no table of the coordinator with those of the nodes.
 */
export async function classifyNames(
  db: Database,
  names: readonly string[],
  location: Location,
): Promise<{ known: string[]; unknown: string[] }> {
  const noted = await selectNoted(db, names, location)
  const files = await selectLocationsOfNames(db, names)
  const open = names.filter((name) => !files.has(name) && !noted.has(name))
  // One that became a file meanwhile was noted before, and one whose file was deleted meanwhile is noted now.
  const notedNow = open.length === 0 ? noted : await selectNoted(db, open, location)
  return {
    // What was left of moving a file is neither: a job removes it, and no one else, as the file may be on its way here again.
    known: names.filter((name) => files.get(name) === location),
    unknown: open.filter((name) => !notedNow.has(name)),
  }
}

/** Where the contents of the files with these names are. */
async function selectLocationsOfNames(db: Database, names: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ name: string; location: number }>`
    select listed.name, f.location from unnest(${[...names]}::text[]) as listed (name)
    join files f on ${isNamed('f.project_id', 'f.id')}`.execute(db)
  return new Map(rows.map((row) => [row.name, row.location]))
}

/** Which of these names are those of contents that are being written, or are to be removed. */
async function selectNoted(db: Database, names: readonly string[], location: Location): Promise<Set<string>> {
  const { rows: noted } = await sql<{ name: string }>`
    select listed.name from unnest(${[...names]}::text[]) as listed (name)
    where exists (select from file_writes w where w.name = listed.name) or exists (
      select from file_deletions d
      where d.name in (listed.name, split_part(listed.name, '/', 1) || '/') and d.location = ${location}
    )`.execute(db)
  const { rows: inParts } = await sql<{ name: string }>`
    select listed.name from unnest(${[...names]}::text[]) as listed (name)
    join file_uploads u on ${isNamed('u.project_id', 'u.content_id')}`.execute(db)
  return new Set([...noted, ...inParts].map(({ name }) => name))
}

/** Whether a listed name is that of a content. */
const isNamed = (projectId: string, id: string): RawBuilder<boolean> =>
  sql.raw(`${projectId} = split_part(listed.name, '/', 1)::uuid and ${id} = split_part(listed.name, '/', 3)::uuid`)

/** Which of these names belong to no file. */
export async function selectWithoutFile(db: Database, names: readonly string[]): Promise<string[]> {
  const files = await selectLocationsOfNames(db, names)
  return names.filter((name) => !files.has(name))
}

/** Says of files whether their content is gone, if that has changed. */
export async function setFilesLost(db: Database, files: readonly CheckedFile[], isLost: boolean): Promise<void> {
  if (files.length === 0) return
  const projectIds = files.map(({ projectId }) => projectId)
  const ids = files.map(({ id }) => id)
  await sql`
    update files f set is_lost = ${isLost}
    from unnest(${projectIds}::uuid[], ${ids}::uuid[]) as checked (project_id, id)
    where f.project_id = checked.project_id and f.id = checked.id and f.is_lost <> ${isLost}`.execute(db)
}

/** Says that the contents of the files of a project at a location are there, except for some. */
export async function setNoneLost(
  db: Database,
  location: Location,
  projectId: string,
  except: readonly string[] = [],
): Promise<void> {
  await sql`
    update files set is_lost = false
    where project_id = ${projectId} and location = ${location} and is_lost and not id = any(${[...except]}::uuid[])`.execute(
    db,
  )
}

/** Counts the files whose content is missing. */
export async function countLostFiles(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from files where is_lost`.execute(db)
  return rows[0]?.count ?? 0
}

/** Remembers what a check of the stores has found. */
export async function saveFileCheck(db: Database, unknownCount: number): Promise<void> {
  await sql`update instance_settings set files_checked_at = now(), unknown_file_count = ${unknownCount}`.execute(db)
}
