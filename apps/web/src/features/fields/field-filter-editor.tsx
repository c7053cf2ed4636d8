import type { Field } from '@caseward/client/endpoints'

import { Checkbox } from '../../ui/checkbox.tsx'
import { TextField } from '../../ui/field.tsx'
import styles from '../test-cases/cases.module.css'
import { usePeople } from '../test-cases/use-people.ts'
import { DateField } from './field-control.tsx'
import { type FilterKind, formatFieldFilter, parseFieldFilters } from './field-filter.ts'
import { NumberField } from './number-field.tsx'
import { OptionList, type PickerOption } from './option-picker.tsx'

interface FieldFilterEditorProps {
  projectId: string
  field: Field
  /** All filters; those of other fields are left alone. */
  filters: readonly string[]
  /** Called with the filters of this field. */
  onChange: (own: readonly string[]) => void
}

const NO_VALUE = { value: 'none', label: 'No value' }

/** Which values of a custom field a filter leaves: some of its options, a range, or a part of its text. */
export function FieldFilterEditor({ projectId, field, filters, onChange }: FieldFilterEditorProps) {
  const { owners, getPerson } = usePeople(projectId, field.type === 'user')
  const own = parseFieldFilters(filters).filter(({ key }) => key === field.key)
  const get = (kind: FilterKind) => own.find((filter) => filter.kind === kind)?.value ?? ''
  const values = own.filter(({ kind }) => kind === 'equals').map(({ value }) => value)
  /** Replaces one kind. A value and none at the same time would match nothing. */
  const set = (kind: FilterKind, next: readonly string[]) =>
    onChange(
      [
        ...own.filter((filter) => filter.kind !== kind && filter.kind !== 'equals'),
        ...next.filter((value) => value !== '').map((value) => ({ key: field.key, kind, value })),
      ].map(formatFieldFilter),
    )
  if (field.type === 'select' || field.type === 'multi_select' || field.type === 'checkbox' || field.type === 'user') {
    const people = [...new Set([...owners.map(({ id }) => id), ...values.filter((value) => value !== NO_VALUE.value)])]
    const options: readonly PickerOption[] =
      field.type === 'user'
        ? people.map((value) => ({ value, label: getPerson(value) || 'Unknown' }))
        : field.type === 'checkbox'
          ? [
              { value: 'true', label: 'Yes' },
              { value: 'false', label: 'No' },
            ]
          : (field.options ?? []).map(({ key, label, is_retired: isRetired }) => ({
              value: key,
              label: isRetired ? `${label} (retired)` : label,
            }))
    return (
      <OptionList
        noun={field.type === 'user' ? 'people' : 'options'}
        options={[...options, NO_VALUE]}
        chosen={values}
        onChange={(chosen) =>
          onChange(chosen.map((value) => formatFieldFilter({ key: field.key, kind: 'equals', value })))
        }
      />
    )
  }
  return (
    <div className={styles.form} style={{ gap: 12, marginBlockStart: 4 }}>
      {field.type === 'number' &&
        limits.map(([kind, label]) => (
          <NumberField
            key={kind}
            label={label}
            value={get(kind) === '' ? null : Number(get(kind))}
            onChange={(value) => set(kind, value === null ? [] : [String(value)])}
          />
        ))}
      {field.type === 'date' &&
        limits.map(([kind, label]) => (
          <DateField
            key={kind}
            label={label}
            value={get(kind)}
            onChange={(value) => set(kind, [value])}
            onDone={() => {}}
          />
        ))}
      {(field.type === 'text' || field.type === 'url') && (
        <TextField
          label="Contains"
          maxLength={255}
          value={get('contains')}
          onChange={({ target }) => set('contains', [target.value])}
        />
      )}
      <Checkbox
        label={NO_VALUE.label}
        checked={values.includes(NO_VALUE.value)}
        onChange={(isChecked) =>
          onChange(isChecked ? [formatFieldFilter({ key: field.key, kind: 'equals', value: NO_VALUE.value })] : [])
        }
      />
    </div>
  )
}

const limits = [
  ['min', 'From'],
  ['max', 'To'],
] as const
