import type { RefObject } from 'react'

import { Button } from '../../ui/button.tsx'
import { Count } from '../../ui/count.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Menu, MenuCheckbox } from '../../ui/menu.tsx'
import { hasFilter, noFilter } from './case-view.ts'
import { priorityOptions, typeOptions } from './case-words.ts'
import { describeFilter, describeTagFilter, toggleItem } from './describe-filter.ts'
import type { CaseFacets, CaseView } from './search-cases.ts'

export interface CaseFiltersProps {
  view: CaseView
  facets: CaseFacets
  onChange: (changes: Partial<CaseView>) => void
  /** The first filter, for its key. */
  firstFilter?: RefObject<HTMLButtonElement | null>
}

/** Its window is loaded after the rows; until then there is its button alone. */
export const TagFilter = lazyPart(async () => (await import('./tag-filter.tsx')).TagFilter, {
  fallback: ({ view }: CaseFiltersProps) => <Button>{describeTagFilter(view)}</Button>,
})

/** The filters of the table: priority, type and tag. */
export const CaseFilters = ({ view, facets, onChange, firstFilter }: CaseFiltersProps) => (
  <>
    <Menu trigger={<Button ref={firstFilter}>{describeFilter('Priority', priorityOptions, view.priority)}</Button>}>
      {priorityOptions.map(({ value, label }) => (
        <MenuCheckbox
          key={value}
          checked={view.priority.includes(value)}
          onChange={(isChecked) => onChange({ priority: toggleItem(view.priority, value, isChecked) })}
          detail={<Count value={facets.priority.get(value) ?? 0} />}
        >
          {label}
        </MenuCheckbox>
      ))}
    </Menu>
    <Menu trigger={<Button>{describeFilter('Type', typeOptions, view.type)}</Button>}>
      {typeOptions
        .filter(({ value }) => facets.type.has(value) || view.type.includes(value))
        .map(({ value, label }) => (
          <MenuCheckbox
            key={value}
            checked={view.type.includes(value)}
            onChange={(isChecked) => onChange({ type: toggleItem(view.type, value, isChecked) })}
            detail={<Count value={facets.type.get(value) ?? 0} />}
          >
            {label}
          </MenuCheckbox>
        ))}
    </Menu>
    <TagFilter view={view} facets={facets} onChange={onChange} />
    {hasFilter(view) && (
      <Button variant="quiet" onClick={() => onChange(noFilter)}>
        Clear
      </Button>
    )}
  </>
)
