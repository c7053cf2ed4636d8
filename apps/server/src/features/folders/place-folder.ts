import type { Static } from 'typebox'
import type { UpdateFolderBody } from '@casebook/contract/folders'

import type { Database } from '../../database/connect.ts'
import { invalidField, notFound } from '../../problems.ts'
import { isWithin, levelsAbove, levelsOf, MAX_FOLDER_LEVELS } from './folder-tree.ts'
import * as folders from './folders.queries.ts'

/**
 * Creates a folder (`id` null) or changes one, and puts it in its place: `position` counts among the siblings, and
 * those after it move on by one. The project's row is held meanwhile, so that two moves at once cannot tie a knot.
 * @throws {Problem} 404 for an unknown folder or project; 400 for an unknown parent, a move into itself, or too deep a tree
 */
export async function placeFolder(
  db: Database,
  projectId: string,
  id: string | null,
  change: Static<typeof UpdateFolderBody>,
): Promise<folders.FolderRow> {
  return await db.transaction().execute(async (tx) => {
    if (!(await folders.lockTree(tx, projectId))) throw notFound('project')
    const tree = await folders.selectFolders(tx, projectId)
    const folder = tree.find((one) => one.id === id)
    if (id !== null && folder === undefined) throw notFound('folder')

    const parentId = change.parent_id === undefined ? (folder?.parent_id ?? null) : change.parent_id
    checkParent(tree, id, parentId)
    const siblings = tree.filter((one) => one.parent_id === parentId && one.id !== id)
    const last = Math.max(-1, ...siblings.map((one) => one.position)) + 1
    const stays = folder !== undefined && folder.parent_id === parentId
    const position = change.position ?? (stays ? folder.position : last)
    if (change.position !== undefined && siblings.some((one) => one.position === position)) {
      await folders.makeRoom(tx, projectId, parentId, position)
    }
    return folder === undefined
      ? await folders.insertFolder(tx, { projectId, name: change.name ?? '', parentId, position })
      : await folders.updateFolder(tx, projectId, folder.id, { name: change.name ?? folder.name, parentId, position })
  })
}

function checkParent(tree: folders.FolderRow[], id: string | null, parentId: string | null): void {
  if (parentId === null) return
  if (!tree.some((one) => one.id === parentId)) throw invalidField('/parent_id', 'is no folder of this project')
  if (id !== null && isWithin(tree, parentId, id)) {
    throw invalidField('/parent_id', 'is this folder itself or lies below it')
  }
  if (levelsAbove(tree, parentId) + (id === null ? 1 : levelsOf(tree, id)) > MAX_FOLDER_LEVELS) {
    throw invalidField('/parent_id', `would make the tree deeper than ${MAX_FOLDER_LEVELS} levels`)
  }
}
