import { MAX_CHOSEN_OPTIONS } from '@caseward/contract/field-values'
import type { BulkUpdateBody } from '@caseward/contract/test-case-batches'

import type { Database } from '../../platform/database/connect.ts'
import { unprocessableProblem } from '../../platform/http/problems.ts'
import {
  type CheckedValues,
  checkValues,
  type FieldValueError,
  findNewRetiredUses,
  findRemovedRequired,
  findUnknownUsers,
  invalidValuesProblem,
} from '../fields/check-values.ts'
import type { FieldDefinition, ProjectFields } from '../fields/field-definitions.ts'
import type { StoredValue, StoredValues, ValueChanges } from '../fields/stored-values.ts'
import { findTooLargeAfter } from '../fields/values-size.ts'
import type { Edit } from './apply-edits.ts'
import { countTextOf, selectValuesOf } from './case-values.queries.ts'

/*
 * Values of custom fields in a bulk update. Only those that it changes are read and written.
 */

/** Options of a field to add and to remove, as they are stored. */
interface OptionsChange {
  field: FieldDefinition
  added: readonly number[]
  removed: readonly number[]
}

/** What a bulk update does with the values of each test case. */
interface ValueChange {
  changes: ValueChanges
  options: readonly OptionsChange[]
  fields: ProjectFields
}

/** Whether a bulk update is about custom fields. */
export const changesValues = ({ set, add_options, remove_options, restore }: BulkUpdateBody): boolean =>
  set?.fields !== undefined ||
  add_options !== undefined ||
  remove_options !== undefined ||
  restore?.some(({ fields }) => fields !== undefined) === true

/**
 * Checks the values that a bulk update sets, and the options that it adds and removes.
 * @throws {Problem} 400 with every one that is invalid
 */
export async function requireValueChange(
  tx: Database,
  projectId: string,
  fields: ProjectFields,
  { set, add_options: added = {}, remove_options: removed = {} }: BulkUpdateBody,
): Promise<ValueChange> {
  const path = '/set/fields'
  const checked = checkValues(fields, set?.fields ?? {}, path)
  const ofAdded = checkOptionLists(fields, added, '/add_options')
  const ofRemoved = checkOptionLists(fields, removed, '/remove_options')
  const errors: FieldValueError[] = [
    ...checked.errors,
    ...findRemovedRequired(fields, checked.changes, path),
    ...findNewRetiredUses([...checked.retiredUses, ...ofAdded.retiredUses], null),
    ...ofAdded.errors,
    ...ofRemoved.errors,
    ...(await findUnknownUsers(tx, projectId, checked.users)),
  ]
  if (errors.length > 0) throw invalidValuesProblem(errors)
  const options = fields.list
    .filter(({ number }) => number in ofAdded.changes || number in ofRemoved.changes)
    .map((field) => ({
      field,
      added: toNumbers(ofAdded.changes[field.number]),
      removed: toNumbers(ofRemoved.changes[field.number]),
    }))
  return { changes: checked.changes, options, fields }
}

/** The options of a value. A field that became a `multi_select` has single numbers from before. */
function toNumbers(value: StoredValue | null | undefined): readonly number[] {
  if (Array.isArray(value)) return value
  return typeof value === 'number' ? [value] : []
}

/** Checks lists of options by the keys of their fields, which must be of type `multi_select`. */
function checkOptionLists(fields: ProjectFields, lists: Record<string, string[]>, path: string): CheckedValues {
  const checked = checkValues(fields, lists, path)
  const others = Object.keys(lists).filter((key) => {
    const field = fields.byKey.get(key)
    return field !== undefined && field.type !== 'multi_select'
  })
  if (others.length === 0) return checked
  const errors = others.map((key) => ({
    path: `${path}/${key}`,
    code: 'invalid_field_value' as const,
    message: 'is only for fields of type multi_select',
  }))
  const paths = new Set(errors.map((error) => error.path))
  return { ...checked, errors: [...checked.errors.filter((error) => !paths.has(error.path)), ...errors] }
}

/**
 * Adds the new values of custom fields to edits, and the earlier ones to their test cases.
 * @throws {Problem} 400 with every test case that would have too many options; 422 for too long texts
 */
export async function addChangedValues(
  tx: Database,
  projectId: string,
  edits: readonly Edit[],
  { changes, options, fields }: ValueChange,
): Promise<Edit[]> {
  const fieldNumbers = [...Object.keys(changes), ...options.map(({ field }) => String(field.number))]
  if (fieldNumbers.length === 0) return [...edits]
  const current = await readValues(tx, projectId, fields, edits, fieldNumbers)
  const errors: FieldValueError[] = []
  const changed = edits.map(({ testCase, ...edit }, index) => {
    const values = current.get(testCase.number) ?? {}
    const lists = options.map((change) => {
      const list = changeOptions({ ...values, ...changes }[change.field.number], change)
      if (list.length > MAX_CHOSEN_OPTIONS) errors.push(tooManyOptionsError(index, change.field))
      return [change.field.number, list.length === 0 ? null : list] as const
    })
    return { ...edit, testCase: { ...testCase, values }, values: { ...changes, ...Object.fromEntries(lists) } }
  })
  errors.push(...(await findTooLargeEdits(tx, projectId, fields, changed, (index) => `/test_case_ids/${index}`)))
  if (errors.length > 0) throw invalidValuesProblem(errors)
  return changed
}

const findTooLargeEdits = (
  tx: Database,
  projectId: string,
  fields: ProjectFields,
  edits: readonly Edit[],
  getPath: (index: number) => string,
) =>
  findTooLargeAfter(
    tx,
    projectId,
    fields,
    edits.map(({ testCase: { number }, values = {} }, index) => ({ number, changes: values, path: getPath(index) })),
  )

const tooManyOptionsError = (index: number, { key }: FieldDefinition): FieldValueError => ({
  path: `/test_case_ids/${index}`,
  code: 'invalid_field_value',
  message: `would have more than ${MAX_CHOSEN_OPTIONS} options of ${key}`,
})

/** The options of a value after a change, in the order of the field. */
function changeOptions(value: StoredValue | null | undefined, { field, added, removed }: OptionsChange): number[] {
  const kept = new Set([...toNumbers(value).filter((number) => !removed.includes(number)), ...added])
  const getPlace = (number: number) => field.optionsByNumber.get(number)?.place ?? 0
  return [...kept].toSorted((a, b) => getPlace(a) - getPlace(b))
}

/**
 * Adds values to edits that restore what an earlier request has changed. What was retired since comes back, too.
 * @throws {Problem} 400 with every invalid value; 422 for too long texts
 */
export async function addRestoredValues(
  tx: Database,
  projectId: string,
  fields: ProjectFields,
  edits: readonly Edit[],
  items: NonNullable<BulkUpdateBody['restore']>,
): Promise<Edit[]> {
  const checked = items.map(({ fields: sent }, index) =>
    sent === undefined ? null : checkValues(fields, sent, `/restore/${index}/fields`),
  )
  const errors = checked.flatMap((values) => values?.errors ?? [])
  const users = checked.flatMap((values) => values?.users ?? [])
  errors.push(...(await findUnknownUsers(tx, projectId, users)))
  if (errors.length > 0) throw invalidValuesProblem(errors)
  const fieldNumbers = [...new Set(checked.flatMap((values) => Object.keys(values?.changes ?? {})))]
  if (fieldNumbers.length === 0) return [...edits]
  const current = await readValues(tx, projectId, fields, edits, fieldNumbers)
  const restored = edits.map((edit, index) => ({
    ...edit,
    testCase: { ...edit.testCase, values: current.get(edit.testCase.number) ?? {} },
    values: checked[index]?.changes ?? {},
  }))
  const tooLarge = await findTooLargeEdits(tx, projectId, fields, restored, (index) => `/restore/${index}/fields`)
  if (tooLarge.length > 0) throw invalidValuesProblem(tooLarge)
  return restored
}

/** The most characters of texts that the response can contain as `before`. */
const MAX_TEXT_LENGTH = 8_000_000
const TEXT_TYPES = new Set<FieldDefinition['type']>(['text', 'long_text', 'url'])

/** @throws {Problem} 422 for too long texts */
async function readValues(
  tx: Database,
  projectId: string,
  { list }: ProjectFields,
  edits: readonly Edit[],
  fieldNumbers: readonly string[],
): Promise<Map<number, StoredValues>> {
  const numbers = edits.map(({ testCase }) => testCase.number)
  const texts = list.flatMap(({ type, number }) => (TEXT_TYPES.has(type) ? [String(number)] : []))
  const changedTexts = texts.filter((number) => fieldNumbers.includes(number))
  if (changedTexts.length > 0 && (await countTextOf(tx, projectId, numbers, changedTexts)) > MAX_TEXT_LENGTH) {
    throw unprocessableProblem(
      'change_too_large',
      'These test cases have more than 8 million characters in the fields that would change. Change fewer of them at a time.',
    )
  }
  return await selectValuesOf(tx, projectId, numbers, fieldNumbers)
}
