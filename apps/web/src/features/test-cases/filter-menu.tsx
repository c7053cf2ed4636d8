import type { ReactElement } from 'react'

import { Count } from '../../ui/count.tsx'
import { Menu, MenuCheckbox } from '../../ui/menu.tsx'
import { toggleItem } from './describe-filter.ts'

export interface FilterMenuProps {
  /** The button that opens it. */
  trigger: ReactElement<Record<string, unknown>>
  options: readonly { value: string; label: string }[]
  chosen: readonly string[]
  /** How many test cases have a value. */
  counts: ReadonlyMap<string, number>
  onChange: (chosen: readonly string[]) => void
}

/** A filter of any number of values. */
export const FilterMenu = ({ trigger, options, chosen, counts, onChange }: FilterMenuProps) => (
  <Menu trigger={trigger}>
    {options.map(({ value, label }) => (
      <MenuCheckbox
        key={value}
        checked={chosen.includes(value)}
        onChange={(isChecked) => onChange(toggleItem(chosen, value, isChecked))}
        detail={<Count value={counts.get(value) ?? 0} />}
      >
        {label}
      </MenuCheckbox>
    ))}
  </Menu>
)
