import Archive from 'lucide-react/icons/archive'
import Copy from 'lucide-react/icons/copy'
import FileUp from 'lucide-react/icons/file-up'
import ListTree from 'lucide-react/icons/list-tree'
import type { ReactElement } from 'react'

import { paths } from '../../paths.ts'
import { Menu, MenuLink, MenuSeparator } from '../../ui/menu.tsx'
import { ExportItems } from '../transfer/export-items.tsx'
import type { Export } from '../transfer/use-export.ts'

export interface CaseTransferMenuProps {
  projectId: string
  mayImport: boolean
  transfer: Export
  /** Whether the test cases have custom fields. */
  offersKeys: boolean
  /** The button that opens it. */
  trigger: ReactElement<Record<string, unknown>>
}

/** Import of test cases, export of what the filters show, and the way to archived ones. */
export const CaseTransferMenu = ({ projectId, mayImport, transfer, offersKeys, trigger }: CaseTransferMenuProps) => (
  <Menu align="end" trigger={trigger}>
    {mayImport && (
      <MenuLink icon={<FileUp />} to={paths.importCases(projectId)}>
        Import test cases
      </MenuLink>
    )}
    <ExportItems transfer={transfer} offersKeys={offersKeys} />
    <MenuSeparator />
    <MenuLink icon={<ListTree />} to={paths.sharedSteps(projectId)}>
      Shared steps
    </MenuLink>
    <MenuLink icon={<Copy />} to={paths.duplicates(projectId)}>
      Duplicates
    </MenuLink>
    <MenuLink icon={<Archive />} to={paths.archivedCases(projectId)}>
      Archived test cases
    </MenuLink>
  </Menu>
)
