import { useEffect, useRef } from 'react'

import { formatNumberOf } from '../../ui/format-count.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { AddToRunDialog } from './add-to-run-dialog.tsx'
import { CaseFolders } from './case-folders.tsx'
import styles from './cases.module.css'
import { DeleteCasesDialog } from './delete-cases-dialog.tsx'
import { FolderDialog } from './folder-dialog.tsx'
import { returnFocusToRow } from './focus-row.ts'
import { getSubtree } from './group-by-folder.ts'
import { MoveDialog } from './move-dialog.tsx'
import { TagsDialog } from './tags-dialog.tsx'
import type { CasesDialog, CasesPageState } from './use-cases-page.ts'

const CaseFieldDialog = lazyPart(async () => (await import('./case-field-dialog.tsx')).CaseFieldDialog)

const BulkFieldDialog = lazyPart(async () => (await import('../fields/bulk-field-dialog.tsx')).BulkFieldDialog, {
  isDialog: true,
})

const CopyDialog = lazyPart(async () => (await import('../copies/copy-parts.ts')).CopyDialog, { isDialog: true })

interface CasesDialogsProps {
  page: CasesPageState
  dialog: CasesDialog
  projectId: string
}

/** The dialog that is open. */
export function CasesDialogs({ page, dialog, projectId }: CasesDialogsProps) {
  const { list, actions, folderActions } = page
  const folderSheet = useRef<HTMLDivElement>(null)
  // The row that had the focus may have been moved out of sight.
  useEffect(() => returnFocusToRow, [])
  const onClose = () => page.setDialog(null)
  switch (dialog.kind) {
    case 'folders':
      return (
        <Dialog isOpen onClose={onClose} title="Folders" initialFocus={folderSheet}>
          <div ref={folderSheet} className={styles.folderSheet} tabIndex={-1}>
            <CaseFolders page={page} projectId={projectId} onSelected={onClose} />
          </div>
        </Dialog>
      )
    case 'move':
      return (
        <MoveDialog
          subject={dialog.ids.length === 1 ? String(dialog.ids[0]) : formatNumberOf(dialog.ids.length, 'test case')}
          folders={list.folders}
          noneLabel="No folder"
          initialId={list.all.find(({ id }) => id === dialog.ids[0])?.folder_id ?? null}
          onMove={(folder_id, name) => void actions.move(dialog.ids, { folder_id }, name)}
          onClose={onClose}
        />
      )
    case 'copy':
      return (
        <CopyDialog
          projectId={projectId}
          ids={dialog.ids}
          initialFolderId={list.all.find(({ id }) => id === dialog.ids[0])?.folder_id ?? null}
          onCopied={page.openCopy}
          onUndone={page.leave}
          onClose={onClose}
        />
      )
    case 'tags': {
      const ids = new Set(dialog.ids)
      return (
        <TagsDialog
          rows={list.all.filter(({ id }) => ids.has(id))}
          suggestions={page.tags}
          onChange={(change, words) => void actions.update(dialog.ids, change, words)}
          onClose={onClose}
        />
      )
    }
    case 'owner':
    case 'estimate': {
      const ids = new Set(dialog.ids)
      return (
        <CaseFieldDialog
          projectId={projectId}
          field={dialog.kind}
          rows={list.all.filter(({ id }) => ids.has(id))}
          onChange={(change, words) => void actions.update(dialog.ids, change, words)}
          onClose={onClose}
        />
      )
    }
    case 'field': {
      const ids = new Set(dialog.ids)
      return (
        <BulkFieldDialog
          projectId={projectId}
          rows={list.all.filter(({ id }) => ids.has(id))}
          onChange={(change, words) => void actions.update(dialog.ids, change, words)}
          onClose={onClose}
        />
      )
    }
    case 'run':
      return (
        <AddToRunDialog
          projectId={projectId}
          ids={dialog.ids}
          onAdd={(run) => void actions.addToRun(dialog.ids, run)}
          onClose={onClose}
        />
      )
    case 'delete':
      return (
        <DeleteCasesDialog
          ids={dialog.ids}
          resultCount={dialog.resultCount}
          onDelete={() => page.remove(dialog.ids)}
          onArchive={() => page.archive(dialog.ids)}
          onClose={onClose}
        />
      )
    case 'new-folder': {
      const parent = list.folders.find(({ id }) => id === dialog.parentId)
      return (
        <FolderDialog
          title="New folder"
          initialName=""
          description={parent === undefined ? undefined : `In ${parent.name}`}
          submitLabel="Create folder"
          onSubmit={async (name) => {
            const folder = await folderActions.create(name, dialog.parentId)
            page.change({ folder: folder.id }, 'push')
          }}
          onClose={onClose}
        />
      )
    }
    case 'rename-folder':
      return (
        <FolderDialog
          title="Rename the folder"
          initialName={dialog.folder.name}
          submitLabel="Rename"
          onSubmit={(name) => folderActions.rename(dialog.folder, name)}
          onClose={onClose}
        />
      )
    case 'move-folder': {
      // A folder cannot come into itself.
      const own = getSubtree(dialog.folder.id, list.folders)
      return (
        <MoveDialog
          subject={dialog.folder.name}
          folders={list.folders.filter(({ id }) => !own.has(id))}
          noneLabel="Top level"
          initialId={dialog.folder.parent_id}
          onMove={(parentId) => void folderActions.move(dialog.folder, parentId, null)}
          onClose={onClose}
        />
      )
    }
  }
}
