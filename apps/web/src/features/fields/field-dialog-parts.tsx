import type { FieldSubject, ResultStatus } from '@caseward/client/endpoints'

import { Checkbox } from '../../ui/checkbox.tsx'
import { TextField } from '../../ui/field.tsx'
import styles from '../../ui/form-page.module.css'
import { statusNames } from '../../ui/status/statuses.ts'
import type { FieldDraft } from './field-draft.ts'

export const newTitles: Record<FieldSubject, string> = {
  case: 'New field',
  result: 'New field of results',
  run: 'New field of runs',
}

/** Those that someone has set; nothing is known of what is not tested. */
const askingStatuses: readonly ResultStatus[] = ['failed', 'blocked', 'retest', 'passed']

/** The statuses that need a value before a run is completed. */
export function RequiredOn({
  chosen,
  onChange,
}: {
  chosen: readonly ResultStatus[]
  onChange: (statuses: readonly ResultStatus[]) => void
}) {
  const toggle = (status: ResultStatus, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, status] : chosen.filter((other) => other !== status))
  return (
    <fieldset style={{ border: 0, margin: 0, padding: 0, display: 'grid', gap: 8 }}>
      <legend style={{ padding: 0, fontWeight: 600 }}>Needed for</legend>
      <p className={styles.muted}>
        Setting a status never asks for it. Completing a run names the results that lack it.
      </p>
      <div style={{ display: 'flex', flexWrap: 'wrap', gap: '8px 16px' }}>
        {askingStatuses.map((status) => (
          <Checkbox
            key={status}
            label={statusNames[status]}
            checked={chosen.includes(status)}
            onChange={(isChosen) => toggle(status, isChosen)}
          />
        ))}
      </div>
    </fieldset>
  )
}

interface LimitsProps {
  draft: FieldDraft
  getError: (name: string) => string | undefined
  onChange: (changes: Partial<FieldDraft>) => void
}

/** The limits of a number. */
export const Limits = ({ draft, getError, onChange }: LimitsProps) => (
  <div style={{ display: 'grid', gridTemplateColumns: 'repeat(auto-fit, minmax(110px, 1fr))', gap: 12 }}>
    {(
      [
        ['min', 'Smallest'],
        ['max', 'Largest'],
        ['decimals', 'Decimal places'],
      ] as const
    ).map(([name, label]) => (
      <TextField
        key={name}
        label={label}
        inputMode="decimal"
        placeholder="Any"
        maxLength={24}
        value={draft[name]}
        error={getError(name)}
        onChange={({ target }) => onChange({ [name]: target.value })}
      />
    ))}
  </div>
)
