import Archive from 'lucide-react/icons/archive'
import ArchiveRestore from 'lucide-react/icons/archive-restore'
import Copy from 'lucide-react/icons/copy'
import CopyPlus from 'lucide-react/icons/copy-plus'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Maximize2 from 'lucide-react/icons/maximize-2'
import Merge from 'lucide-react/icons/merge'
import Trash2 from 'lucide-react/icons/trash-2'

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { useDrafts } from '../../drafts/use-drafts.ts'
import { paths } from '../../paths.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Menu, MenuItem, MenuLink } from '../../ui/menu.tsx'
import { useCaseActions } from './use-case-actions.ts'

const MergeDialog = lazyPart(async () => (await import('../duplicates/merge-parts.ts')).MergeDialog, {
  isDialog: true,
})

const CopyDialog = lazyPart(async () => (await import('../copies/copy-parts.ts')).CopyDialog, { isDialog: true })

export interface CaseMenuProps {
  projectId: string
  caseId: string
  isArchived: boolean
  folderId: string | null
  /** Whether it leads to the page of the test case, where a button has no room. */
  hasPageLink?: boolean
  /** Missing where it cannot be deleted. */
  onDelete?: (() => void) | undefined
  /** Opens a copy, whose title has the focus. */
  onCopied: (id: string) => void
  /** Copies were deleted again. */
  onCopiesUndone: (ids: readonly string[]) => void
}

/** What can be done with one test case, for those who may edit it. */
export function CaseMenu(props: CaseMenuProps) {
  const { projectId, caseId, isArchived, folderId, hasPageLink = false, onDelete, onCopied, onCopiesUndone } = props
  const actions = useCaseActions(projectId)
  const queryClient = useQueryClient()
  const drafts = useDrafts()
  const [isMerging, setIsMerging] = useState(false)
  const [isCopying, setIsCopying] = useState(false)
  async function makeCopy(): Promise<void> {
    const { copyCase } = await import('../copies/copy-parts.ts')
    const id = await copyCase({ queryClient, drafts }, projectId, caseId, onCopiesUndone)
    if (id !== null) onCopied(id)
  }
  return (
    <>
      <Menu align="end" trigger={<IconButton label={`More about ${caseId}`} icon={<Ellipsis />} />}>
        {hasPageLink && (
          <MenuLink icon={<Maximize2 />} to={paths.case(projectId, caseId)}>
            Open the full page
          </MenuLink>
        )}
        <MenuItem icon={<CopyPlus />} onSelect={() => void makeCopy()}>
          Make a copy
        </MenuItem>
        <MenuItem icon={<Copy />} onSelect={() => setIsCopying(true)}>
          Copy to…
        </MenuItem>
        <MenuItem
          icon={isArchived ? <ArchiveRestore /> : <Archive />}
          onSelect={() => void actions.archive([caseId], !isArchived)}
        >
          {isArchived ? 'Restore' : 'Archive'}
        </MenuItem>
        {!isArchived && (
          <MenuItem icon={<Merge />} onSelect={() => setIsMerging(true)}>
            Merge into…
          </MenuItem>
        )}
        {onDelete !== undefined && (
          <MenuItem icon={<Trash2 />} isDanger onSelect={onDelete}>
            Delete
          </MenuItem>
        )}
      </Menu>
      {isCopying && (
        <CopyDialog
          projectId={projectId}
          ids={[caseId]}
          initialFolderId={folderId}
          onCopied={onCopied}
          onUndone={onCopiesUndone}
          onClose={() => setIsCopying(false)}
        />
      )}
      {isMerging && <MergeDialog projectId={projectId} caseId={caseId} onClose={() => setIsMerging(false)} />}
    </>
  )
}
