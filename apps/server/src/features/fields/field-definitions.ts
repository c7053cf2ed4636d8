import type { FieldTypeName, StoredFieldValue } from '@caseward/contract/field-values'
import type { FieldScope, FieldSubject } from '@caseward/contract/fields'
import type { ResultStatus } from '@caseward/contract/results'

import type { StoredValue, StoredValues } from './stored-values.ts'

export interface StoredOption {
  number: number
  key: string
  label: string
  is_retired: boolean
}

/** A row of `custom_fields`; of a field of the instance in a project, with what the project decides about it. */
export interface FieldRow {
  id: string
  number: number
  subject: FieldSubject
  key: string
  name: string
  description: string
  type: FieldTypeName
  is_required: boolean
  /** Of results: the statuses that need a value; null for none. */
  required_on: ResultStatus[] | null
  default_value: StoredValue | null
  options: StoredOption[] | null
  min_value: number | null
  max_value: number | null
  decimals: number | null
  position: number
  /** Whose it is: the project's, or the instance's. */
  scope: FieldScope
  /** When it was retired, or switched off in the project. */
  retired_at: Date | null
}

/** An option, and its place among those of the field. */
interface FieldOption extends StoredOption {
  place: number
}

/** A field with what checking and presenting its values needs. */
export interface FieldDefinition extends FieldRow {
  optionsByKey: ReadonlyMap<string, FieldOption>
  optionsByNumber: ReadonlyMap<number, FieldOption>
}

/** The fields of a project that its test cases, its results or its runs have, as of a version. */
export interface ProjectFields {
  /** `fields_version` of the project; 0 if it never had a field. */
  version: number
  /** In their order, retired ones last. */
  list: readonly FieldDefinition[]
  byKey: ReadonlyMap<string, FieldDefinition>
}

export const NO_FIELDS: ProjectFields = { version: 0, list: [], byKey: new Map() }

export function toDefinition(row: FieldRow): FieldDefinition {
  const options = (row.options ?? []).map((option, place) => ({ ...option, place }))
  return {
    ...row,
    optionsByKey: new Map(options.map((option) => [option.key, option])),
    optionsByNumber: new Map(options.map((option) => [option.number, option])),
  }
}

export function toProjectFields(version: number, rows: readonly FieldRow[]): ProjectFields {
  const list = rows.map(toDefinition)
  return { version, list, byKey: new Map(list.map((field) => [field.key, field])) }
}

/** Whether a value is a list of options. */
const isList = (value: StoredValue): value is number[] => Array.isArray(value)

/**
 * Returns a value as responses have it; undefined if nothing is left of it. A field that became a `multi_select` has single
 * numbers from before.
 */
export function presentValue(field: FieldDefinition, value: StoredValue): StoredFieldValue | undefined {
  const { type, optionsByNumber } = field
  if (type !== 'select' && type !== 'multi_select') return isList(value) ? undefined : value
  const numbers = isList(value) ? value : [Number(value)]
  const options = numbers.flatMap((number) => optionsByNumber.get(number) ?? [])
  if (type === 'select') return options[0]?.key
  // Options may have changed their order since.
  return options.toSorted((a, b) => a.place - b.place).map(({ key }) => key)
}

/** Returns values by the keys of their fields, in the order of the fields. Those of deleted fields are left out. */
export function presentValues({ list }: ProjectFields, values: StoredValues): Record<string, StoredFieldValue> {
  const presented: Record<string, StoredFieldValue> = {}
  for (const field of list) {
    const stored = values[field.number]
    const value = stored === undefined ? undefined : presentValue(field, stored)
    if (value !== undefined) presented[field.key] = value
  }
  return presented
}
