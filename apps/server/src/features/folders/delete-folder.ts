import type { Database } from '../../platform/database/connect.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { moveTestCasesToParent } from '../test-cases/move-folder-contents.ts'
import { notifyFoldersChanged } from '../events/notify-distributed-change.ts'
import { getChildren } from './folder-tree.ts'
import * as folders from './folders.queries.ts'

/**
 * Deletes a folder. Its test cases and subfolders move to its parent: the test cases to the end, the
 * subfolders to its position there.
 * @returns the folder's name, or null when there is none
 * @throws {Problem} 404 when the project is gone
 */
export async function deleteFolder(
  db: Database,
  actor: AuditActor,
  projectId: string,
  id: string,
): Promise<string | null> {
  return await db.transaction().execute(async (tx) => {
    const { last_test_case_number: lastNumber } = await requireLockedProject(tx, projectId)
    const tree = await folders.selectFolders(tx, projectId)
    const folder = tree.find((candidate) => candidate.id === id)
    if (folder === undefined) return null
    const author = { userId: actor.userId, tokenId: actor.tokenId, via: 'bulk', summary: null } as const
    await moveTestCasesToParent(tx, { projectId, lastNumber, author }, folder)
    await folders.moveSubfoldersToParent(tx, projectId, folder)
    const order = getChildren(tree, folder.parent_id).flatMap((sibling) =>
      sibling.id === id ? getChildren(tree, id) : [sibling],
    )
    await folders.updatePositions(tx, projectId, order)
    await folders.deleteEmptyFolder(tx, projectId, id)
    await notifyFoldersChanged(tx, projectId)
    const subject = { kind: 'folder', id, name: folder.name } as const
    await recordAudit(tx, actor, { action: 'folder.delete', subject, projectId })
    return folder.name
  })
}
