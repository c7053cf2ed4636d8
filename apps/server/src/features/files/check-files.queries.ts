import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import type { Location } from '../../platform/files/file-store.ts'

/** A file, to be looked for in the store. */
export interface CheckedFile {
  projectId: string
  id: string
  digest: Buffer
  byteCount: number
}

const FILES_PER_PAGE = 1000

/** All files whose contents are at a location, page by page. */
export async function* selectAllFiles(db: Database, location: Location): AsyncGenerator<CheckedFile[]> {
  let [project, id] = Array.from({ length: 2 }, () => '00000000-0000-0000-0000-000000000000')
  for (;;) {
    const { rows } = await sql<{ project_id: string; id: string; digest: Buffer; byte_count: string }>`
      select project_id, id, digest, byte_count::text from files
      where location = ${location} and (project_id, id) > (${project}::uuid, ${id}::uuid)
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

/** How many files there are whose contents are at a location. */
export async function countFiles(db: Database, location: Location): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from files where location = ${location}`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Which of these names belong to files, and which are unknown. Neither: contents that are being written, and those that are to
 * be removed.
 */
export async function classifyNames(
  db: Database,
  names: readonly string[],
  location: Location,
): Promise<{ knownCount: number; unknown: string[] }> {
  const { rows } = await sql<{ name: string; is_file: boolean }>`
    select listed.name, f.id is not null as is_file
    from unnest(${names}::text[]) as listed (name)
    left join files f on f.project_id = split_part(listed.name, '/', 1)::uuid
      and f.id = split_part(listed.name, '/', 3)::uuid and f.location = ${location}
    where f.id is not null or not (
      exists (select from file_writes w where w.name = listed.name)
      or exists (
        select from file_deletions d
        where d.name in (listed.name, split_part(listed.name, '/', 1) || '/') and d.location = ${location}
      )
      or exists (
        select from file_uploads u
        where u.project_id = split_part(listed.name, '/', 1)::uuid and u.content_id = split_part(listed.name, '/', 3)::uuid
      )
    )`.execute(db)
  return {
    knownCount: rows.filter((row) => row.is_file).length,
    unknown: rows.filter((row) => !row.is_file).map(({ name }) => name),
  }
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

/** Says that the contents of all files at a location are there. */
export async function setNoneLost(db: Database, location: Location): Promise<void> {
  await sql`update files set is_lost = false where location = ${location} and is_lost`.execute(db)
}
