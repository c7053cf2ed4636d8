import type { TestCase, UpdateTestCaseBody } from '@caseward/client/endpoints'

import type { FieldChanges } from '../fields/merge-field-values.ts'
import { type EditedField, editedFieldNames } from './edited-fields.ts'

/** A custom field by its key: as the server names it in its problems. */
export type CustomFieldName = `fields/${string}`

/** A field that two people have changed. */
export type FieldConflict =
  | BuiltInConflict
  | {
      readonly field: CustomFieldName
      readonly own: FieldChanges[string]
      readonly stored: FieldChanges[string]
    }

interface BuiltInConflict<F extends EditedField = EditedField> {
  readonly field: F
  /** What this user has typed. */
  readonly own: Exclude<UpdateTestCaseBody[F], undefined>
  /** What is stored now. */
  readonly stored: TestCase[F]
}

/** What to do after somebody else has changed the test case. */
export interface Comparison {
  /** Fields for which the user chooses. */
  readonly conflicts: readonly FieldConflict[]
  /** Changes of this user that nobody else touched: they are sent again with the new version. */
  readonly ownChanges: UpdateTestCaseBody
}

/**
 * Compares the versions of a test case field by field. A field conflicts if both have changed it to different values.
 * @param before the version that the user began to edit
 * @param changes what the user has changed in it
 * @param stored the version of the server: `current` of the problem
 */
export function compareVersions(before: TestCase, changes: UpdateTestCaseBody, stored: TestCase): Comparison {
  const conflicts: FieldConflict[] = []
  const ownChanges: Record<string, unknown> = {}
  for (const field of editedFieldNames) {
    const own = changes[field]
    if (own === undefined || isSameValue(field, own, stored[field])) continue
    if (isSameValue(field, before[field], stored[field])) ownChanges[field] = own
    else conflicts.push({ field, own, stored: stored[field] })
  }
  const ownFields: FieldChanges = {}
  for (const [key, own] of Object.entries(changes.fields ?? {})) {
    const theirs = stored.fields?.[key] ?? null
    if (isSameFieldValue(own, theirs)) continue
    if (isSameFieldValue(before.fields?.[key] ?? null, theirs)) ownFields[key] = own
    else conflicts.push({ field: `fields/${key}`, own, stored: theirs })
  }
  if (Object.keys(ownFields).length > 0) ownChanges['fields'] = ownFields
  return { conflicts, ownChanges }
}

/** Builds the update after the user has chosen. @param kept fields of which the user keeps the own version */
export function buildChosenUpdate(
  { conflicts, ownChanges }: Comparison,
  kept: ReadonlySet<FieldConflict['field']>,
): UpdateTestCaseBody {
  const update: Record<string, unknown> = { ...ownChanges }
  const fields: FieldChanges = { ...ownChanges.fields }
  for (const { field, own } of conflicts) {
    if (!kept.has(field)) continue
    if (isCustomField(field)) fields[field.slice(CUSTOM.length)] = own as FieldChanges[string]
    else update[field] = own
  }
  return { ...update, ...(Object.keys(fields).length === 0 ? {} : { fields }) }
}

const CUSTOM = 'fields/'
export const isCustomField = (field: FieldConflict['field']): field is CustomFieldName => field.startsWith(CUSTOM)

/** Whether two values of a custom field mean the same: options have no order here. */
export function isSameFieldValue(a: FieldChanges[string], b: FieldChanges[string]): boolean {
  const toText = (value: FieldChanges[string]) =>
    JSON.stringify(Array.isArray(value) ? (value.length === 0 ? null : value.toSorted()) : value)
  return toText(a) === toText(b)
}

/** Whether two values of a field mean the same. */
export function isSameValue(field: EditedField, a: unknown, b: unknown): boolean {
  return JSON.stringify(normalize(field, a)) === JSON.stringify(normalize(field, b))
}

/** Steps have a position only in responses, and `expected` may be left out; tags have no order. */
function normalize(field: EditedField, value: unknown): unknown {
  if (field === 'tags' && Array.isArray(value)) return (value as string[]).toSorted((a, b) => (a < b ? -1 : 1))
  if (field !== 'steps' || !Array.isArray(value)) return value
  return (value as { action: string; expected?: string }[]).map(({ action, expected = '' }) => ({ action, expected }))
}
