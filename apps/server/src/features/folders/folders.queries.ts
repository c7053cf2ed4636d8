import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'

const fields = ['id', 'name', 'parent_id', 'position', 'test_case_count', 'created_at', 'updated_at'] as const

export type FolderRow = Awaited<ReturnType<typeof selectFolders>>[number]

export async function selectFolders(db: Database, projectId: string) {
  return await db.selectFrom('folders').select(fields).where('project_id', '=', projectId).execute()
}

/** Numbers siblings from 0 in this order. */
export async function updatePositions(
  tx: Database,
  projectId: string,
  siblings: readonly { id: string }[],
): Promise<void> {
  const ids = siblings.map(({ id }) => id)
  await sql`
    update folders f set position = sibling.ordinality - 1
    from unnest(${ids}::uuid[]) with ordinality as sibling (id, ordinality)
    where f.project_id = ${projectId} and f.id = sibling.id and f.position <> sibling.ordinality - 1`.execute(tx)
}

interface FolderFields {
  name: string
  parentId: string | null
  position: number
}

export async function insertFolder(
  tx: Database,
  projectId: string,
  id: string,
  { name, parentId, position }: FolderFields,
): Promise<FolderRow> {
  return await tx
    .insertInto('folders')
    .values({ project_id: projectId, id, name, parent_id: parentId, position })
    .returning(fields)
    .executeTakeFirstOrThrow()
}

export async function updateFolder(
  tx: Database,
  projectId: string,
  id: string,
  { name, parentId, position }: FolderFields,
): Promise<FolderRow> {
  return await tx
    .updateTable('folders')
    .set({ name, parent_id: parentId, position, updated_at: sql<Date>`now()` })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .returning(fields)
    .executeTakeFirstOrThrow()
}

export async function moveSubfoldersToParent(tx: Database, projectId: string, folder: FolderRow): Promise<void> {
  const { id, parent_id } = folder
  await sql`update folders set parent_id = ${parent_id} where project_id = ${projectId} and parent_id = ${id}`.execute(
    tx,
  )
}

export async function deleteEmptyFolder(tx: Database, projectId: string, id: string): Promise<void> {
  await tx.deleteFrom('folders').where('project_id', '=', projectId).where('id', '=', id).execute()
}
