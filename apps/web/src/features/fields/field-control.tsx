import type { Field } from '@caseward/client/endpoints'
import { useState } from 'react'

import { Button } from '../../ui/button.tsx'
import { Field as Labelled, TextField } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import styles from '../test-cases/case-editor.module.css'
import { usePeople } from '../test-cases/use-people.ts'
import { type FieldValue, formatFieldValue } from './field-words.ts'
import { NumberField } from './number-field.tsx'
import { OptionPicker, type PickerOption } from './option-picker.tsx'

export interface FieldControlProps {
  projectId: string
  field: Field
  value: FieldValue
  /** In place of the name of the field. */
  label?: string
  hint?: string | undefined
  error?: string | null | undefined
  /** Called with each change; null for no value. */
  onChange: (value: Exclude<FieldValue, undefined>) => void
  /** Called when a value is complete: it was chosen, or its field was left. */
  onDone?: () => void
}

const MAX_TEXT = 1000
const MAX_URL = 2048
const MAX_LONG_TEXT = 65_536
/** More options are chosen in a list with a search. */
const MAX_IN_SELECT = 20

/** The control of a custom field, by its type. */
export function FieldControl(props: FieldControlProps) {
  const { field, value, error, onChange, onDone = () => {} } = props
  const label = props.label ?? (field.is_required ? `${field.name} (required)` : field.name)
  const look = { label, error, ...(props.hint ? { hint: props.hint } : {}) }
  const choose = (chosen: Exclude<FieldValue, undefined>) => {
    onChange(chosen)
    onDone()
  }
  const type = (text: string) => onChange(text.trim() === '' ? null : text)
  const text = typeof value === 'string' ? value : ''
  switch (field.type) {
    case 'text':
    case 'url':
      return (
        <TextField
          {...look}
          value={text}
          inputMode={field.type === 'url' ? 'url' : 'text'}
          placeholder={field.type === 'url' ? 'https://' : undefined}
          maxLength={field.type === 'url' ? MAX_URL : MAX_TEXT}
          onChange={({ target }) => type(target.value)}
          onBlur={onDone}
        />
      )
    case 'long_text':
      return (
        <TextArea
          {...look}
          value={text}
          limit={MAX_LONG_TEXT}
          maxRows={12}
          onChange={({ target }) => type(target.value)}
          onBlur={onDone}
        />
      )
    case 'number':
      return <NumberField {...look} value={typeof value === 'number' ? value : null} limits={field} onChange={choose} />
    case 'date':
      return <DateField {...look} value={text} onChange={type} onDone={onDone} />
    case 'checkbox':
      return (
        <Select
          {...look}
          value={typeof value === 'boolean' ? String(value) : ''}
          options={[
            { value: '', label: '—' },
            { value: 'true', label: 'Yes' },
            { value: 'false', label: 'No' },
          ]}
          onChange={(chosen) => choose(chosen === '' ? null : chosen === 'true')}
        />
      )
    case 'user':
      return <PersonField {...props} label={label} onChange={choose} />
    case 'select':
    case 'multi_select':
      return <OptionsField {...props} label={label} />
  }
}

interface DateFieldProps {
  label: string
  value: string
  hint?: string
  error?: string | null | undefined
  onChange: (value: string) => void
  onDone: () => void
}

/** While a date is typed digit by digit, its years are not meant: only a whole date is passed on. */
export function DateField({ value, onChange, onDone, ...look }: DateFieldProps) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <TextField
      {...look}
      type="date"
      min="1900-01-01"
      max="2999-12-31"
      value={typed ?? value}
      onChange={({ target }) => {
        const isWhole = target.value === '' || (target.value >= '1900-01-01' && target.value <= '2999-12-31')
        setTyped(isWhole ? null : target.value)
        // Browsers say nothing of a date that is half typed: the old one stays until another one is there.
        if (isWhole && !target.validity.badInput) onChange(target.value)
      }}
      onBlur={() => {
        setTyped(null)
        onDone()
      }}
    />
  )
}

function PersonField({ projectId, value, label = '', hint, error, onChange }: FieldControlProps) {
  const { owners, getPerson } = usePeople(projectId)
  const id = typeof value === 'string' ? value : ''
  const former =
    id === '' || owners.some((owner) => owner.id === id) ? [] : [{ value: id, label: getPerson(id) || 'Unknown' }]
  return (
    <Select
      label={label}
      hint={hint}
      error={error}
      value={id}
      options={[
        { value: '', label: '—' },
        ...former,
        ...owners.map((owner) => ({ value: owner.id, label: owner.name })),
      ]}
      onChange={(chosen) => onChange(chosen === '' ? null : chosen)}
    />
  )
}

/** Retired options can only stay. */
const listOptions = ({ options }: Field, chosen: readonly string[]): PickerOption[] =>
  (options ?? [])
    .filter(({ key, is_retired: isRetired }) => !isRetired || chosen.includes(key))
    .map(({ key, label, is_retired: isRetired }) => ({ value: key, label: isRetired ? `${label} (retired)` : label }))

function OptionsField({ field, value, label = '', hint, error, onChange, onDone }: FieldControlProps) {
  const chosen = [value ?? []].flat().map(String)
  const options = listOptions(field, chosen)
  const isSingle = field.type === 'select'
  if (isSingle && options.length <= MAX_IN_SELECT) {
    return (
      <Select
        label={label}
        hint={hint}
        error={error}
        value={chosen[0] ?? ''}
        options={[{ value: '', label: '—' }, ...options]}
        onChange={(key) => {
          onChange(key === '' ? null : key)
          onDone?.()
        }}
      />
    )
  }
  const text = formatFieldValue(field, value, String)
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(control) => (
        <OptionPicker
          label={label}
          noun="options"
          options={options}
          chosen={chosen}
          isSingle={isSingle}
          trigger={
            <Button
              id={control.id}
              size="form"
              className={styles.folderButton}
              style={{ minWidth: 0 }}
              aria-describedby={control['aria-describedby']}
              aria-label={`${label}: ${text || 'none'}`}
              title={text}
            >
              <span className={styles.path}>{text || '—'}</span>
            </Button>
          }
          onChange={(keys) => {
            if (isSingle) onChange(keys[0] ?? null)
            else
              onChange(
                keys.length === 0
                  ? null
                  : (field.options ?? []).map(({ key }) => key).filter((key) => keys.includes(key)),
              )
          }}
          onLeave={onDone}
        />
      )}
    </Labelled>
  )
}
