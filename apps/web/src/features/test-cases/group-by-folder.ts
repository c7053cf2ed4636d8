import type { Folder } from '@caseward/client/endpoints'

import { groupBy } from '../../row-index/group-by.ts'

/** The rows of a folder, without those of its subfolders. */
export interface FolderGroup<Row> {
  /** Null for rows at the top level. */
  readonly folder: Folder | null
  /** Names from the top level to the folder; empty for the top level. */
  readonly path: readonly string[]
  readonly rows: readonly Row[]
}

/** Numbers of rows of a folder. */
export interface FolderCount {
  readonly own: number
  /** With subfolders. */
  readonly total: number
}

interface FolderRow {
  readonly folder_id: string | null
}

/**
 * Orders folders as the tree shows them: a folder before its subfolders, siblings by position. A folder whose parent is
 * missing, because it was deleted in this moment, is at the top level.
 */
export function orderFolders(folders: readonly Folder[]): readonly { folder: Folder; path: readonly string[] }[] {
  const ids = new Set(folders.map(({ id }) => id))
  const children = groupBy(folders, ({ parent_id }) => (parent_id !== null && ids.has(parent_id) ? parent_id : null))
  const ordered: { folder: Folder; path: readonly string[] }[] = []
  const visit = (parentId: string | null, path: readonly string[]) => {
    const siblings = children.get(parentId) ?? []
    for (const folder of siblings.toSorted((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1))) {
      const ownPath = [...path, folder.name]
      ordered.push({ folder, path: ownPath })
      visit(folder.id, ownPath)
    }
  }
  visit(null, [])
  return ordered
}

/**
 * Groups rows by folder in the order of the tree; rows without a folder are last. Rows keep their order within a group.
 * Folders without rows are left out.
 */
export function groupByFolder<Row extends FolderRow>(
  rows: readonly Row[],
  folders: readonly Folder[],
): readonly FolderGroup<Row>[] {
  const known = new Set(folders.map(({ id }) => id))
  const byFolder = groupBy(rows, ({ folder_id }) => (folder_id !== null && known.has(folder_id) ? folder_id : null))
  const groups: FolderGroup<Row>[] = orderFolders(folders).flatMap(({ folder, path }) => {
    const own = byFolder.get(folder.id)
    return own === undefined ? [] : [{ folder, path, rows: own }]
  })
  const others = byFolder.get(null)
  return others === undefined ? groups : [...groups, { folder: null, path: [], rows: others }]
}

/** Counts the rows of every folder. The key null has those without a folder. */
export function countByFolder(
  rows: readonly FolderRow[],
  folders: readonly Folder[],
): ReadonlyMap<string | null, FolderCount> {
  const parents = new Map(folders.map(({ id, parent_id }) => [id, parent_id]))
  const counts = new Map<string | null, { own: number; total: number }>(
    folders.map(({ id }) => [id, { own: 0, total: 0 }]),
  )
  counts.set(null, { own: 0, total: 0 })
  for (const { folder_id } of rows) {
    const id = folder_id !== null && parents.has(folder_id) ? folder_id : null
    const own = counts.get(id)
    if (own !== undefined) own.own += 1
  }
  for (const [id, { own }] of counts) addToAncestors(id, own, counts, parents)
  return counts
}

/** Adds rows to a folder and those that contain it. Stops at a circle, which two moves at once can create for a moment. */
function addToAncestors(
  id: string | null,
  count: number,
  counts: ReadonlyMap<string | null, { total: number }>,
  parents: ReadonlyMap<string, string | null>,
): void {
  if (count === 0) return
  const visited = new Set<string | null>()
  for (let current: string | null | undefined = id; current !== undefined && !visited.has(current);) {
    visited.add(current)
    const entry = counts.get(current)
    if (entry !== undefined) entry.total += count
    const parent: string | null | undefined = current === null ? undefined : parents.get(current)
    current = parent ?? undefined
  }
}

/** Returns the ids of a folder and all its subfolders. */
export function getSubtree(folderId: string, folders: readonly Folder[]): ReadonlySet<string> {
  const children = groupBy(folders, ({ parent_id }) => parent_id)
  const ids = new Set<string>()
  const visit = (id: string) => {
    if (ids.has(id)) return
    ids.add(id)
    for (const child of children.get(id) ?? []) visit(child.id)
  }
  visit(folderId)
  return ids
}
