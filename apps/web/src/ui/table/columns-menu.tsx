import type { ReactElement } from 'react'

import { preferences, usePreference } from '../../use-preferences.ts'
import { Menu, MenuCheckbox, MenuSeparator } from '../menu.tsx'
import type { Column } from './columns.ts'

export interface ColumnsMenuProps {
  /** The button that opens it. */
  trigger: ReactElement<Record<string, unknown>>
  /** The name of the table. */
  name: string
  columns: readonly Pick<Column<never>, 'id' | 'head' | 'isOptional'>[]
  /** Further columns, which are not shown by themselves. */
  more?: readonly MoreColumn[]
}

export interface MoreColumn {
  id: string
  head: string
  isShown: boolean
  onChange: (isShown: boolean) => void
}

const noColumns: readonly MoreColumn[] = []

/** Shows and hides the optional columns of a table. */
export function ColumnsMenu({ trigger, name, columns, more = noColumns }: ColumnsMenuProps) {
  const hidden = usePreference('hiddenColumns')[name] ?? []
  const setHidden = (ids: readonly string[]) => {
    preferences.set({ hiddenColumns: { ...preferences.get().hiddenColumns, [name]: ids } })
  }
  return (
    <Menu align="end" trigger={trigger}>
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
      {more.length > 0 && <MenuSeparator />}
      {more.map(({ id, head, isShown, onChange }) => (
        <MenuCheckbox key={id} checked={isShown} onChange={onChange}>
          {head}
        </MenuCheckbox>
      ))}
    </Menu>
  )
}
