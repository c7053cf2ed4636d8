import type { Folder } from '@caseward/client/endpoints'

import { escapeListItem, splitEscapedList } from './escaped-list.ts'

/** The folders of a project, by id and by path: `Checkout/Payment`. */
export interface FolderTree {
  /** Returns the path of a folder; `''` for the top level. */
  getPath(id: string | null): string
  /** Finds the id of a folder by its path or id; the first one if several have the same path. */
  findId(pathOrId: string): string | undefined
}

type FolderNode = Pick<Folder, 'id' | 'name' | 'parent_id'>

export function createFolderTree(folders: readonly FolderNode[]): FolderTree {
  const foldersById = new Map(folders.map((folder) => [folder.id, folder]))
  const getNames = (id: string | null): string[] => {
    const folder = id === null ? undefined : foldersById.get(id)
    return folder === undefined ? [] : [...getNames(folder.parent_id), folder.name]
  }
  const getPath = (id: string | null) => joinPath(getNames(id))
  const idsByPath = new Map<string, string>()
  for (const { id } of folders) if (!idsByPath.has(getPath(id))) idsByPath.set(getPath(id), id)
  return {
    getPath,
    findId: (pathOrId) => (foldersById.has(pathOrId) ? pathOrId : idsByPath.get(joinPath(splitPath(pathOrId)))),
  }
}

export const joinPath = (names: readonly string[]): string => names.map((name) => escapeListItem(name, '/')).join('/')

/** Splits a path into names, from the top level down. White space around a name is ignored. */
export const splitPath = (path: string): string[] => splitEscapedList(path, '/')
