import ChevronDown from 'lucide-react/icons/chevron-down'

import { Button } from '../../ui/button.tsx'
import { lazySection } from '../../ui/lazy-section.tsx'
import { Menu, MenuCheckbox } from '../../ui/menu.tsx'
import { AssigneeMenu } from '../assignments/assignee-menu.tsx'
import { priorityOptions } from '../test-cases/case-words.ts'
import { toggleItem } from '../test-cases/describe-filter.ts'
import { FolderSelect } from './folder-select.tsx'
import type { ResultFilter } from './search-results.ts'
import { lacksFields } from './step-mark.tsx'
import type { RunData } from './use-run-data.ts'

const CombinationFilters = lazySection(
  async () => (await import('../configurations/combination-filters.tsx')).CombinationFilters,
)

export interface ResultFiltersProps {
  data: RunData
  /** What the URL has. */
  filter: ResultFilter
  /** The tags to choose from; the filter by tags is missing if there are none. */
  tags: readonly string[]
  onChange: (changes: Partial<ResultFilter>) => void
}

/** The filters of the results of a run, except status and search: folder, priority, assignee and tags. */
export const ResultFilters = ({ data, filter, tags, onChange }: ResultFiltersProps) => (
  <>
    <FolderSelect
      rows={data.stored}
      folders={data.folders}
      value={filter.folder}
      onChange={(folder) => onChange({ folder })}
    />
    <ChoiceMenu
      name="Priority"
      plural="priorities"
      options={priorityOptions}
      chosen={filter.priority}
      onChange={(priority) => onChange({ priority })}
    />
    {data.run.data?.configurations !== undefined && (
      <CombinationFilters configurations={data.run.data.configurations} filter={filter} onChange={onChange} />
    )}
    <AssigneeMenu data={data} value={filter.assigned} onChange={(assigned) => onChange({ assigned })} />
    {(filter.lacks || data.stored.some(lacksFields)) && (
      <Button size="form" aria-pressed={filter.lacks} onClick={() => onChange({ lacks: !filter.lacks })}>
        Fields missing
      </Button>
    )}
    {tags.length > 0 && (
      <ChoiceMenu
        name="Tag"
        plural="tags"
        options={tags.map((tag) => ({ value: tag, label: tag }))}
        chosen={filter.tag}
        onChange={(tag) => onChange({ tag })}
      />
    )}
  </>
)

interface ChoiceMenuProps<V extends string> {
  name: string
  plural: string
  options: readonly { value: V; label: string }[]
  chosen: readonly V[]
  onChange: (chosen: readonly V[]) => void
}

/** A filter of any number of values. */
function ChoiceMenu<V extends string>({ name, plural, options, chosen, onChange }: ChoiceMenuProps<V>) {
  const [only] = chosen
  const label =
    only === undefined
      ? name
      : chosen.length === 1
        ? (options.find(({ value }) => value === only)?.label ?? only)
        : `${chosen.length} ${plural}`
  return (
    <Menu
      align="end"
      trigger={
        <Button size="form" aria-label={`${name}: ${only === undefined ? 'all' : label}`}>
          {label}
          <ChevronDown />
        </Button>
      }
    >
      {options.map(({ value, label: words }) => (
        <MenuCheckbox
          key={value}
          checked={chosen.includes(value)}
          onChange={(isOn) => onChange(toggleItem(chosen, value, isOn))}
        >
          {words}
        </MenuCheckbox>
      ))}
    </Menu>
  )
}
