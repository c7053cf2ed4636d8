import {
  createFolder,
  deleteFolder,
  type Folder,
  updateFolder,
  type UpdateFolderBody,
} from '@caseward/client/endpoints'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'

import { api, keepaliveApi } from '../../api.ts'
import { refreshQueries } from '../../live/refresh-queries.ts'
import { describeFailure } from '../../problems.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { showToast } from '../../ui/toast.ts'
import { deletions, undoStack } from '../../undo/use-undo.ts'
import { previewMove } from './preview-folder-move.ts'

export interface FolderActions {
  /** @throws `RequestFailed` */
  create(name: string, parentId: string | null): Promise<Folder>
  rename(folder: Folder, name: string): Promise<void>
  /** @param index the place among the folders of the parent; null for the end */
  move(folder: Folder, parentId: string | null, index: number | null): Promise<void>
  /** Hides a folder now and deletes it later. Its test cases and subfolders come to its parent. */
  remove(folder: Folder): void
}

/** What can be done with the folders of a project. Everything but a new folder can be undone. */
export function useFolderActions(projectId: string): FolderActions {
  const queryClient = useQueryClient()
  return useMemo(() => createFolderActions(queryClient, projectId), [queryClient, projectId])
}

function createFolderActions(queryClient: QueryClient, project_id: string): FolderActions {
  const key = queryKeys.folders(project_id)
  const refresh = () => refreshQueries(queryClient, key)

  async function update(folder_id: string, body: UpdateFolderBody): Promise<void> {
    await request(api, updateFolder, { params: { project_id, folder_id }, body })
    refresh()
  }
  async function perform(
    folder: Folder,
    body: UpdateFolderBody,
    words: string,
    preview: (folders: readonly Folder[]) => readonly Folder[],
  ) {
    queryClient.setQueryData<readonly Folder[]>(key, (folders) => (folders === undefined ? folders : preview(folders)))
    try {
      await update(folder.id, body)
      const { name, parent_id, position } = folder
      const before = body.name === undefined ? { parent_id, position } : { name }
      undoStack.push({ words, undo: () => update(folder.id, before) })
    } catch (error) {
      refresh()
      showToast({ message: `Not saved: ${describeFailure(error, { noun: 'folder' }).message}` })
    }
  }

  return {
    async create(name, parent_id) {
      const { data } = await request(api, createFolder, { params: { project_id }, body: { name, parent_id } })
      queryClient.setQueryData<Folder[]>(key, (folders) =>
        folders?.some(({ id }) => id === data.data.id) === false ? [...folders, data.data] : folders,
      )
      refresh()
      return data.data
    },
    rename: (folder, name) =>
      perform(folder, { name }, `Folder renamed to ${name}`, (folders) =>
        folders.map((other) => (other.id === folder.id ? { ...other, name } : other)),
      ),
    move(folder, parentId, index) {
      const body = { parent_id: parentId, ...(index === null ? {} : { position: index }) }
      return perform(folder, body, `Folder ${folder.name} moved`, (folders) =>
        previewMove(folders, folder.id, parentId, index),
      )
    },
    remove(folder) {
      const cancel = deletions.schedule({
        ids: [folder.id],
        async send(keepalive) {
          const client = keepalive ? keepaliveApi : api
          await request(client, deleteFolder, { params: { project_id, folder_id: folder.id } })
          undoStack.remove(entry)
          // Until both are read again, the folder stays hidden.
          await queryClient.invalidateQueries({ queryKey: key })
          await queryClient.invalidateQueries({ queryKey: queryKeys.cases(project_id) })
        },
        onFailed(error) {
          undoStack.remove(entry)
          showToast({ message: `Not deleted: ${describeFailure(error, { noun: 'folder' }).message}` })
        },
      })
      const entry = undoStack.push({ words: `Folder ${folder.name} deleted`, undo: () => void cancel() })
    },
  }
}
