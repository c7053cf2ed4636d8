import type { Folder } from '@caseward/client/endpoints'
import { useEffect } from 'react'

import { preferences, usePreference } from '../../use-preferences.ts'

/**
 * The folders that are open in the tree, remembered for each project. The way to the selected folder is opened, for example
 * after a link was followed.
 */
export function useOpenFolders(
  projectId: string,
  folders: readonly Folder[],
  selected: string | null,
): [readonly string[], (ids: readonly string[]) => void] {
  const openIds = usePreference('openFolders')[projectId] ?? none
  const way = findParents(folders, selected).join(' ')
  useEffect(() => {
    const known = preferences.get().openFolders[projectId] ?? none
    const missing = way.split(' ').filter((id) => id !== '' && !known.includes(id))
    if (missing.length > 0) store(projectId, [...known, ...missing])
  }, [projectId, way])
  return [openIds, (ids) => store(projectId, ids)]
}

function findParents(folders: readonly Folder[], id: string | null): readonly string[] {
  const parents = new Map(folders.map((folder) => [folder.id, folder.parent_id]))
  const found: string[] = []
  let parent = id === null ? null : (parents.get(id) ?? null)
  // Two moves at once can make a circle for a moment.
  while (parent !== null && !found.includes(parent)) {
    found.push(parent)
    parent = parents.get(parent) ?? null
  }
  return found
}

const none: readonly string[] = []

function store(projectId: string, ids: readonly string[]): void {
  preferences.set({ openFolders: { ...preferences.get().openFolders, [projectId]: ids } })
}
