import type {
  CreateFieldBody,
  Field,
  FieldSubject,
  FieldType,
  ResultStatus,
  UpdateFieldBody,
} from '@caseward/client/endpoints'

import type { FieldValue } from './field-words.ts'
import { parseNumber } from './number-field.tsx'

/** An option as it is written; one that exists has its key. */
export interface OptionDraft {
  /** Tells the lines of the list apart. */
  readonly id: number
  readonly key: string | null
  readonly label: string
  readonly is_retired: boolean
}

/** A field as it is written in its dialog. Limits are texts until they are sent. */
export interface FieldDraft {
  readonly subject: FieldSubject
  readonly name: string
  /** Null: follows from the name. */
  readonly key: string | null
  readonly type: FieldType
  readonly description: string
  readonly is_required: boolean
  /** Of results: the statuses that need a value. */
  readonly required_on: readonly ResultStatus[]
  readonly default: Exclude<FieldValue, undefined>
  readonly options: readonly OptionDraft[]
  readonly min: string
  readonly max: string
  readonly decimals: string
}

const MAX_KEY_LENGTH = 40

export const emptyDraft: FieldDraft = {
  subject: 'case',
  name: '',
  key: null,
  type: 'select',
  description: '',
  is_required: false,
  required_on: [],
  default: null,
  options: [],
  min: '',
  max: '',
  decimals: '',
}

const toText = (value: number | null) => (value === null ? '' : String(value))

export const toDraft = (field: Field): FieldDraft => ({
  subject: field.subject,
  name: field.name,
  key: field.key,
  type: field.type,
  description: field.description,
  is_required: field.is_required,
  required_on: field.required_on,
  default: field.default,
  options: (field.options ?? []).map((option, id) => ({ ...option, id })),
  min: toText(field.min),
  max: toText(field.max),
  decimals: toText(field.decimals),
})

export const hasOptions = (type: FieldType): boolean => type === 'select' || type === 'multi_select'

/** The types that a field can get: few, so that no value has to change. */
export function listTypes(field: Field | null, all: readonly FieldType[]): readonly FieldType[] {
  if (field === null) return all
  if (field.type === 'text') return ['text', 'long_text']
  return field.type === 'select' ? ['select', 'multi_select'] : [field.type]
}

/**
 * Suggests a key: lower-case letters, digits and underscores, beginning with a letter.
 * @param taken keys that are in use
 * @param prefix what every key begins with
 */
export function suggestKey(name: string, taken: readonly string[], fallback: string, prefix = ''): string {
  const letters = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const base =
    prefix +
    (letters
      .replaceAll(/[^a-z0-9]+/g, '_')
      .replaceAll(/^[^a-z]+|_+$/g, '')
      .slice(0, MAX_KEY_LENGTH - prefix.length) || fallback)
  let key = base
  for (let number = 2; taken.includes(key); number += 1) key = `${base.slice(0, MAX_KEY_LENGTH - 4)}_${number}`
  return key
}

/** Gives new options their keys. */
export function toOptions(options: readonly OptionDraft[]) {
  const taken = options.flatMap(({ key }) => key ?? [])
  return options
    .filter(({ key, label }) => key !== null || label.trim() !== '')
    .map(({ key, label, is_retired }) => {
      const given = key ?? suggestKey(label, taken, 'option')
      if (key === null) taken.push(given)
      return { key: given, label: label.trim(), is_retired }
    })
}

/** What the dialog is about while its field does not exist: the control of the default needs it. */
export const toPreviewField = (draft: FieldDraft): Field => ({
  id: '',
  subject: draft.subject,
  key: 'default',
  name: draft.name,
  description: '',
  type: draft.type,
  is_required: false,
  required_on: [],
  default: null,
  options: hasOptions(draft.type) ? toOptions(draft.options) : null,
  min: toNumber(draft.min),
  max: toNumber(draft.max),
  decimals: toNumber(draft.decimals),
  position: 1,
  scope: 'project',
  retired_at: null,
})

/** @returns null for none, also where the text is no number, which the form says */
function toNumber(text: string): number | null {
  const value = parseNumber(text)
  return typeof value === 'number' ? value : null
}

/** What is wrong with a draft, by its fields. */
export function checkDraft(draft: FieldDraft): ReadonlyMap<string, string> {
  const errors = new Map<string, string>()
  if (draft.name.trim() === '') errors.set('name', 'Enter a name.')
  if (hasOptions(draft.type)) {
    const labels = draft.options.map(({ label }) => label.trim()).filter((label) => label !== '')
    const twice = labels.find((label, index) => labels.indexOf(label) !== index)
    if (labels.length === 0) errors.set('options', 'Add an option.')
    else if (twice !== undefined) errors.set('options', `“${twice}” is there twice.`)
    else if (draft.options.some(({ key, label }) => key !== null && label.trim() === '')) {
      errors.set('options', 'Every option needs a label: retire it if it is no longer needed.')
    }
  }
  if (draft.type === 'number') {
    for (const name of ['min', 'max'] as const) {
      const value = parseNumber(draft[name])
      if (typeof value === 'string') errors.set(name, value)
    }
    if (!/^[0-6]?$/.test(draft.decimals.trim())) errors.set('decimals', 'Enter a whole number from 0 to 6.')
  }
  return errors
}

/** Converts a draft to a request. @param taken keys of the other fields @param prefix what new keys begin with */
export function toBody(draft: FieldDraft, taken: readonly string[], prefix = ''): CreateFieldBody & UpdateFieldBody {
  const { default: value, type } = draft
  const isOfResults = draft.subject === 'result'
  const hasDefault = type !== 'user' && !isOfResults
  return {
    key: draft.key ?? suggestKey(draft.name, taken, 'field', prefix),
    name: draft.name.trim(),
    type,
    description: draft.description.trim(),
    ...(isOfResults ? { required_on: [...draft.required_on] } : { is_required: draft.is_required }),
    ...(hasDefault ? { default: typeof value === 'object' && value !== null ? [...value] : value } : {}),
    ...(hasOptions(type) ? { options: toOptions(draft.options) } : {}),
    ...(type === 'number'
      ? { min: toNumber(draft.min), max: toNumber(draft.max), decimals: toNumber(draft.decimals) }
      : {}),
  }
}
