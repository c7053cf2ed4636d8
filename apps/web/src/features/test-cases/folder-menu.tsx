import type { Folder } from '@caseward/client/endpoints'
import FolderInput from 'lucide-react/icons/folder-input'
import FolderPlus from 'lucide-react/icons/folder-plus'
import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash-2'
import type { ReactElement } from 'react'

import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'

export interface FolderMenuProps {
  folder: Folder
  /** The button that opens it. */
  trigger: ReactElement<Record<string, unknown>>
  onCreate: (parentId: string | null) => void
  onAskName: (folder: Folder) => void
  onAskPlace: (folder: Folder) => void
  onDelete: (folder: Folder) => void
}

/** What can be done with a folder. */
export const FolderMenu = ({ folder, trigger, onCreate, onAskName, onAskPlace, onDelete }: FolderMenuProps) => (
  <Menu align="end" trigger={trigger}>
    <MenuItem icon={<FolderPlus />} onSelect={() => onCreate(folder.id)}>
      New subfolder
    </MenuItem>
    <MenuItem icon={<Pencil />} shortcut="F2" onSelect={() => onAskName(folder)}>
      Rename
    </MenuItem>
    <MenuItem icon={<FolderInput />} onSelect={() => onAskPlace(folder)}>
      Move to…
    </MenuItem>
    <MenuSeparator />
    <MenuItem icon={<Trash2 />} shortcut="Delete" isDanger onSelect={() => onDelete(folder)}>
      Delete
    </MenuItem>
  </Menu>
)
