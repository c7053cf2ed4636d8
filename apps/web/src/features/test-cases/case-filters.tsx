import type { RefObject } from 'react'

import { Button } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { useFields } from '../fields/use-fields.ts'
import { hasFilter, noFilter } from './case-view.ts'
import { priorityOptions, typeOptions } from './case-words.ts'
import type { FilterMenuProps } from './filter-menu.tsx'
import { describeFilter, describeTagFilter } from './describe-filter.ts'
import type { OwnerFilterProps } from './owner-filter.tsx'
import { NO_OWNER } from './search-cases.ts'
import type { TagFilterProps } from './tag-filter.tsx'

export interface CaseFiltersProps extends OwnerFilterProps {
  /** The first filter, for its key. */
  firstFilter?: RefObject<HTMLButtonElement | null>
}

/** Its window is loaded after the rows; until then there is its button alone. */
export const TagFilter = lazyPart(async () => (await import('./tag-filter.tsx')).TagFilter, {
  button: ({ view, facets }: TagFilterProps) => <Button>{describeTagFilter(view, facets.tag)}</Button>,
})

/** Its window is loaded after the rows, too. */
const FilterMenu = lazyPart(async () => (await import('./filter-menu.tsx')).FilterMenu, {
  button: ({ trigger }: FilterMenuProps) => trigger,
})

const OwnerFilter = lazyPart(async () => (await import('./owner-filter.tsx')).OwnerFilter, {
  button: () => <Button>Owner</Button>,
})

/** Only where the project has fields. */
const FieldFilters = lazyPart(async () => (await import('../fields/field-filters.tsx')).FieldFilters)

/** Whether the filter by owner would distinguish anything. */
const hasOwners = ({ view, facets }: Pick<CaseFiltersProps, 'view' | 'facets'>) =>
  view.owner.length > 0 || facets.owner.size > (facets.owner.has(NO_OWNER) ? 1 : 0)

/** The filters of the table: priority, type, tag, the owner where test cases have one, and custom fields. */
export function CaseFilters({ projectId, view, facets, onChange, firstFilter }: CaseFiltersProps) {
  const fields = useFields(projectId)
  return (
    <>
      <FilterMenu
        trigger={<Button ref={firstFilter}>{describeFilter('Priority', priorityOptions, view.priority)}</Button>}
        options={priorityOptions}
        chosen={view.priority}
        counts={facets.priority}
        onChange={(priority) => onChange({ priority: pickValues(priorityOptions, priority) })}
      />
      <FilterMenu
        trigger={<Button>{describeFilter('Type', typeOptions, view.type)}</Button>}
        options={typeOptions.filter(({ value }) => facets.type.has(value) || view.type.includes(value))}
        chosen={view.type}
        counts={facets.type}
        onChange={(type) => onChange({ type: pickValues(typeOptions, type) })}
      />
      <TagFilter view={view} facets={facets} onChange={onChange} />
      {hasOwners({ view, facets }) && <OwnerFilter {...{ projectId, view, facets, onChange }} />}
      {(fields.active.length > 0 || view.field.length > 0) && !fields.isLoading && (
        <FieldFilters {...{ projectId, fields }} filters={view.field} onChange={(field) => onChange({ field })} />
      )}
      {hasFilter(view) && (
        <Button variant="quiet" onClick={() => onChange(noFilter)}>
          Clear
        </Button>
      )}
    </>
  )
}

const pickValues = <V extends string>(options: readonly { value: V }[], chosen: readonly string[]): readonly V[] =>
  options.map(({ value }) => value).filter((value) => chosen.includes(value))
