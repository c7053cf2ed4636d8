import type { Folder } from '@caseward/client/endpoints'

/**
 * Returns the folders as they are after a move, for the time until the server has answered.
 * @param index the place among the other folders of the parent; null for the end
 */
export function previewMove(
  folders: readonly Folder[],
  folderId: string,
  parentId: string | null,
  index: number | null,
): readonly Folder[] {
  const siblings = folders
    .filter(({ id, parent_id }) => parent_id === parentId && id !== folderId)
    .toSorted((a, b) => a.position - b.position)
    .map(({ id }) => id)
  const place = index ?? siblings.length
  const positions = new Map([...siblings.slice(0, place), folderId, ...siblings.slice(place)].map((id, at) => [id, at]))
  return folders.map((folder) => {
    const position = positions.get(folder.id)
    if (position === undefined) return folder
    return { ...folder, position, parent_id: folder.id === folderId ? parentId : folder.parent_id }
  })
}
