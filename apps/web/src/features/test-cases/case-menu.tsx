import Archive from 'lucide-react/icons/archive'
import ArchiveRestore from 'lucide-react/icons/archive-restore'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Trash2 from 'lucide-react/icons/trash-2'

import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { useCaseActions } from './use-case-actions.ts'

interface CaseMenuProps {
  projectId: string
  caseId: string
  isArchived: boolean
  /** Missing where it cannot be deleted. */
  onDelete?: (() => void) | undefined
}

/** What can be done with one test case, for those who may edit it. */
export function CaseMenu({ projectId, caseId, isArchived, onDelete }: CaseMenuProps) {
  const actions = useCaseActions(projectId)
  return (
    <Menu align="end" trigger={<IconButton label={`More about ${caseId}`} icon={<Ellipsis />} />}>
      <MenuItem
        icon={isArchived ? <ArchiveRestore /> : <Archive />}
        onSelect={() => void actions.archive([caseId], !isArchived)}
      >
        {isArchived ? 'Restore' : 'Archive'}
      </MenuItem>
      {onDelete !== undefined && (
        <MenuItem icon={<Trash2 />} isDanger onSelect={onDelete}>
          Delete
        </MenuItem>
      )}
    </Menu>
  )
}
