import ListFilter from 'lucide-react/icons/list-filter'
import { type RefObject, useMemo, useState } from 'react'

import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Count } from '../../ui/count.tsx'
import { TextField } from '../../ui/field.tsx'
import { Menu, MenuCheckbox } from '../../ui/menu.tsx'
import { Popover } from '../../ui/popover.tsx'
import { toSearchWords } from '../../row-index/search-text.ts'
import styles from './cases.module.css'
import { hasFilter, noFilter } from './case-view.ts'
import { priorityOptions, typeOptions } from './case-words.ts'
import type { CaseFacets, CaseView } from './search-cases.ts'

interface CaseFiltersProps {
  view: CaseView
  facets: CaseFacets
  onChange: (changes: Partial<CaseView>) => void
  /** The first filter, for its key. */
  firstFilter?: RefObject<HTMLButtonElement | null>
}

/** The filters of the table: priority, type and tag. */
export const CaseFilters = ({ view, facets, onChange, firstFilter }: CaseFiltersProps) => (
  <>
    <Menu trigger={<Button ref={firstFilter}>{describe('Priority', priorityOptions, view.priority)}</Button>}>
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
    <Menu trigger={<Button>{describe('Type', typeOptions, view.type)}</Button>}>
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

/** All filters behind one button, for narrow windows. */
export function CaseFiltersPopover({ view, facets, onChange, firstFilter }: CaseFiltersProps) {
  const [isOpen, setIsOpen] = useState(false)
  const count = view.priority.length + view.type.length + view.tag.length
  return (
    <Popover
      label="Filters"
      align="end"
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <Button ref={firstFilter} icon={<ListFilter />}>
          {count === 0 ? 'Filter' : `Filter ${count}`}
        </Button>
      }
    >
      <div className={styles.filterList}>
        <CaseFilters view={view} facets={facets} onChange={onChange} />
      </div>
    </Popover>
  )
}

/** The most tags that the list shows; the search finds the others. */
const MAX_SHOWN = 100

function TagFilter({ view, facets, onChange }: CaseFiltersProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [search, setSearch] = useState('')
  const words = toSearchWords(search)
  const tags = useMemo(() => [...facets.tag].toSorted(([, a], [, b]) => b - a), [facets])
  const shown = tags.filter(([tag]) => words.every((word) => tag.toLowerCase().includes(word))).slice(0, MAX_SHOWN)
  const chosen = view.tag.filter((tag) => !shown.some(([name]) => name === tag))
  return (
    <Popover
      label="Tags"
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <Button>
          {describe(
            'Tag',
            view.tag.map((tag) => ({ value: tag, label: tag })),
            view.tag,
          )}
        </Button>
      }
    >
      <TextField
        label="Find a tag"
        isLabelHidden
        type="search"
        placeholder="Find a tag"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <ul className={styles.tagList}>
        {[...chosen.map((tag) => [tag, facets.tag.get(tag) ?? 0] as const), ...shown].map(([tag, count]) => (
          <li key={tag} className={styles.tagItem}>
            <Checkbox
              label={tag}
              checked={view.tag.includes(tag)}
              onChange={(isChecked) => onChange({ tag: toggleItem(view.tag, tag, isChecked) })}
            />
            <span className={styles.tagCount}>
              <Count value={count} />
            </span>
          </li>
        ))}
      </ul>
      {shown.length === 0 && chosen.length === 0 && (
        <p className={styles.hint}>{tags.length === 0 ? 'No test case has a tag.' : 'No tag matches.'}</p>
      )}
    </Popover>
  )
}

/** “Priority”, “Priority: High” or “Priority: 2”. */
function describe<V extends string>(
  name: string,
  options: readonly { value: V; label: string }[],
  chosen: readonly V[],
): string {
  if (chosen.length === 0) return name
  if (chosen.length > 1) return `${name}: ${chosen.length}`
  const label = options.find(({ value }) => value === chosen[0])?.label ?? ''
  return `${name}: ${label.length > 24 ? `${label.slice(0, 23)}…` : label}`
}

const toggleItem = <V,>(items: readonly V[], item: V, isIn: boolean): readonly V[] =>
  isIn ? [...items, item] : items.filter((other) => other !== item)
