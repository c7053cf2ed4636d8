/** What the shape of the tree depends on. */
export interface TreeFolder {
  id: string
  parent_id: string | null
  position: number
}

export const MAX_FOLDER_LEVELS = 10

/** Folders grouped by parent, siblings in order. */
function byParent<F extends TreeFolder>(folders: readonly F[]): Map<string | null, F[]> {
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

/** The folders that lie directly in a parent, in order. */
export function getChildren<F extends TreeFolder>(folders: readonly F[], parentId: string | null): F[] {
  return byParent(folders).get(parentId) ?? []
}

/** The tree, flat: each folder before what lies in it, siblings by position, then by age. */
export function sortForDisplay<F extends TreeFolder>(folders: readonly F[]): F[] {
  const children = byParent(folders)
  const below = (parent: string | null): F[] =>
    (children.get(parent) ?? []).flatMap((folder) => [folder, ...below(folder.id)])
  return below(null)
}

/** How many levels lie above a folder of this parent: 0 at the top. */
export function getDepth(folders: readonly TreeFolder[], parentId: string | null): number {
  const parents = new Map(folders.map((folder) => [folder.id, folder.parent_id]))
  let levels = 0
  for (let at: string | null = parentId; at !== null; at = parents.get(at) ?? null) levels += 1
  return levels
}

/** How many levels a folder has with what lies in it: 1 for one without subfolders. */
export function getHeight(folders: readonly TreeFolder[], id: string): number {
  const children = byParent(folders)
  const height = (of: string): number =>
    1 + (children.get(of) ?? []).reduce((highest, child) => Math.max(highest, height(child.id)), 0)
  return height(id)
}

/** Whether a folder is another or lies somewhere below it. */
export function isSameOrDescendant(folders: readonly TreeFolder[], id: string, ancestorId: string): boolean {
  const parents = new Map(folders.map((folder) => [folder.id, folder.parent_id]))
  for (let at: string | null = id; at !== null; at = parents.get(at) ?? null) if (at === ancestorId) return true
  return false
}
