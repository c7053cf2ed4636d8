import Columns3 from 'lucide-react/icons/columns-3'

import { preferences, usePreference } from '../../use-preferences.ts'
import { Button } from '../button.tsx'
import { Menu, MenuCheckbox } from '../menu.tsx'
import type { Column } from './columns.ts'

interface ColumnsMenuProps {
  /** The name of the table. */
  name: string
  columns: readonly Pick<Column<never>, 'id' | 'head' | 'isOptional'>[]
}

/** Shows and hides the optional columns of a table. */
export function ColumnsMenu({ name, columns }: ColumnsMenuProps) {
  const hidden = usePreference('hiddenColumns')[name] ?? []
  const setHidden = (ids: readonly string[]) => {
    preferences.set({ hiddenColumns: { ...preferences.get().hiddenColumns, [name]: ids } })
  }
  return (
    <Menu align="end" trigger={<Button icon={<Columns3 />}>Columns</Button>}>
      {columns
        .filter(({ isOptional }) => isOptional === true)
        .map(({ id, head }) => (
          <MenuCheckbox
            key={id}
            checked={!hidden.includes(id)}
            onChange={(isShown) => setHidden(isShown ? hidden.filter((other) => other !== id) : [...hidden, id])}
          >
            {head}
          </MenuCheckbox>
        ))}
    </Menu>
  )
}
