import ChevronDown from 'lucide-react/icons/chevron-down'
import { useMemo } from 'react'

import { Button } from '../../ui/button.tsx'
import { Menu, MenuRadioGroup } from '../../ui/menu.tsx'
import { NOBODY } from '../runs/search-results.ts'
import type { RunData } from '../runs/use-run-data.ts'

interface AssigneeMenuProps {
  data: RunData
  /** The id of a user, `me`, or `nobody`; null for all. */
  value: string | null
  onChange: (value: string | null) => void
}

const ANYBODY = 'anybody'

/** Chooses whose results a list shows. Not there while nothing is assigned. */
export function AssigneeMenu({ data: { stored, myId, getPerson }, value, onChange }: AssigneeMenuProps) {
  const ids = useMemo(() => [...new Set(stored.flatMap(({ assigned_to: id }) => id ?? []))], [stored])
  if (ids.length === 0 && value === null) return null
  const others = ids
    .filter((id) => id !== myId)
    .map((id) => ({ value: id, label: getPerson(id) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'en'))
  const options = [
    { value: ANYBODY, label: 'Anybody' },
    { value: 'me', label: 'Me' },
    ...others,
    { value: NOBODY, label: 'Nobody' },
  ]
  const chosen = value === myId ? 'me' : value
  const label = chosen === null ? 'Assigned' : (options.find((option) => option.value === chosen)?.label ?? 'Someone')
  return (
    <Menu
      align="end"
      trigger={
        <Button size="form" aria-label={`Assigned to: ${chosen === null ? 'anybody' : label}`}>
          {chosen === 'me' ? 'Assigned to me' : label}
          <ChevronDown />
        </Button>
      }
    >
      <MenuRadioGroup
        value={chosen ?? ANYBODY}
        options={options}
        onChange={(next) => onChange(next === ANYBODY ? null : next)}
      />
    </Menu>
  )
}
