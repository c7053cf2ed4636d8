import type { ResultStatus, RunConfiguration } from '@caseward/client/endpoints'
import ChevronDown from 'lucide-react/icons/chevron-down'

import { Button } from '../../ui/button.tsx'
import { Menu, MenuCheckbox, MenuRadioGroup } from '../../ui/menu.tsx'
import { statuses, statusNames } from '../../ui/status/statuses.ts'
import type { ResultFilter } from '../runs/search-results.ts'

interface CombinationFiltersProps {
  configurations: readonly RunConfiguration[]
  filter: ResultFilter
  onChange: (changes: Partial<ResultFilter>) => void
}

const ANY = 'any'

/** Filters of the results of a run by what they are tested with, and by what came of that. */
export function CombinationFilters({ configurations, filter, onChange }: CombinationFiltersProps) {
  const { configuration, combination_status: chosen } = filter
  const name =
    configuration === null
      ? 'Configuration'
      : (configurations.find(({ place }) => String(place) === configuration)?.name ?? 'Removed configuration')
  const [only] = chosen
  const status =
    only === undefined
      ? 'Combination'
      : chosen.length === 1
        ? `With ${statusNames[only].toLowerCase()}`
        : 'With 2 or more'
  const toggle = (value: ResultStatus, isOn: boolean) =>
    onChange({
      combination_status: isOn ? [...chosen, value] : chosen.filter((other) => other !== value),
    })
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button size="form" aria-label={`Configuration: ${configuration === null ? 'any' : name}`}>
            <span style={{ maxWidth: 160, overflow: 'hidden', textOverflow: 'ellipsis' }}>{name}</span>
            <ChevronDown />
          </Button>
        }
      >
        <MenuRadioGroup
          value={configuration ?? ANY}
          options={[
            { value: ANY, label: 'Any configuration' },
            ...configurations.map(({ place, name: label }) => ({ value: String(place), label })),
          ]}
          onChange={(next) => onChange({ configuration: next === ANY ? null : next })}
        />
      </Menu>
      <Menu
        align="end"
        trigger={
          <Button
            size="form"
            aria-label={`Status of a combination: ${chosen.length === 0 ? 'any' : chosen.map((value) => statusNames[value]).join(', ')}`}
          >
            {status}
            <ChevronDown />
          </Button>
        }
      >
        {statuses.map((value) => (
          <MenuCheckbox key={value} checked={chosen.includes(value)} onChange={(isOn) => toggle(value, isOn)}>
            {statusNames[value]}
          </MenuCheckbox>
        ))}
      </Menu>
    </>
  )
}
