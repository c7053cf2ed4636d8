import { useQuery, useQueryClient } from '@tanstack/react-query'

import { queries } from '../../api.ts'
import { describeFailure } from '../../problems.ts'
import { showToast } from '../../ui/toast.ts'
import { deletions, undoStack } from '../../undo/use-undo.ts'
import { useProject } from '../../use-project.ts'
import { deleteFile, filesOf, getPlaceQueriesKey, renameFile } from './file-queries.ts'
import type { ShownFile } from './shown-file.ts'
import type { ShownPlace } from './viewed-file.ts'

export interface FileActions {
  /** Whether the user may rename and delete a file: their own, those of CI, and as an admin all. */
  mayChange: (file: ShownFile) => boolean
  rename: (file: ShownFile, name: string) => Promise<void>
  /** Hides it now, and deletes it when it can no longer be undone. */
  remove: (file: ShownFile) => void
}

/** Returns what the user can do with the files of a place. */
export function useFileActions(place: ShownPlace): FileActions {
  const queryClient = useQueryClient()
  const { data: me } = useQuery(queries.me())
  const { project } = useProject(place.projectId)
  const mayUpload = project?.permissions.includes('files:upload') === true
  const { queryKey } = filesOf(place)
  const refresh = () => queryClient.invalidateQueries({ queryKey: getPlaceQueriesKey(place) })

  return {
    mayChange: ({ created_by: by }) => mayUpload && (by === null || by === me?.id || project.role === 'admin'),
    async rename(file, name) {
      if (name === file.name || name === '') return
      const show = (shownName: string) =>
        queryClient.setQueryData(queryKey, (files) =>
          files?.map((other) => (other.id === file.id ? { ...other, name: shownName } : other)),
        )
      show(name)
      try {
        await renameFile(place.projectId, file.id, name)
        if (place.kind === 'test') await refresh()
      } catch (error) {
        show(file.name)
        showToast({ message: `Not renamed: ${describeFailure(error, { noun: 'file' }).message}` })
      }
    },
    remove(file) {
      const cancel = deletions.schedule({
        ids: [file.id],
        async send(keepalive) {
          await deleteFile(place.projectId, file.id, keepalive)
          undoStack.remove(entry)
          queryClient.setQueryData(queryKey, (files) => files?.filter(({ id }) => id !== file.id))
          await refresh()
        },
        onFailed(error) {
          undoStack.remove(entry)
          showToast({ message: `Not deleted: ${describeFailure(error, { noun: 'file' }).message}` })
        },
      })
      const entry = undoStack.push({ words: `“${file.name}” deleted`, undo: () => void cancel() })
    },
  }
}
