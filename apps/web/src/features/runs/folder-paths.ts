import type { Folder } from '@caseward/client/endpoints'

/** Returns the folders from the top level to a folder; empty at the top level. */
export function buildFolderPath(folderId: string | null, folders: readonly Folder[]): readonly Folder[] {
  const byId = new Map(folders.map((folder) => [folder.id, folder]))
  const path: Folder[] = []
  for (let folder = byId.get(folderId ?? ''); folder !== undefined; folder = byId.get(folder.parent_id ?? '')) {
    // Two moves at once can create a circle for a moment.
    if (path.includes(folder)) break
    path.unshift(folder)
  }
  return path
}
