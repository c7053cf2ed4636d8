import type { Folder } from '@caseward/client/endpoints'

import { groupBy } from '../../row-index/group-by.ts'
import { getSubtree } from '../test-cases/group-by-folder.ts'

export type CheckState = boolean | 'mixed'

/** Checks or unchecks a folder with all its subfolders. */
export function checkFolder(
  checkedIds: readonly string[],
  folderId: string,
  isChecked: boolean,
  folders: readonly Folder[],
): readonly string[] {
  const subtree = getSubtree(folderId, folders)
  const others = checkedIds.filter((id) => !subtree.has(id))
  return isChecked ? [...others, ...subtree] : others
}

/** Adds the subfolders of folders. */
export const addSubfolders = (ids: readonly string[], folders: readonly Folder[]): readonly string[] => [
  ...new Set(ids.flatMap((id) => [...getSubtree(id, folders)])),
]

/** Returns for each folder whether it is checked with all its subfolders, or only in part. */
export function getCheckStates(
  checkedIds: readonly string[],
  folders: readonly Folder[],
): ReadonlyMap<string, CheckState> {
  const checked = new Set(checkedIds)
  const children = groupBy(folders, ({ parent_id }) => parent_id)
  const states = new Map<string, CheckState>()
  const visit = ({ id }: Folder): CheckState => {
    const known = states.get(id)
    if (known !== undefined) return known
    // Two moves at once can create a circle for a moment.
    states.set(id, checked.has(id))
    const below = (children.get(id) ?? []).map(visit)
    const own = checked.has(id)
    const state = below.every((child) => child === own) ? own : 'mixed'
    states.set(id, state)
    return state
  }
  folders.forEach(visit)
  return states
}
