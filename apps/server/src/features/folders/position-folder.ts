import { invalidFieldProblem } from '../../platform/http/problems.ts'
import {
  getChildren,
  getDepth,
  getHeight,
  isSameOrDescendant,
  MAX_FOLDER_LEVELS,
  type TreeFolder,
} from './folder-tree.ts'

/**
 * Puts a folder, new or not, into a parent (null: the top level).
 * @param folder.position counts among the siblings from 0; last when undefined or too large
 * @returns its position, and all the parent's folders in their new order
 * @throws {Problem} 400 for an unknown parent, a move into itself, or too many levels
 */
export function positionFolder(
  tree: readonly TreeFolder[],
  { id, parentId, position }: { id: string; parentId: string | null; position: number | undefined },
): { position: number; order: { id: string }[] } {
  if (parentId !== null) checkParent(tree, id, parentId)
  const siblings: { id: string }[] = getChildren(tree, parentId).filter((folder) => folder.id !== id)
  const index = Math.min(position ?? siblings.length, siblings.length)
  return { position: index, order: siblings.toSpliced(index, 0, { id }) }
}

function checkParent(tree: readonly TreeFolder[], id: string, parentId: string): void {
  if (!tree.some((folder) => folder.id === parentId)) {
    throw invalidFieldProblem('/parent_id', 'is not a folder of this project')
  }
  if (isSameOrDescendant(tree, parentId, id)) {
    throw invalidFieldProblem('/parent_id', 'is this folder or one of its subfolders')
  }
  if (getDepth(tree, parentId) + getHeight(tree, id) > MAX_FOLDER_LEVELS) {
    throw invalidFieldProblem('/parent_id', `would nest folders more than ${MAX_FOLDER_LEVELS} levels deep`)
  }
}
