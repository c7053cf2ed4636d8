import type { Field, FieldType, MyProject } from '@caseward/client/endpoints'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useId, useState } from 'react'

import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import styles from '../../ui/form-page.module.css'
import { Select } from '../../ui/select.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { FieldControl } from './field-control.tsx'
import {
  checkDraft,
  emptyDraft,
  type FieldDraft,
  hasOptions,
  listTypes,
  suggestKey,
  toBody,
  toDraft,
  toOptions,
  toPreviewField,
} from './field-draft.ts'
import { typeNames } from './field-words.ts'
import { OptionsEditor } from './options-editor.tsx'
import { type FieldActions, useCountWithoutValue } from './use-field-actions.ts'

interface FieldDialogProps {
  project: MyProject
  /** Null for a new one. */
  field: Field | null
  /** All fields of the project. */
  fields: readonly Field[]
  actions: FieldActions
  /** What a new one begins with. */
  initial?: Partial<FieldDraft>
  onSaved?: (field: Field) => void
  onClose: () => void
}

const allTypes = Object.keys(typeNames) as FieldType[]

/** Adds or changes a field. */
export function FieldDialog({ project, field, fields, actions, initial, onSaved, onClose }: FieldDialogProps) {
  const [draft, setDraft] = useState<FieldDraft>(() =>
    field === null ? { ...emptyDraft, ...initial } : toDraft(field),
  )
  const [isChecked, setIsChecked] = useState(false)
  const [setsExisting, setSetsExisting] = useState(false)
  const formId = useId()
  const taken = fields.flatMap(({ id, key }) => (id === field?.id ? [] : [key]))
  const withoutValue = useCountWithoutValue(project.id, field) ?? 0
  const existing = field === null ? project.test_case_count : withoutValue
  const hasDefault = draft.default !== null && draft.type !== 'user'
  const save = useMutation({
    async mutationFn() {
      const { key, ...body } = toBody(draft, taken)
      const saved = await (field === null ? actions.create({ key, ...body }) : actions.update(field.id, body))
      if (setsExisting && hasDefault) await actions.setOnExisting(saved)
      return saved
    },
    onSuccess(saved) {
      onSaved?.(saved)
      onClose()
    },
  })
  const own = isChecked ? checkDraft(draft) : new Map<string, string>()
  const failure = save.error === null ? null : describeFailure(save.error, { noun: 'field' })
  const getError = (name: string) => own.get(name) ?? failure?.fields.get(name)
  const optionsError =
    own.get('options') ?? [...(failure?.fields ?? [])].find(([name]) => name.startsWith('options'))?.[1]
  const change = (changes: Partial<FieldDraft>) => {
    save.reset()
    setDraft({ ...draft, ...changes })
  }
  function submit(event: SubmitEvent): void {
    event.preventDefault()
    setIsChecked(true)
    if (checkDraft(draft).size === 0 && !save.isPending) save.mutate()
  }
  const key = draft.key ?? (draft.name.trim() === '' ? '' : suggestKey(draft.name, taken, 'field'))
  const types = listTypes(field, allTypes)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={field === null ? 'New field' : `Change “${field.name}”`}
      footer={
        <>
          <Button size="form" onClick={onClose}>
            Cancel
          </Button>
          <Button size="form" variant="primary" type="submit" form={formId} isBusy={save.isPending}>
            {field === null ? 'Add field' : 'Save'}
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.settings} noValidate onSubmit={submit}>
        {failure !== null && failure.fields.size === 0 && <Banner tone="error">{failure.message}</Banner>}
        <TextField
          label="Name"
          value={draft.name}
          maxLength={255}
          required
          error={getError('name')}
          onChange={({ target }) => change({ name: target.value })}
        />
        <Select<FieldType>
          label="Type"
          value={draft.type}
          disabled={types.length === 1}
          hint={field === null ? 'It can hardly be changed later.' : undefined}
          error={getError('type')}
          options={types.map((value) => ({ value, label: typeNames[value] }))}
          onChange={(type) => change({ type, default: null })}
        />
        {hasOptions(draft.type) && (
          <OptionsEditor
            options={draft.options}
            error={optionsError}
            onChange={(options) => change({ options, ...(keepsDefault(draft, options) ? {} : { default: null }) })}
          />
        )}
        {draft.type === 'number' && <Limits draft={draft} getError={getError} onChange={change} />}
        <TextArea
          label="Description"
          hint="Shown with the field: what it is for, or how its values are meant."
          value={draft.description}
          maxRows={6}
          error={getError('description')}
          onChange={({ target }) => change({ description: target.value })}
        />
        <Checkbox
          label="Required"
          hint={
            field === null || withoutValue === 0
              ? 'For new test cases; those of automation are created all the same.'
              : `For new test cases. ${formatNumberOf(withoutValue, 'test case')} without a value can still be changed.`
          }
          checked={draft.is_required}
          onChange={(is_required) => change({ is_required })}
        />
        {draft.type !== 'user' && (
          <FieldControl
            projectId={project.id}
            field={toPreviewField(draft)}
            label="Default"
            value={draft.default}
            hint="The value of new test cases."
            error={getError('default')}
            onChange={(value) => change({ default: value })}
          />
        )}
        {hasDefault && existing > 0 && (
          <Checkbox
            label={
              field === null
                ? `Set it on the ${formatNumberOf(existing, 'existing test case')}`
                : `Set it on the ${formatNumberOf(existing, 'test case')} without a value`
            }
            checked={setsExisting}
            onChange={setSetsExisting}
          />
        )}
        <TextField
          label="Key"
          hint="The name of the field for programs and files. It never changes."
          value={key}
          maxLength={40}
          disabled={field !== null}
          error={getError('key')}
          onChange={({ target }) => change({ key: target.value })}
        />
      </form>
    </Dialog>
  )
}

/** An option that is removed again, or retired, can be no default. */
function keepsDefault({ default: value }: FieldDraft, options: FieldDraft['options']): boolean {
  const usable = new Set(toOptions(options).flatMap(({ key, is_retired: isRetired }) => (isRetired ? [] : [key])))
  return [value ?? []].flat().every((key) => usable.has(String(key)))
}

interface LimitsProps {
  draft: FieldDraft
  getError: (name: string) => string | undefined
  onChange: (changes: Partial<FieldDraft>) => void
}

const Limits = ({ draft, getError, onChange }: LimitsProps) => (
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
