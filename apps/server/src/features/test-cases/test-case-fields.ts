import { testCaseFields, type BatchField, type Template } from '@caseward/contract/test-case-fields'
import type { CreateTestCaseBody, TestCase, UpdateTestCaseBody } from '@caseward/contract/test-case-schemas'

import type { StepGroup } from '@caseward/contract/steps'

import type { Column } from '../../platform/database/columns.ts'
import { jsonPlainText, jsonValue } from '../../platform/database/json-rows.ts'
import { toJsonString, toPlainJsonString, toRawJson } from '../../platform/http/json-text.ts'
import { mergeStoredValues } from '../fields/merge-stored-values.ts'
import type { StoredValues, ValueChanges } from '../fields/stored-values.ts'
import type { StoredSteps } from '../shared-steps/step-groups.ts'
import { readSentKeys } from './automation-keys.ts'
import { buildChangedDigest, buildContentDigest } from './content-digest.ts'

/**
 * The fields that requests set, as they are stored. `fields` has the values of custom fields by their numbers, and `step_groups`
 * says which of the steps come from shared steps.
 */
export type TestCaseFields = Pick<TestCase, Exclude<keyof CreateTestCaseBody, 'automation_key' | 'fields'>> & {
  fields: StoredValues | null
  step_groups: StepGroup[] | null
}
export type TestCaseField = keyof TestCaseFields
/** A test case that is created; without a template, it gets that of the project. */
export type NewTestCase = Omit<TestCaseFields, 'template'> & {
  template: Template | null
  content_digest: string
}
/** New values of some fields. Of `fields`, only what changes. */
export type SentFields = Partial<Omit<TestCaseFields, 'fields'>> & { fields?: ValueChanges; archived?: boolean }

interface StoredField<Value> {
  /** Type of the column. */
  readonly type: string
  /** The value in a new test case when the request does not contain it. A field is nullable if this is null. */
  readonly default: Value
  readonly encode: Column<unknown>['encode']
}

/** How each field is stored. The statements that read, create, change and compare test cases follow from this. */
const fields: { readonly [Field in TestCaseField]: StoredField<TestCaseFields[Field]> } = {
  title: { type: 'text', default: '', encode: toJsonString },
  folder_id: { type: 'uuid', default: null, encode: toPlainJsonString },
  priority: { type: 'test_case_priority', default: 'medium', encode: toPlainJsonString },
  type: { type: 'test_case_type', default: 'functional', encode: toPlainJsonString },
  // Of a new test case, null stands for the template that the project sets, see `insertTestCases`.
  template: { type: 'test_case_template', default: 'steps', encode: toPlainJsonString },
  precondition: { type: 'text', default: '', encode: toJsonString },
  // json, not jsonb: steps are returned as they were stored.
  steps: { type: 'json', default: [], encode: toRawJson },
  expected_result: { type: 'text', default: '', encode: toJsonString },
  tags: { type: 'text[]', default: [], encode: toRawJson },
  automation_keys: { type: 'text[]', default: [], encode: toRawJson },
  owner_id: { type: 'uuid', default: null, encode: toPlainJsonString },
  estimate: { type: 'integer', default: null, encode: toRawJson },
  // Presented by the keys of the fields, see `test-case-columns.ts`.
  fields: { type: 'jsonb', default: null, encode: toRawJson },
  step_groups: { type: 'json', default: null, encode: toRawJson },
}
const names = Object.keys(fields) as TestCaseField[]
const defaults = Object.fromEntries(names.map((name) => [name, fields[name].default])) as unknown as TestCaseFields

/** The fields that change for many test cases at once. */
export const BATCH_FIELDS = names.filter((name): name is BatchField => {
  if (name === 'step_groups') return false
  const field = testCaseFields[name]
  // Values of custom fields may be long texts: only those that change are read.
  return 'inBatches' in field && field.inBatches !== 'values'
})

/** The names of all columns of fields. */
export const STORED_FIELD_NAMES: readonly TestCaseField[] = names

/** Whether a test case `c` is archived; it is no field, because a new test case never is. */
export const IS_ARCHIVED = '(c.archived_at is not null)'

/** For `insert`: the columns of fields, and what follows from them. */
export const INSERTED_COLUMNS = [...names, 'content_digest'].join(', ')
/** For `select` from an `item` and its `project`: the values of {@link INSERTED_COLUMNS}. */
export const INSERTED_VALUES = [
  ...names.map((name) => (name === 'template' ? 'coalesce(item.template, project.default_template)' : `item.${name}`)),
  'item.content_digest',
].join(', ')

/** For `json_to_recordset` of {@link NewTestCase}. */
export const INSERTED_DEFINITIONS = `${define(names)}, content_digest uuid`
/** For `json_to_recordset` of items with some fields; `sent` has the names of these. */
export const SENT_DEFINITIONS = `${define(names)}, archived boolean, sent text[]`
/** For `json_to_recordset` of items with {@link BATCH_FIELDS}. */
export const BATCH_DEFINITIONS = define(BATCH_FIELDS)

function define(chosen: readonly TestCaseField[]): string {
  return chosen.map((name) => `${name} ${fields[name].type}`).join(', ')
}

/** An item for {@link SENT_DEFINITIONS}. */
export const toSentItem = (number: number, sent: SentFields) => ({
  number,
  ...sent,
  sent: Object.keys(sent),
})

/** The value of a field after a change: that of an `item`, or the one of the test case `c` if the item does not have it. */
function chooseSent(name: TestCaseField): string {
  if (fields[name].default !== null) return `coalesce(item.${name}, c.${name})`
  const sent = name === 'fields' ? mergeStoredValues('item.fields') : `item.${name}`
  return `case when '${name}' = any(item.sent) then ${sent} else c.${name} end`
}

/** The fields that an import changes by itself; it places test cases into folders, and has rules for keys. */
const plainNames = names.filter((name) => name !== 'folder_id' && name !== 'automation_keys')

/** For `update test_cases c … from json_to_recordset(…) item`, which also has hashes: fields that an item does not contain stay as they are. */
export const UPDATES_OF_SENT = names
  .filter((name) => name !== 'folder_id')
  .map((name) => `${name} = ${chooseSent(name)}`)
  .concat(`content_digest = ${buildChangedDigest('item.title_hash', 'item.steps_hash')}`)
  .join(', ')

/** An array of the names of the fields that an `item` changes, for test cases `c`. Large texts never leave the database. */
export const CHANGED_BY_SENT = `array_remove(array[${plainNames
  .map((name) => {
    // Types without equality are compared as the texts that they are.
    const cast = fields[name].type === 'json' ? '::text' : ''
    return `case when (${chooseSent(name)})${cast} is distinct from c.${name}${cast} then '${name}' end`
  })
  .join(', ')}], null)`

/**
 * A subquery with the earlier values of what an `item` changes in a test case `c`, by name, and the names; both are null for
 * nothing. Values of custom fields are `fields.<number>`.
 */
export const EARLIER_BY_SENT = `(
  select json_object_agg(name, value) as before, array_agg(name) as changed from (
    values ${names
      .filter((name) => name !== 'fields')
      .map((name) => `('${name}', ${getEarlier(name)})`)
      .join(', ')}, ('archived', case when item.archived <> ${IS_ARCHIVED} then to_json(${IS_ARCHIVED}) end)
    union all
    select 'fields.' || sent.key, coalesce(c.fields -> sent.key, 'null')::json from jsonb_each(item.fields) sent
    where nullif(sent.value, 'null') is distinct from c.fields -> sent.key
  ) earlier (name, value) where value is not null
)`

/** The value of a field as JSON if an `item` changes it, else null. */
function getEarlier(name: TestCaseField): string {
  const cast = fields[name].type === 'json' ? '::text' : ''
  return `case when '${name}' = any(item.sent) and item.${name}${cast} is distinct from c.${name}${cast}
    then coalesce(to_json(c.${name}), 'null') end`
}

/** The numbers of the custom fields that an `item` changes, for test cases `c`. */
export const CHANGED_FIELD_NUMBERS = `(
  select array_agg(sent.key::int) from jsonb_each(item.fields) sent
  where nullif(sent.value, 'null') is distinct from c.fields -> sent.key
)`

/** Columns of test cases `c` for a response. */
export function getColumns<Name extends TestCaseField>(
  chosen: readonly Name[],
): Readonly<Record<Name, Column<unknown>>> {
  const columns = chosen.map((name) => {
    const { type, encode } = fields[name]
    return [name, { sql: type.endsWith('[]') ? `to_json(c.${name})` : `c.${name}`, encode }]
  })
  return Object.fromEntries(columns) as Record<Name, Column<unknown>>
}

/** The fields of compact rows of test cases `c`. */
export function getRowFields<Name extends TestCaseField>(chosen: readonly Name[]): Readonly<Record<Name, string>> {
  const columns = chosen.map((name) => {
    const toJson = fields[name].encode === toPlainJsonString ? jsonPlainText : jsonValue
    return [name, toJson(`c.${name}`)]
  })
  return Object.fromEntries(columns) as Record<Name, string>
}

/**
 * Converts a request's fields to those that are stored: each tag appears once. Automation keys depend on those that are stored,
 * see `readSentKeys`; custom fields on those of the project, see `features/fields`; steps on shared steps.
 * @param steps what is stored for the steps of the request; undefined if it contains none
 */
export function toStoredFields(
  body: UpdateTestCaseBody,
  steps: StoredSteps | undefined,
): Partial<Omit<TestCaseFields, 'automation_keys' | 'fields'>> {
  const sent = Object.fromEntries(
    names.flatMap((name) => (isConverted(name) || body[name] === undefined ? [] : [[name, body[name]]])),
  )
  return {
    ...(sent as Omit<typeof body, 'steps' | 'automation_key' | 'automation_keys' | 'fields'>),
    ...steps,
    ...(body.tags === undefined ? {} : { tags: [...new Set(body.tags)] }),
  }
}

type ConvertedField = 'steps' | 'step_groups' | 'automation_keys' | 'fields'
const CONVERTED_FIELDS: ReadonlySet<TestCaseField> = new Set(['steps', 'step_groups', 'automation_keys', 'fields'])
const isConverted = (name: TestCaseField): name is ConvertedField => CONVERTED_FIELDS.has(name)

/**
 * @param itemPath the JSON Pointer of the item
 * @param stored.values of its custom fields
 * @param stored.steps what is stored for its steps; undefined if it contains none
 */
export function toNewTestCase(
  body: CreateTestCaseBody,
  itemPath: string,
  { values, steps }: { values: StoredValues | null; steps: StoredSteps | undefined },
): NewTestCase {
  const keys = readSentKeys(body, itemPath)
  const automation_keys = keys === undefined ? [] : 'all' in keys ? keys.all : [keys.first]
  const stored = { ...defaults, ...toStoredFields(body, steps), automation_keys, fields: values }
  return {
    ...stored,
    template: body.template ?? (fitsOneText(stored.steps) ? null : defaults.template),
    content_digest: buildContentDigest(stored.title, stored.steps),
  }
}

/** Whether steps say no more than one text does, so that they need no list. */
const fitsOneText = (steps: TestCase['steps']): boolean =>
  steps.length === 0 || (steps.length === 1 && steps[0]?.expected === '')
