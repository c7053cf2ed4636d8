import type { FieldValue } from '@caseward/contract/field-values'
import type { FieldError } from '@caseward/contract/problem'

import type { Database } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { invalidProblem, type Problem } from '../../platform/http/problems.ts'
import { findNearest } from '../../platform/http/unknown-names.ts'
import { selectAssignable } from '../assignments/assignments.queries.ts'
import { checkValue, type FieldValueCode } from './check-value.ts'
import type { FieldDefinition, ProjectFields } from './field-definitions.ts'
import type { StoredValue, StoredValues, ValueChanges } from './stored-values.ts'

export interface FieldValueError extends FieldError {
  code: FieldValueCode
}

/** Values of fields as a request sends them. */
export type SentValues = Readonly<Record<string, FieldValue>>

/** What only a test case that has it already may keep: a value of a retired field, or a retired option. */
interface RetiredUse {
  field: FieldDefinition
  /** Null if the field itself is retired. */
  option: string | null
  path: string
}

/** The values of a request, as they are stored. */
export interface CheckedValues {
  changes: ValueChanges
  errors: FieldValueError[]
  retiredUses: RetiredUse[]
  /** Values that must be ids of members. */
  users: { path: string; id: string }[]
}

/** 400 with every value that is wrong; its code is that of the first. */
export const invalidValuesProblem = (errors: readonly FieldValueError[]): Problem =>
  invalidProblem(
    errors.map(({ path, message }) => ({ path, message })),
    errors[0]?.code,
  )

/**
 * Checks values of a request against the fields of the project.
 * @param path the JSON Pointer of the values
 */
export function checkValues(fields: ProjectFields, sent: SentValues, path: string): CheckedValues {
  const changes: Record<string, StoredValue | null> = {}
  const checked: CheckedValues = { changes, errors: [], retiredUses: [], users: [] }
  for (const [key, value] of Object.entries(sent)) {
    const field = fields.byKey.get(key)
    const valuePath = `${path}/${escapePointer(key)}`
    if (field === undefined) {
      checked.errors.push({ path: valuePath, code: 'unknown_field', message: describeUnknownField(key, fields) })
      continue
    }
    const result = checkValue(field, value)
    if ('error' in result) {
      checked.errors.push({ path: valuePath, ...result.error })
      continue
    }
    changes[field.number] = result.value
    if (result.value === null) continue
    if (field.retired_at !== null) checked.retiredUses.push({ field, option: null, path: valuePath })
    for (const option of result.retiredOptions ?? []) checked.retiredUses.push({ field, option, path: valuePath })
    if (field.type === 'user' && typeof result.value === 'string') {
      checked.users.push({ path: valuePath, id: result.value })
    }
  }
  return checked
}

/** RFC 6901 */
export const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** Says that a key is none of the project's fields, and which is meant. */
export function describeUnknownField(key: string, { byKey }: ProjectFields): string {
  const nearest = findNearest(key, [...byKey.keys()])
  return nearest === null ? 'is not a field of this project' : `is not a field of this project: use ${nearest}`
}

/** Returns an error for each use of a retired field or option that a test case with these values does not have already. */
export function findNewRetiredUses(uses: readonly RetiredUse[], current: StoredValues | null): FieldValueError[] {
  return uses.flatMap(({ field, option, path }): FieldValueError[] => {
    const stored = current?.[field.number]
    if (option === null) {
      if (stored !== undefined) return []
      return [{ path, code: 'unknown_field', message: 'is retired: restore the field to use it again' }]
    }
    const number = field.optionsByKey.get(option)?.number
    if (number !== undefined && [stored].flat().includes(number)) return []
    return [
      {
        path,
        code: 'unknown_option',
        message: `contains ${option}, which is retired: restore the option to use it again`,
      },
    ]
  })
}

/** Returns an error for each value that is not the id of an admin or member of the project. Reads nothing without values. */
export async function findUnknownUsers(
  db: Database,
  projectId: string,
  users: readonly CheckedValues['users'][number][],
): Promise<FieldValueError[]> {
  if (users.length === 0) return []
  const ids = [...new Set(users.map(({ id }) => id))].filter(isUuid)
  const members = await selectAssignable(db, projectId, ids)
  return users.flatMap(({ path, id }) =>
    members.has(id)
      ? []
      : [{ path, code: 'invalid_field_value' as const, message: 'is not an admin or member of this project' }],
  )
}

/**
 * Returns the values of a new test case: those that were sent, and the defaults of the other fields.
 * @param path the JSON Pointer of the values
 * @param options.requiresValues whether required fields must have a value
 * @param options.addsDefaults whether fields without a value get their default
 */
export function completeValues(
  { list }: ProjectFields,
  changes: ValueChanges,
  path: string,
  { requiresValues, addsDefaults = true }: { requiresValues: boolean; addsDefaults?: boolean },
): { values: StoredValues | null; errors: FieldValueError[] } {
  const values: Record<string, StoredValue> = {}
  const errors: FieldValueError[] = []
  for (const { number, key, default_value: defaultValue, is_required: isRequired, retired_at: retiredAt } of list) {
    const sent = changes[number]
    const value = sent === undefined && addsDefaults && retiredAt === null ? defaultValue : sent
    if (value !== undefined && value !== null) values[number] = value
    else if (isRequired && requiresValues && retiredAt === null) errors.push(requiredError(`${path}/${key}`))
  }
  return { values: Object.keys(values).length === 0 ? null : values, errors }
}

/** Returns an error for each required field whose value a change removes. */
export const findRemovedRequired = ({ list }: ProjectFields, changes: ValueChanges, path: string): FieldValueError[] =>
  list.flatMap(({ number, key, is_required: isRequired, retired_at: retiredAt }) =>
    isRequired && retiredAt === null && changes[number] === null ? [requiredError(`${path}/${key}`)] : [],
  )

const requiredError = (path: string): FieldValueError => ({
  path,
  code: 'invalid_field_value',
  message: 'is required',
})
