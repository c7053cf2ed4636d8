import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { type Location, toFileName } from '../../platform/files/file-store.ts'
import type { CheckedFile } from './check-files.queries.ts'
import { deleteFileWrite } from './files.queries.ts'

/**
 * Notes that the content of a file is being written to another store, so that a job removes what a crash leaves of it. If it was
 * there before, and is to be removed, it is not any more: a job that removes it at this moment ends first.
 */
export async function insertMove(db: Database, name: string, target: Location): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`delete from file_deletions where name = ${name} and location = ${target}`.execute(tx)
    await sql`
      insert into file_writes (name, location) values (${name}, ${target})
      on conflict (name) do update set location = excluded.location, started_at = now()`.execute(tx)
  })
}

/**
 * Says that the content of a file is in another store. Where it was, it stays until the backups of these days no longer need it.
 * Returns where it is; null when the file was deleted meanwhile.
 */
export async function finishMove(
  db: Database,
  { projectId, id }: CheckedFile,
  { source, target }: { source: Location; target: Location },
): Promise<number | null> {
  const name = toFileName(projectId, id)
  return await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ location: number }>`
      select location from files where project_id = ${projectId} and id = ${id} for update`.execute(tx)
    const location = rows[0]?.location ?? null
    if (location !== source) return location
    await sql`
      update files set location = ${target}, is_lost = false where project_id = ${projectId} and id = ${id}`.execute(tx)
    await sql`
      insert into file_deletions (name, location) values (${name}, ${source}) on conflict do nothing`.execute(tx)
    await deleteFileWrite(tx, name)
    return target
  })
}
