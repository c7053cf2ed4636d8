import FileUp from 'lucide-react/icons/file-up'
import type { ReactElement } from 'react'

import { paths } from '../../paths.ts'
import { Menu, MenuLink } from '../../ui/menu.tsx'
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

/** Import of test cases, and export of what the filters show. */
export const CaseTransferMenu = ({ projectId, mayImport, transfer, offersKeys, trigger }: CaseTransferMenuProps) => (
  <Menu align="end" trigger={trigger}>
    {mayImport && (
      <MenuLink icon={<FileUp />} to={paths.importCases(projectId)}>
        Import test cases
      </MenuLink>
    )}
    <ExportItems transfer={transfer} offersKeys={offersKeys} />
  </Menu>
)
