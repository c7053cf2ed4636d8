import { type ReactNode, useRef } from 'react'

import { TextField } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { useKeys } from '../../use-keys.ts'
import { runStatusNames } from './run-words.ts'
import styles from './runs.module.css'
import type { RunsList, RunsView } from './use-runs-list.ts'

interface RunsToolBarProps {
  view: RunsView
  milestones: RunsList['milestones']
  onChange: (changes: Partial<RunsView>) => void
  /** What stands behind the filters. */
  children?: ReactNode
}

const statusOptions = [
  { value: 'all', label: 'All runs' },
  { value: 'in_progress', label: runStatusNames.in_progress },
  { value: 'completed', label: runStatusNames.completed },
] as const satisfies readonly { value: RunsView['status']; label: string }[]

/** Select elements have text values only. */
const ALL = ''

/** The filters of the list of runs. Each starts again at the first page. */
export function RunsToolBar({ view, milestones, onChange, children }: RunsToolBarProps) {
  const search = useRef<HTMLInputElement>(null)
  const status = useRef<HTMLSelectElement>(null)
  useKeys({ search: () => search.current?.focus(), filter: () => status.current?.focus() })
  const milestoneOptions = [
    { value: ALL, label: 'All milestones' },
    ...milestones.map(({ id, name }) => ({ value: id, label: name })),
    // A link to a milestone that was deleted, or that is not among the first 100.
    ...(view.milestone === null || milestones.some(({ id }) => id === view.milestone)
      ? []
      : [{ value: view.milestone, label: 'Another milestone' }]),
  ]
  return (
    <search className={styles.toolBar}>
      <Select
        ref={status}
        label="Status"
        isLabelHidden
        className={styles.filter}
        value={view.status}
        options={statusOptions}
        onChange={(value) => onChange({ status: value, page: 1 })}
      />
      {(milestones.length > 0 || view.milestone !== null) && (
        <Select
          label="Milestone"
          isLabelHidden
          className={styles.filter}
          value={view.milestone ?? ALL}
          options={milestoneOptions}
          onChange={(value) => onChange({ milestone: value === ALL ? null : value, page: 1 })}
        />
      )}
      <TextField
        ref={search}
        label="Search runs"
        isLabelHidden
        type="search"
        placeholder="Search"
        maxLength={255}
        className={styles.search}
        value={view.q}
        onChange={({ target }) => onChange({ q: target.value, page: 1 })}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur()
        }}
      />
      {children}
    </search>
  )
}
