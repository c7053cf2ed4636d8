import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import type { Database } from '../../platform/database/connect.ts'

const fields = ['id', 'name', 'parent_id', 'position', 'test_case_count', 'created_at', 'updated_at'] as const

export type FolderRow = Awaited<ReturnType<typeof selectFolders>>[number]

export async function selectFolders(db: Database, projectId: string) {
  return await db.selectFrom('folders').select(fields).where('project_id', '=', projectId).execute()
}

/** Gives siblings their positions, from 0 in the order of `ids`. */
export async function updatePositions(tx: Database, projectId: string, ids: readonly string[]): Promise<void> {
  await sql`
    update folders f set position = place.ordinality - 1
    from unnest(${ids}::uuid[]) with ordinality as place (id, ordinality)
    where f.project_id = ${projectId} and f.id = place.id and f.position <> place.ordinality - 1`.execute(tx)
}

interface FolderFields {
  name: string
  parentId: string | null
  position: number
}

export async function insertFolder(tx: Database, folder: FolderFields & { projectId: string }): Promise<FolderRow> {
  const { projectId: project_id, name, parentId: parent_id, position } = folder
  return await tx
    .insertInto('folders')
    .values({ project_id, id: uuidv7(), name, parent_id, position })
    .returning(fields)
    .executeTakeFirstOrThrow()
}

export async function updateFolder(
  tx: Database,
  projectId: string,
  id: string,
  folder: FolderFields,
): Promise<FolderRow> {
  return await tx
    .updateTable('folders')
    .set({ name: folder.name, parent_id: folder.parentId, position: folder.position, updated_at: sql<Date>`now()` })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .returning(fields)
    .executeTakeFirstOrThrow()
}

/** Lets everything that lies in a folder move up to its parent. */
export async function moveContentsToParent(tx: Database, projectId: string, folder: FolderRow): Promise<void> {
  const { id, parent_id, test_case_count } = folder
  await sql`update test_cases set folder_id = ${parent_id} where project_id = ${projectId} and folder_id = ${id}`.execute(
    tx,
  )
  await sql`update folders set parent_id = ${parent_id} where project_id = ${projectId} and parent_id = ${id}`.execute(
    tx,
  )
  if (parent_id === null) return
  await sql`
    update folders set test_case_count = test_case_count + ${test_case_count}
    where project_id = ${projectId} and id = ${parent_id}`.execute(tx)
}

export async function deleteEmptyFolder(tx: Database, projectId: string, id: string): Promise<void> {
  await tx.deleteFrom('folders').where('project_id', '=', projectId).where('id', '=', id).execute()
}
