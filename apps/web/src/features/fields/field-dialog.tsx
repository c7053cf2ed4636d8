import type { Field, FieldType, MyProject } from '@caseward/client/endpoints'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { formatNumberOf, formatTotalOf } from '../../ui/format-count.ts'
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
import { Limits, newTitles, RequiredOn } from './field-dialog-parts.tsx'
import { typeNames } from './field-words.ts'
import { OptionsEditor } from './options-editor.tsx'
import { type FieldActions, type ProjectFieldActions, useCountWithoutValue } from './use-field-actions.ts'

/** What the dialog does; only in a project there is something that exists. */
type FieldDialogActions = Pick<FieldActions, 'create' | 'update'> & Partial<Pick<ProjectFieldActions, 'setOnExisting'>>

interface FieldDialogProps {
  /** Null for fields of the instance. */
  project: MyProject | null
  /** Null for a new one. */
  field: Field | null
  /** All fields of the project, or of the instance. */
  fields: readonly Field[]
  actions: FieldDialogActions
  /** What a new one begins with. */
  initial?: Partial<FieldDraft>
  onSaved?: (field: Field) => void
  onClose: () => void
}

/** Those of fields of the instance: a project's own cannot begin so. */
const INSTANCE_KEY_PREFIX = 'org_'

const allTypes = Object.keys(typeNames) as FieldType[]

/** Adds or changes a field. */
export function FieldDialog({ project, field, fields, actions, initial, onSaved, onClose }: FieldDialogProps) {
  const [draft, setDraft] = useState<FieldDraft>(() =>
    field === null ? { ...emptyDraft, ...initial } : toDraft(field),
  )
  const [isChecked, setIsChecked] = useState(false)
  const [setsExisting, setSetsExisting] = useState(false)
  const taken = fields.flatMap(({ id, key }) => (id === field?.id ? [] : [key]))
  const withoutValue = useCountWithoutValue(project?.id, field) ?? 0
  const { subject } = draft
  const existing = field === null ? (project?.test_case_count ?? 0) : withoutValue
  const prefix = project === null ? INSTANCE_KEY_PREFIX : ''
  const hasDefault = draft.default !== null && draft.type !== 'user' && subject !== 'result'
  const save = useMutation({
    async mutationFn() {
      const { key, ...body } = toBody(draft, taken, prefix)
      const saved = await (field === null ? actions.create({ subject, key, ...body }) : actions.update(field.id, body))
      if (setsExisting && hasDefault && subject === 'case') await actions.setOnExisting?.(saved)
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
  function submit(): void {
    setIsChecked(true)
    if (checkDraft(draft).size === 0 && !save.isPending) save.mutate()
  }
  const key = draft.key ?? (draft.name.trim() === '' ? '' : suggestKey(draft.name, taken, 'field', prefix))
  const types = listTypes(field, allTypes)
  return (
    <FormDialog
      onClose={onClose}
      title={field === null ? newTitles[subject] : `Change “${field.name}”`}
      submitLabel={field === null ? 'Add field' : 'Save'}
      isBusy={save.isPending}
      className={styles.settings}
      onSubmit={submit}
    >
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
      {project === null ? null : subject === 'result' ? (
        <RequiredOn chosen={draft.required_on} onChange={(required_on) => change({ required_on })} />
      ) : (
        <Checkbox
          label="Required"
          hint={
            subject === 'run'
              ? 'For new runs; those of automation are created all the same.'
              : field === null || withoutValue === 0
                ? 'For new test cases; those of automation are created all the same.'
                : `For new test cases. ${formatTotalOf(withoutValue, 'test case')} without a value can still be changed.`
          }
          checked={draft.is_required}
          onChange={(is_required) => change({ is_required })}
        />
      )}
      {draft.type !== 'user' && subject !== 'result' && (
        <FieldControl
          projectId={project?.id ?? ''}
          field={toPreviewField(draft)}
          label="Default"
          value={draft.default}
          hint={subject === 'run' ? 'The value of new runs.' : 'The value of new test cases.'}
          error={getError('default')}
          onChange={(value) => change({ default: value })}
        />
      )}
      {hasDefault && subject === 'case' && existing > 0 && (
        <Checkbox
          label={
            field === null
              ? `Set it on the ${formatNumberOf(existing, 'existing test case')}`
              : `Set it on the ${formatTotalOf(existing, 'test case')} without a value`
          }
          checked={setsExisting}
          onChange={setSetsExisting}
        />
      )}
      <TextField
        label="Key"
        hint={`The name of the field for programs and files.${prefix === '' ? '' : ` It begins with ${prefix}.`} It never changes.`}
        value={key}
        maxLength={40}
        disabled={field !== null}
        error={getError('key')}
        onChange={({ target }) => change({ key: target.value })}
      />
    </FormDialog>
  )
}

/** An option that is removed again, or retired, can be no default. */
function keepsDefault({ default: value }: FieldDraft, options: FieldDraft['options']): boolean {
  const usable = new Set(toOptions(options).flatMap(({ key, is_retired: isRetired }) => (isRetired ? [] : [key])))
  return [value ?? []].flat().every((key) => usable.has(String(key)))
}
