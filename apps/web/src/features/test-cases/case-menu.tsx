import Archive from 'lucide-react/icons/archive'
import ArchiveRestore from 'lucide-react/icons/archive-restore'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Maximize2 from 'lucide-react/icons/maximize-2'
import Merge from 'lucide-react/icons/merge'
import Trash2 from 'lucide-react/icons/trash-2'

import { useState } from 'react'

import { paths } from '../../paths.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Menu, MenuItem, MenuLink } from '../../ui/menu.tsx'
import { useCaseActions } from './use-case-actions.ts'

const MergeDialog = lazyPart(async () => (await import('../duplicates/merge-parts.ts')).MergeDialog, {
  isDialog: true,
})

export interface CaseMenuProps {
  projectId: string
  caseId: string
  isArchived: boolean
  /** Whether it leads to the page of the test case, where a button has no room. */
  hasPageLink?: boolean
  /** Missing where it cannot be deleted. */
  onDelete?: (() => void) | undefined
}

/** What can be done with one test case, for those who may edit it. */
export function CaseMenu({ projectId, caseId, isArchived, hasPageLink = false, onDelete }: CaseMenuProps) {
  const actions = useCaseActions(projectId)
  const [isMerging, setIsMerging] = useState(false)
  return (
    <>
      <Menu align="end" trigger={<IconButton label={`More about ${caseId}`} icon={<Ellipsis />} />}>
        {hasPageLink && (
          <MenuLink icon={<Maximize2 />} to={paths.case(projectId, caseId)}>
            Open the full page
          </MenuLink>
        )}
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
      {isMerging && <MergeDialog projectId={projectId} caseId={caseId} onClose={() => setIsMerging(false)} />}
    </>
  )
}
