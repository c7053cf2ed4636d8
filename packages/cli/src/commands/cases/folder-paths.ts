import type { Folder } from '@caseward/client/endpoints'

/*
 * Folders as people write them: names joined by `/`. A `/` or `\` within a name stands behind a `\`.
 */

/** A tree of a project's folders, by path and id. */
export interface FolderTree {
  /** The path of a folder; `''` for none. */
  getPath(id: string | null): string
  /** The id of a folder, by its path or its id. Of several with the same path, the first. */
  find(path: string): string | undefined
}

type Node = Pick<Folder, 'id' | 'name' | 'parent_id'>

export function createFolderTree(folders: readonly Node[]): FolderTree {
  const byId = new Map(folders.map((folder) => [folder.id, folder]))
  const getNames = (id: string | null): string[] => {
    const folder = id === null ? undefined : byId.get(id)
    return folder === undefined ? [] : [...getNames(folder.parent_id), folder.name]
  }
  const getPath = (id: string | null) => joinPath(getNames(id))
  const ids = new Map<string, string>()
  for (const { id } of folders) if (!ids.has(getPath(id))) ids.set(getPath(id), id)
  return {
    getPath,
    find: (path) => (byId.has(path) ? path : ids.get(joinPath(splitPath(path)))),
  }
}

export const joinPath = (names: readonly string[]): string =>
  names.map((name) => name.replaceAll(/[\\/]/g, String.raw`\$&`)).join('/')

/** The names that a path consists of, from the top. White space around a name does not belong to it. */
export function splitPath(path: string): string[] {
  const names = ['']
  for (const [part] of path.matchAll(/\\[\\/]|[^]/gu)) {
    if (part === '/') names.push('')
    else names.push((names.pop() ?? '') + (part.length > 1 && part.startsWith('\\') ? part.slice(1) : part))
  }
  return names.map((name) => name.trim()).filter((name) => name !== '')
}
