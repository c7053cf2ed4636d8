import { useMemo } from 'react'

import { Button } from '../../ui/button.tsx'
import { describeFilter } from './describe-filter.ts'
import { FilterMenu } from './filter-menu.tsx'
import { NO_OWNER } from './search-cases.ts'
import type { TagFilterProps } from './tag-filter.tsx'
import { usePeople } from './use-people.ts'

export interface OwnerFilterProps extends TagFilterProps {
  projectId: string
}

/** Chooses test cases by who keeps them up to date. */
export function OwnerFilter({ projectId, view, facets, onChange }: OwnerFilterProps) {
  const { getPerson } = usePeople(projectId)
  const options = useMemo(() => {
    const ids = new Set([...facets.owner.keys(), ...view.owner])
    ids.delete(NO_OWNER)
    const people = [...ids].map((value) => ({ value, label: getPerson(value) }))
    return [{ value: NO_OWNER, label: 'Nobody' }, ...people.toSorted((a, b) => a.label.localeCompare(b.label, 'en'))]
  }, [facets, view.owner, getPerson])
  return (
    <FilterMenu
      trigger={<Button>{describeFilter('Owner', options, view.owner)}</Button>}
      options={options}
      chosen={view.owner}
      counts={facets.owner}
      onChange={(owner) => onChange({ owner })}
    />
  )
}
