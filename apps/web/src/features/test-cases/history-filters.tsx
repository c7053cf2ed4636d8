import type { ResultStatus } from '@caseward/client/endpoints'
import { type SubmitEvent, useId, useState } from 'react'

import { TextField } from '../../ui/field.tsx'
import { Select, type SelectOption } from '../../ui/select.tsx'
import { statusNames } from '../../ui/status/statuses.ts'
import styles from './case-history.module.css'
import type { HistoryFilter } from './searched-history-query.ts'

type StatusChoice = 'all' | 'not_passed' | Exclude<ResultStatus, 'not_tested'>

const NOT_PASSED = ['failed', 'blocked', 'retest'] as const satisfies ResultStatus[]

const OPTIONS: readonly SelectOption<StatusChoice>[] = [
  { value: 'all', label: 'All results' },
  { value: 'not_passed', label: 'Not passed' },
  ...(['passed', ...NOT_PASSED] as const).map((value) => ({ value, label: statusNames[value] })),
]

const toStatuses = (choice: StatusChoice): readonly ResultStatus[] =>
  choice === 'all' ? [] : choice === 'not_passed' ? NOT_PASSED : [choice]

/** Chooses results by status and branch. */
export function HistoryFilters({
  branches,
  onChange,
}: {
  /** Branches that are known, as suggestions. */
  branches: readonly string[]
  onChange: (filter: HistoryFilter) => void
}) {
  const [choice, setChoice] = useState<StatusChoice>('all')
  const [branch, setBranch] = useState('')
  const listId = useId()
  const apply = (statuses: StatusChoice, name: string) =>
    onChange({ statuses: toStatuses(statuses), branch: name.trim() })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    apply(choice, branch)
  }
  return (
    <form className={styles.usage} onSubmit={submit}>
      <Select<StatusChoice>
        className={styles.text}
        label="Results"
        isLabelHidden
        value={choice}
        options={OPTIONS}
        onChange={(value) => {
          setChoice(value)
          apply(value, branch)
        }}
      />
      <TextField
        className={styles.text}
        label="Branch"
        isLabelHidden
        placeholder="Branch"
        list={listId}
        maxLength={255}
        value={branch}
        onChange={({ target }) => {
          setBranch(target.value)
          // Chosen from the list, or emptied: there is nothing more to type.
          if (target.value === '' || branches.includes(target.value)) apply(choice, target.value)
        }}
        onBlur={() => apply(choice, branch)}
      />
      <datalist id={listId}>
        {branches.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </datalist>
    </form>
  )
}
