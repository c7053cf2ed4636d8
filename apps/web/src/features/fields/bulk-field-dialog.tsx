import type { Field, TestCaseRow } from '@caseward/client/endpoints'
import { useState } from 'react'

import { FormDialog } from '../../ui/form-dialog.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import { Segmented } from '../../ui/segmented.tsx'
import { Select } from '../../ui/select.tsx'
import styles from '../test-cases/cases.module.css'
import type { CaseChange } from '../test-cases/use-case-actions.ts'
import { usePeople } from '../test-cases/use-people.ts'
import { FieldControl } from './field-control.tsx'
import { type FieldValue, formatFieldValue } from './field-words.ts'
import { useFields } from './use-fields.ts'

export interface BulkFieldDialogProps {
  projectId: string
  rows: readonly TestCaseRow[]
  onChange: (change: CaseChange, words: string) => void
  onClose: () => void
}

/** How the options of a field with several change. */
const ways = [
  { value: 'set', label: 'Replace' },
  { value: 'add', label: 'Add' },
  { value: 'remove', label: 'Remove' },
] as const
type Way = (typeof ways)[number]['value']

/** Sets a custom field of several test cases, or adds and removes options. */
export function BulkFieldDialog({ projectId, rows, onChange, onClose }: BulkFieldDialogProps) {
  const { active } = useFields(projectId)
  const [key, setKey] = useState(active[0]?.key ?? '')
  const field = active.find((item) => item.key === key)
  const [value, setValue] = useState<Exclude<FieldValue, undefined>>(null)
  const [way, setWay] = useState<Way>('set')
  const { getPerson } = usePeople(projectId, field?.type === 'user')
  const [first] = rows
  const subject = rows.length === 1 && first !== undefined ? first.id : formatNumberOf(rows.length, 'test case')
  const isList = field?.type === 'multi_select'
  const isMissing = field !== undefined && value === null && (field.is_required || (isList && way !== 'set'))
  function apply(): void {
    if (field === undefined || isMissing) return
    onClose()
    const keys = Array.isArray(value) ? [...value] : []
    const label = formatFieldValue(field, value, getPerson)
    if (isList && way === 'add') onChange({ add_options: { [field.key]: keys } }, `${label} added to ${subject}`)
    else if (isList && way === 'remove') {
      onChange({ remove_options: { [field.key]: keys } }, `${label} removed from ${subject}`)
    } else {
      const words = value === null ? 'removed' : `set to ${shorten(label)}`
      const sent = typeof value === 'object' && value !== null ? [...value] : value
      onChange({ set: { fields: { [field.key]: sent } } }, `${field.name} of ${subject} ${words}`)
    }
  }
  const choose = (next: string) => {
    setKey(next)
    setValue(null)
    setWay('set')
  }
  return (
    <FormDialog
      onClose={onClose}
      title={`A field of ${subject}`}
      size="small"
      submitLabel="Apply"
      isDisabled={field === undefined || isMissing}
      className={styles.form}
      onSubmit={apply}
    >
      <Select label="Field" value={key} options={active.map(toOption)} onChange={choose} />
      {isList && <Segmented<Way> label="What happens to the options" value={way} options={ways} onChange={setWay} />}
      {field !== undefined && (
        <FieldControl
          key={field.key}
          projectId={projectId}
          field={field}
          label={isList ? 'Options' : 'Value'}
          value={value}
          {...(field.is_required ? {} : isList ? {} : { hint: 'Without a value, the field is emptied.' })}
          onChange={setValue}
        />
      )}
    </FormDialog>
  )
}

const toOption = ({ key, name }: Field) => ({ value: key, label: name })

const shorten = (text: string) => (text.length > 60 ? `${text.slice(0, 59)}…` : text)
