import type { CreateTestCaseBody, TestCase, UpdateTestCaseBody } from '@caseward/contract/test-case-schemas'

import { readSentKeys } from './automation-keys.ts'

/** The fields that requests set, as they are stored. */
export type TestCaseFields = Pick<TestCase, Exclude<keyof CreateTestCaseBody, 'automation_key'>>

/**
 * The type of each column, and its value in a new test case when the request does not contain it. The statements that
 * create and update test cases follow from this.
 */
const fields: { readonly [Field in keyof TestCaseFields]: { type: string; default: TestCaseFields[Field] } } = {
  title: { type: 'text', default: '' },
  folder_id: { type: 'uuid', default: null },
  priority: { type: 'test_case_priority', default: 'medium' },
  type: { type: 'test_case_type', default: 'functional' },
  precondition: { type: 'text', default: '' },
  steps: { type: 'json', default: [] },
  expected_result: { type: 'text', default: '' },
  tags: { type: 'text[]', default: [] },
  automation_keys: { type: 'text[]', default: [] },
}
const names = Object.keys(fields) as (keyof TestCaseFields)[]
const defaults = Object.fromEntries(names.map((name) => [name, fields[name].default])) as unknown as TestCaseFields

/** For `insert` and `select`. */
export const COLUMN_NAMES = names.join(', ')

/** For `json_to_recordset`. */
export const COLUMN_DEFINITIONS = names.map((name) => `${name} ${fields[name].type}`).join(', ')

/** For `update test_cases c … from json_to_recordset(…) item`: fields that an item does not contain stay as they are. */
export const UPDATES_OF_SENT = names
  .filter((name) => name !== 'folder_id')
  .map((name) => `${name} = coalesce(item.${name}, c.${name})`)
  .join(', ')

/**
 * Converts a request's fields to those that are stored: steps are numbered, and each tag appears once. Automation keys
 * depend on those that are stored, see `readSentKeys`.
 */
export function toStoredFields(body: UpdateTestCaseBody): Partial<Omit<TestCaseFields, 'automation_keys'>> {
  const sent = Object.fromEntries(
    names.flatMap((name) => (body[name] === undefined || name === 'automation_keys' ? [] : [[name, body[name]]])),
  )
  return {
    ...(sent as Omit<typeof body, 'steps' | 'automation_key' | 'automation_keys'>),
    ...(body.steps === undefined ? {} : { steps: numberSteps(body.steps) }),
    ...(body.tags === undefined ? {} : { tags: [...new Set(body.tags)] }),
  }
}

/** @param itemPath the JSON Pointer of the item */
export function toNewTestCase(body: CreateTestCaseBody, itemPath: string): TestCaseFields {
  const keys = readSentKeys(body, itemPath)
  const automation_keys = keys === undefined ? [] : 'all' in keys ? keys.all : [keys.first]
  return { ...defaults, ...toStoredFields(body), automation_keys }
}

/** Numbers steps from 1 in the order sent. */
const numberSteps = (steps: NonNullable<UpdateTestCaseBody['steps']>): TestCase['steps'] =>
  steps.map(({ action, expected = '' }, index) => ({ position: index + 1, action, expected }))
