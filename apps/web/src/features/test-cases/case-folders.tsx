import type { Folder } from '@caseward/client/endpoints'

import { FolderPanel } from './folder-panel.tsx'
import type { CasesPageState } from './use-cases-page.ts'

interface CaseFoldersProps {
  page: CasesPageState
  projectId: string
  /** Called when a folder was chosen, for example to close the sheet. */
  onSelected?: () => void
}

/** The folders of the cases page. */
export function CaseFolders({ page, projectId, onSelected }: CaseFoldersProps) {
  const { list, folderActions, actions } = page
  const getName = (folderId: string | null) => list.folders.find(({ id }) => id === folderId)?.name ?? 'no folder'
  function remove(folder: Folder): void {
    if (page.search.folder === folder.id) page.change({ folder: folder.parent_id }, 'replace')
    folderActions.remove(folder)
  }
  return (
    <FolderPanel
      projectId={projectId}
      folders={list.folders}
      counts={list.counts}
      total={list.allTotal}
      selected={page.search.folder}
      onSelect={(folder) => {
        page.change({ folder }, 'push')
        onSelected?.()
      }}
      mayEdit={page.mayEdit}
      isTitleHidden={onSelected !== undefined}
      onCreate={(parentId) => page.setDialog({ kind: 'new-folder', parentId })}
      onRename={(folder, name) => void folderActions.rename(folder, name)}
      onAskName={(folder) => page.setDialog({ kind: 'rename-folder', folder })}
      onAskPlace={(folder) => page.setDialog({ kind: 'move-folder', folder })}
      onMove={(folder, { parentId, index }) => void folderActions.move(folder, parentId, index)}
      onDelete={remove}
      onDropCases={(ids, folder_id) => {
        if (ids.length > 0) void actions.move(ids, { folder_id }, getName(folder_id))
      }}
    />
  )
}
