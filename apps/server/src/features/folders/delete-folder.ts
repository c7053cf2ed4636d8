import type { Database } from '../../platform/database/connect.ts'
import { getChildren } from './folder-tree.ts'
import * as folders from './folders.queries.ts'
import { lockProject } from '../projects/projects.queries.ts'

/**
 * Deletes a folder; its test cases and subfolders move up to its parent, where the subfolders take its place.
 * @returns its name, or null when there is none
 * @throws {Problem} 404 when the project is gone
 */
export async function deleteFolder(db: Database, projectId: string, id: string): Promise<string | null> {
  return await db.transaction().execute(async (tx) => {
    await lockProject(tx, projectId)
    const tree = await folders.selectFolders(tx, projectId)
    const folder = tree.find((one) => one.id === id)
    if (folder === undefined) return null
    await folders.moveContentsToParent(tx, projectId, folder)
    const left = getChildren(tree, folder.parent_id).flatMap((one) => (one.id === id ? getChildren(tree, id) : [one]))
    await folders.updatePositions(
      tx,
      projectId,
      left.map((one) => one.id),
    )
    await folders.deleteEmptyFolder(tx, projectId, id)
    return folder.name
  })
}
