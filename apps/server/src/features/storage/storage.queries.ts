import { FILE_KINDS, type FileKind } from '@caseward/contract/attachment-schemas'
import type { ProjectStorage, StorageItem } from '@caseward/contract/storage'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'

type Usage = Pick<ProjectStorage, 'byte_count' | 'file_count' | 'kinds'>

const NO_FILES: Usage = { byte_count: 0, file_count: 0, kinds: [] }

/** What the files of a project take, by kind. */
export const selectProjectUsage = async (db: Database, projectId: string): Promise<Usage> =>
  (await selectUsage(db, [projectId])).get(projectId) ?? NO_FILES

/** What the files of some projects take, by their ids. Projects without files are left out. */
async function selectUsage(db: Database, projectIds: readonly string[]): Promise<Map<string, Usage>> {
  const { rows } = await sql<{ projectId: string; kind: number; bytes: number; files: number }>`
    select project_id as "projectId", kind, sum(byte_count)::float8 as bytes, count(*)::int as files
    from files where project_id = any(${[...projectIds]}::uuid[])
    group by project_id, kind order by 3 desc, kind`.execute(db)
  const usages = new Map<string, Usage>()
  for (const { projectId, kind, bytes, files } of rows) {
    const usage = usages.get(projectId) ?? { byte_count: 0, file_count: 0, kinds: [] }
    usage.byte_count += bytes
    usage.file_count += files
    usage.kinds.push({ kind: toKind(kind), byte_count: bytes, file_count: files })
    usages.set(projectId, usage)
  }
  return usages
}

const toKind = (kind: number): FileKind => FILE_KINDS[kind] ?? 'other'

/**
 * What the files of projects take, in the order of the projects' ids; one more than `limit` if there are more. In statements
 * of their own: on a distributed database, the names of projects are at another place.
 */
export async function selectStorage(
  db: Database,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<StorageItem[]> {
  const { rows: projects } = await sql<{ id: string }>`
    select project_id as id from file_usage
    where ${after ?? null}::uuid is null or project_id > ${after ?? null}::uuid
    group by project_id having sum(file_count) > 0
    order by project_id limit ${limit + 1}`.execute(db)
  const ids = projects.map(({ id }) => id)
  const usages = await selectUsage(db, ids)
  const { rows: names } = await sql<{ id: string; name: string }>`
    select id, name from projects where id = any(${ids}::uuid[])`.execute(db)
  const { rows: waiting } = await sql<{ id: string; count: number }>`
    select project_id as id, sum(waiting_file_count)::int as count from runs
    where project_id = any(${ids}::uuid[]) and waiting_file_count > 0 group by project_id`.execute(db)
  return ids.map((id) => ({
    project_id: id,
    project_name: names.find((project) => project.id === id)?.name ?? '',
    ...(usages.get(id) ?? NO_FILES),
    waiting_file_count: waiting.find((project) => project.id === id)?.count ?? 0,
  }))
}
