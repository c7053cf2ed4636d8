import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { fileQuotaReachedProblem } from './file-problems.ts'

/** What the files of a project may take and do take, in bytes. */
export interface FileQuota {
  quota: number
  used: number
}

/** Returns null when there is no quota. What the files take is read only if there is one. */
export async function selectFileQuota(db: Database, projectId: string): Promise<FileQuota | null> {
  const { max_file_bytes_per_project: quota } = await db
    .selectFrom('instance_settings')
    .select('max_file_bytes_per_project')
    .executeTakeFirstOrThrow()
  return quota === null ? null : { quota: Number(quota), used: await selectUsedBytes(db, projectId) }
}

async function selectUsedBytes(db: Database, projectId: string): Promise<number> {
  const { rows } = await sql<{ used: number }>`
    select coalesce(sum(byte_count), 0)::float8 as used from file_usage where project_id = ${projectId}`.execute(db)
  return rows[0]?.used ?? 0
}

/**
 * Checks that a project may have another content. What is being received at the same time may exceed the quota.
 * @throws {Problem} 422
 */
export async function requireFileQuota(db: Database, projectId: string, byteCount: number): Promise<void> {
  requireRoom(await selectFileQuota(db, projectId), byteCount)
}

/** The same with a quota that is known; null for none. @throws {Problem} 422 */
export async function requireKnownQuota(
  db: Database,
  projectId: string,
  byteCount: number,
  quota: number | null,
): Promise<void> {
  if (quota !== null) requireRoom({ quota, used: await selectUsedBytes(db, projectId) }, byteCount)
}

function requireRoom(found: FileQuota | null, byteCount: number): void {
  if (found !== null && found.used + byteCount > found.quota) throw fileQuotaReachedProblem(found.quota)
}
