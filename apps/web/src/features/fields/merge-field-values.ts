import type { TestCase, UpdateTestCaseBody } from '@caseward/client/endpoints'

export type FieldValues = NonNullable<TestCase['fields']>
export type FieldChanges = NonNullable<UpdateTestCaseBody['fields']>

/** Returns values of custom fields after a change: null, or an empty list, removes one. */
export const mergeFieldValues = (values: FieldValues | undefined, changes: FieldChanges): FieldValues =>
  Object.fromEntries(
    Object.entries({ ...values, ...changes }).filter(
      (entry): entry is [string, FieldValues[string]] =>
        entry[1] !== null && !(Array.isArray(entry[1]) && entry[1].length === 0),
    ),
  )
