import type { TestCase, UpdateTestCaseBody } from '@caseward/client/endpoints'

import { type FieldChanges, mergeFieldValues } from '../fields/merge-field-values.ts'
import { isSameFieldValue, isSameValue } from './compare-versions.ts'
import type { EditedField } from './edited-fields.ts'

/** A title that is empty for a moment is not sent; the editor shows that it is missing. */
export function getSendable(changes: UpdateTestCaseBody): UpdateTestCaseBody {
  if (changes.title === undefined || changes.title.trim() !== '') return changes
  const { title: _, ...others } = changes
  return others
}

/** Custom fields are named only if there is one. */
export const withFields = (values: readonly [string, FieldChanges[string]][]): UpdateTestCaseBody =>
  values.length === 0 ? {} : { fields: Object.fromEntries(values) }

/** The values of custom fields that a change replaces. */
export const pickBefore = (saved: TestCase, changes: FieldChanges = {}): TestCase['fields'] =>
  Object.fromEntries(Object.entries(saved.fields ?? {}).filter(([key]) => Object.hasOwn(changes, key)))

/** Returns the changes in the form of a test case: steps have positions there, and custom fields all values. */
export function pickFields({ fields, ...sent }: UpdateTestCaseBody, saved: TestCase): Partial<TestCase> {
  const { steps, automation_keys: keys, ...rest } = sent
  const values = fields === undefined ? {} : { fields: mergeFieldValues(saved.fields, fields) }
  const builtIn = keys === undefined ? rest : { ...rest, automation_keys: keys, automation_key: keys[0] ?? null }
  const others = { ...builtIn, ...values }
  if (steps === undefined) return others
  return {
    ...others,
    steps: steps.map(({ action = '', expected = '' }, index) => ({ position: index + 1, action, expected })),
  }
}

/** Which steps come from shared steps is known again from the response. */
export function omitGroups(testCase: TestCase): TestCase {
  const { step_groups: _, ...others } = testCase
  return others
}

/**
 * Leaves out what the server has. What a request is about to change is kept, even if it is as before: it is a change after that
 * request.
 */
export function omitKnown(
  { fields = {}, ...others }: UpdateTestCaseBody,
  saved: TestCase,
  underway: UpdateTestCaseBody | null = null,
): UpdateTestCaseBody {
  const changed = Object.entries(others).filter(
    ([field, value]) =>
      Object.hasOwn(underway ?? {}, field) || !isSameValue(field as EditedField, value, saved[field as EditedField]),
  )
  const values = Object.entries(fields).filter(
    ([key, value]) =>
      Object.hasOwn(underway?.fields ?? {}, key) || !isSameFieldValue(value, saved.fields?.[key] ?? null),
  )
  return { ...Object.fromEntries(changed), ...withFields(values) }
}

/** Leaves out what was sent, unless it has changed since. */
export function omitSent(changes: UpdateTestCaseBody, sent: UpdateTestCaseBody): UpdateTestCaseBody {
  const { fields = {}, ...others } = changes
  const left = Object.entries(others).filter(([field, value]) => sent[field as EditedField] !== value)
  const values = Object.entries(fields).filter(([key, value]) => sent.fields?.[key] !== value)
  return { ...Object.fromEntries(left), ...withFields(values) }
}

/** Whether there is no change. */
export const isEmpty = (changes: object): boolean => Object.keys(changes).length === 0

/** What a new test case has before anything is typed. The template is sent if it is not the usual one. */
export const getInitial = ({ folder_id, template }: TestCase) => ({
  folder_id,
  ...(template === 'steps' ? {} : { template }),
})
