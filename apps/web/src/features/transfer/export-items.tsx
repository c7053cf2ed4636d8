import FileSpreadsheet from 'lucide-react/icons/file-spreadsheet'

import { MenuItem } from '../../ui/menu.tsx'
import type { Export } from './use-export.ts'

/** Items of a menu that export what the page shows. */
export const ExportItems = ({ transfer, offersKeys = false }: { transfer: Export; offersKeys?: boolean }) => (
  <>
    <MenuItem
      icon={<FileSpreadsheet />}
      isDisabled={!transfer.isReady || transfer.progress !== null}
      onSelect={() => transfer.start('csv')}
    >
      Export as CSV
    </MenuItem>
    <MenuItem
      icon={<FileSpreadsheet />}
      isDisabled={!transfer.isReady || transfer.progress !== null}
      onSelect={() => transfer.start('excel')}
    >
      Export as Excel
    </MenuItem>
    {offersKeys && (
      <MenuItem
        icon={<FileSpreadsheet />}
        isDisabled={!transfer.isReady || transfer.progress !== null}
        onSelect={() => transfer.start('excel', { hasKeys: true })}
      >
        Export as Excel with keys
      </MenuItem>
    )}
  </>
)
