/** The fields of a folder that form the tree. */
export interface TreeFolder {
  id: string
  parent_id: string | null
  position: number
}

export const MAX_FOLDER_LEVELS = 10

/** Groups folders by parent, siblings in order. */
function groupByParent<F extends TreeFolder>(folders: readonly F[]): Map<string | null, F[]> {
  const children = new Map<string | null, F[]>()
  for (const folder of folders) {
    const siblings = children.get(folder.parent_id)
    if (siblings === undefined) children.set(folder.parent_id, [folder])
    else siblings.push(folder)
  }
  for (const siblings of children.values()) {
    siblings.sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1))
  }
  return children
}

/** The folders directly in a parent, in order. */
export function getChildren<F extends TreeFolder>(folders: readonly F[], parentId: string | null): F[] {
  return groupByParent(folders).get(parentId) ?? []
}

/** The tree as a list: each folder before its subfolders, siblings by position, then by age. */
export function sortForDisplay<F extends TreeFolder>(folders: readonly F[]): F[] {
  const children = groupByParent(folders)
  const listBelow = (parentId: string | null): F[] =>
    (children.get(parentId) ?? []).flatMap((folder) => [folder, ...listBelow(folder.id)])
  return listBelow(null)
}

/** The number of levels above a folder in this parent: 0 at the top level. */
export function getDepth(folders: readonly TreeFolder[], parentId: string | null): number {
  const parents = new Map(folders.map((folder) => [folder.id, folder.parent_id]))
  let depth = 0
  for (let id: string | null = parentId; id !== null; id = parents.get(id) ?? null) depth += 1
  return depth
}

/** The number of levels from a folder down to its deepest subfolder: 1 without subfolders. */
export function getHeight(folders: readonly TreeFolder[], id: string): number {
  const children = groupByParent(folders)
  const computeHeight = (parentId: string): number =>
    1 + (children.get(parentId) ?? []).reduce((highest, child) => Math.max(highest, computeHeight(child.id)), 0)
  return computeHeight(id)
}

/** Whether a folder is the other folder or one of its descendants. */
export function isSameOrDescendant(folders: readonly TreeFolder[], id: string, ancestorId: string): boolean {
  const parents = new Map(folders.map((folder) => [folder.id, folder.parent_id]))
  for (let current: string | null = id; current !== null; current = parents.get(current) ?? null) {
    if (current === ancestorId) return true
  }
  return false
}
