import Download from 'lucide-react/icons/download'
import { useRef } from 'react'

import { Button, ButtonLink } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { useKeys } from '../../use-keys.ts'
import { getActionOptions, parseAction } from './audit-actions.ts'
import { type AuditView, buildCsvPath, hasAuditFilter, isRangeEmpty, toAuditFilter } from './audit-filter.ts'
import styles from './audit.module.css'
import type { AuditPerson } from './find-people.ts'
import { PersonFilter } from './person-filter.tsx'

interface AuditToolBarProps {
  projectId: string | null
  view: AuditView
  actors: readonly AuditPerson[]
  onChange: (changes: Partial<AuditView>) => void
}

/** Select elements have text values only. */
const ALL = ''
export const NO_FILTER = { actor: null, action: null, from: null, to: null } as const

/** The filters of the audit log, and the file with everything that they find. */
export function AuditToolBar({ projectId, view, actors, onChange }: AuditToolBarProps) {
  const person = useRef<HTMLButtonElement>(null)
  useKeys({ filter: () => person.current?.focus() })
  const actionOptions = [{ value: ALL, label: 'All changes' }, ...getActionOptions(projectId !== null)]
  return (
    <search className={styles.toolBar}>
      <PersonFilter
        projectId={projectId}
        actors={actors}
        value={view.actor}
        onChange={(actor) => onChange({ actor })}
        button={person}
      />
      <Select
        label="Change"
        isLabelHidden
        className={styles.action}
        value={parseAction(view.action) ?? ALL}
        options={actionOptions}
        onChange={(action) => onChange({ action: action === ALL ? null : action })}
      />
      <TextField
        label="From"
        type="date"
        className={styles.day}
        max={view.to ?? undefined}
        value={view.from ?? ''}
        onChange={(event) => onChange({ from: event.target.value || null })}
      />
      <TextField
        label="To"
        type="date"
        className={styles.day}
        min={view.from ?? undefined}
        value={view.to ?? ''}
        onChange={(event) => onChange({ to: event.target.value || null })}
      />
      <div className={styles.ends}>
        {hasAuditFilter(view) && (
          <Button variant="quiet" onClick={() => onChange(NO_FILTER)}>
            Clear
          </Button>
        )}
        {!isRangeEmpty(view) && (
          <ButtonLink
            className={styles.download}
            icon={<Download />}
            to={buildCsvPath(projectId, toAuditFilter(view))}
            reloadDocument
            download
          >
            Download CSV
          </ButtonLink>
        )}
      </div>
    </search>
  )
}
