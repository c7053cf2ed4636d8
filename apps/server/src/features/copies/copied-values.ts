import type { CopySkipReason } from '@caseward/contract/copies'
import type { StoredFieldValue } from '@caseward/contract/field-values'

import { checkValue } from '../fields/check-value.ts'
import { type FieldDefinition, presentValue, type ProjectFields } from '../fields/field-definitions.ts'
import type { StoredValue, StoredValues } from '../fields/stored-values.ts'

/** What a copy lacks of its original. */
export interface LeftOut {
  field: string
  reason: CopySkipReason
  value?: string
}

/** The values of a copy, as the other project stores them. */
interface CopiedValues {
  values: Record<string, StoredValue>
  leftOut: LeftOut[]
}

/**
 * Converts the values of a test case to those of its copies: by the keys of fields and options.
 * @param isMember whether a user may be a value in the project of the copies
 */
export function copyValues(
  { source, target }: { source: ProjectFields; target: ProjectFields },
  stored: StoredValues | null,
  isMember: (userId: string) => boolean,
): CopiedValues {
  const values: Record<string, StoredValue> = {}
  const leftOut: LeftOut[] = []
  for (const field of source.list) {
    const current = stored?.[field.number]
    const value = current === undefined ? undefined : presentValue(field, current)
    if (value === undefined) continue
    const name = `fields.${field.key}`
    const other = target.byKey.get(field.key)
    const reason = findReason(field, other)
    if (other === undefined || reason !== null) {
      leftOut.push({ field: name, reason: reason ?? 'not_found' })
      continue
    }
    const copied = copyValue(other, value, isMember)
    leftOut.push(...copied.leftOut.map((part) => ({ field: name, ...part })))
    if (copied.value !== null) values[other.number] = copied.value
  }
  return { values, leftOut }
}

/** Why no value of a field can be copied; null if some can. */
function findReason({ type }: FieldDefinition, other: FieldDefinition | undefined): CopySkipReason | null {
  if (other === undefined) return 'not_found'
  if (other.retired_at !== null) return 'retired'
  return other.type === type ? null : 'other_type'
}

type CopiedValue = { value: StoredValue | null; leftOut: Omit<LeftOut, 'field'>[] }

function copyValue(
  field: FieldDefinition,
  value: StoredFieldValue,
  isMember: (userId: string) => boolean,
): CopiedValue {
  const leftOut: CopiedValue['leftOut'] = []
  const keepOption = (key: string): boolean => {
    const option = field.optionsByKey.get(key)
    if (option !== undefined && !option.is_retired) return true
    leftOut.push({ reason: option === undefined ? 'not_found' : 'retired', value: key })
    return false
  }
  if (field.type === 'select' && typeof value === 'string' && !keepOption(value)) return { value: null, leftOut }
  if (field.type === 'user' && typeof value === 'string' && !isMember(value)) {
    return { value: null, leftOut: [{ reason: 'not_a_member' }] }
  }
  const sent = Array.isArray(value) ? value.filter(keepOption) : value
  if (Array.isArray(sent) && sent.length === 0) return { value: null, leftOut }
  const checked = checkValue(field, sent)
  if ('error' in checked) return { value: null, leftOut: [...leftOut, { reason: 'invalid' }] }
  return { value: checked.value, leftOut }
}

/**
 * Adds the defaults of fields without a value: in another project of all, as for any new test case there; in the same one only of
 * those that must have a value, since a copy is what its original is.
 * @returns the keys of fields that must have a value and still have none
 */
export function addDefaults(
  { list }: ProjectFields,
  values: Record<string, StoredValue>,
  { isOtherProject }: { isOtherProject: boolean },
): string[] {
  const missing: string[] = []
  for (const { number, key, default_value: defaultValue, is_required: isRequired, retired_at: retiredAt } of list) {
    if (retiredAt !== null || values[number] !== undefined) continue
    if (defaultValue !== null && (isOtherProject || isRequired)) values[number] = defaultValue
    else if (isRequired) missing.push(key)
  }
  return missing
}

/** The users that values of an original name. */
export const listUsers = ({ list }: ProjectFields, stored: StoredValues | null): string[] =>
  list.flatMap(({ type, number }) => {
    const value = stored?.[number]
    return type === 'user' && typeof value === 'string' ? [value] : []
  })
