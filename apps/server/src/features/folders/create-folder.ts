import type { CreateFolderBody } from '@caseward/contract/folders'
import type { Static } from '@caseward/contract/static'
import { v7 as uuidv7 } from 'uuid'

import type { Database } from '../../platform/database/connect.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { notifyFoldersChanged } from '../events/notify-distributed-change.ts'
import * as folders from './folders.queries.ts'
import { positionFolder } from './position-folder.ts'

/**
 * Creates a folder. Locks the project, so that the tree does not change meanwhile.
 * @throws {Problem} 404 for an unknown project; 400 for a parent that cannot contain the folder
 */
export async function createFolder(
  db: Database,
  projectId: string,
  { name, parent_id: parentId = null, position }: Static<typeof CreateFolderBody>,
): Promise<folders.FolderRow> {
  return await db.transaction().execute(async (tx) => {
    await requireLockedProject(tx, projectId)
    const tree = await folders.selectFolders(tx, projectId)
    const id = uuidv7()
    const target = positionFolder(tree, { id, parentId, position })
    const folder = await folders.insertFolder(tx, projectId, id, { name, parentId, position: target.position })
    await folders.updatePositions(tx, projectId, target.order)
    await notifyFoldersChanged(tx, projectId)
    return folder
  })
}
