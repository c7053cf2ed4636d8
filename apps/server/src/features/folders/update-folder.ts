import type { UpdateFolderBody } from '@caseward/contract/folders'
import type { Static } from '@caseward/contract/static'

import type { Database } from '../../platform/database/connect.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { notifyFoldersChanged } from '../events/notify-distributed-change.ts'
import { getChildren } from './folder-tree.ts'
import * as folders from './folders.queries.ts'
import { positionFolder } from './position-folder.ts'

/**
 * Renames or moves a folder. Locks the project, so that two moves at the same time cannot form a cycle.
 * @throws {Problem} 404 for an unknown folder or project; 400 for a parent that cannot contain the folder
 */
export async function updateFolder(
  db: Database,
  projectId: string,
  id: string,
  change: Static<typeof UpdateFolderBody>,
): Promise<folders.FolderRow> {
  return await db.transaction().execute(async (tx) => {
    await requireLockedProject(tx, projectId)
    const tree = await folders.selectFolders(tx, projectId)
    const folder = tree.find((candidate) => candidate.id === id)
    if (folder === undefined) throw notFoundProblem('folder')
    const { name = folder.name, parent_id: parentId = folder.parent_id } = change
    const hasSameParent = parentId === folder.parent_id
    const requestedPosition = change.position ?? (hasSameParent ? folder.position : undefined)
    const { position, order } = positionFolder(tree, { id, parentId, position: requestedPosition })
    if (hasSameParent && position === folder.position && change.name === undefined) return folder

    const updated = await folders.updateFolder(tx, projectId, id, { name, parentId, position })
    await folders.updatePositions(tx, projectId, order)
    if (!hasSameParent) {
      const formerSiblings = getChildren(tree, folder.parent_id).filter((sibling) => sibling.id !== id)
      await folders.updatePositions(tx, projectId, formerSiblings)
    }
    await notifyFoldersChanged(tx, projectId)
    return updated
  })
}
