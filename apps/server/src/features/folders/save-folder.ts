import type { Static } from 'typebox'
import type { UpdateFolderBody } from '@caseward/contract/folders'

import type { Database } from '../../platform/database/connect.ts'
import { invalidFieldProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { getChildren, isSameOrDescendant, getDepth, getHeight, MAX_FOLDER_LEVELS } from './folder-tree.ts'
import * as folders from './folders.queries.ts'
import { lockProject } from '../projects/projects.queries.ts'

/**
 * Creates a folder (`id` null) or changes one, and puts it in its place: `position` counts among the siblings, which
 * are numbered from 0 without gaps. The project's row is held meanwhile, so that two moves at once cannot tie a knot.
 * @throws {Problem} 404 for an unknown folder or project; 400 for an unknown parent, a move into itself, or too deep a tree
 */
export async function saveFolder(
  db: Database,
  projectId: string,
  id: string | null,
  change: Static<typeof UpdateFolderBody>,
): Promise<folders.FolderRow> {
  return await db.transaction().execute(async (tx) => {
    await lockProject(tx, projectId)
    const tree = await folders.selectFolders(tx, projectId)
    const folder = tree.find((one) => one.id === id)
    if (id !== null && folder === undefined) throw notFoundProblem('folder')
    const { name = folder?.name ?? '', parent_id: parentId = folder?.parent_id ?? null } = change
    checkParent(tree, id, parentId)
    const siblingsIn = (parent: string | null) =>
      getChildren(tree, parent).flatMap((one) => (one.id === id ? [] : [one.id]))
    const siblings = siblingsIn(parentId)
    const stays = folder !== undefined && folder.parent_id === parentId
    const position = Math.min(change.position ?? (stays ? folder.position : siblings.length), siblings.length)

    if (folder === undefined) {
      const created = await folders.insertFolder(tx, { projectId, name, parentId, position })
      await folders.updatePositions(tx, projectId, siblings.toSpliced(position, 0, created.id))
      return created
    }
    if (stays && position === folder.position && change.name === undefined) return folder
    const placed = await folders.updateFolder(tx, projectId, folder.id, { name, parentId, position })
    await folders.updatePositions(tx, projectId, siblings.toSpliced(position, 0, folder.id))
    if (!stays) await folders.updatePositions(tx, projectId, siblingsIn(folder.parent_id))
    return placed
  })
}

function checkParent(tree: folders.FolderRow[], id: string | null, parentId: string | null): void {
  if (parentId === null) return
  if (!tree.some((one) => one.id === parentId)) throw invalidFieldProblem('/parent_id', 'is no folder of this project')
  if (id !== null && isSameOrDescendant(tree, parentId, id)) {
    throw invalidFieldProblem('/parent_id', 'is this folder itself or lies below it')
  }
  if (getDepth(tree, parentId) + (id === null ? 1 : getHeight(tree, id)) > MAX_FOLDER_LEVELS) {
    throw invalidFieldProblem('/parent_id', `would make the tree deeper than ${MAX_FOLDER_LEVELS} levels`)
  }
}
