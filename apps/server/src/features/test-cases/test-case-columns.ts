import { type ListedField, type RowField, testCaseFields } from '@caseward/contract/test-case-fields'
import type { TestCaseRow } from '@caseward/contract/test-case-rows'
import type { TestCase, TestCaseListItem } from '@caseward/contract/test-case-schemas'

import type { ProjectRef } from '../../access/project-cache.ts'
import { defineColumns } from '../../platform/database/columns.ts'
import {
  buildJsonRow,
  jsonFieldWhenSet,
  jsonPlainText,
  jsonTimestamp,
  jsonValue,
} from '../../platform/database/json-rows.ts'
import { toJsonString, toJsonTimestamp, toPlainJsonString, toRawJson } from '../../platform/http/json-text.ts'
import { POSITION } from './positions.ts'
import { getColumns, getRowFields, type TestCaseField } from './test-case-fields.ts'
import { formatTestCaseId } from './test-case-ids.ts'

/*
 * Test cases in responses: columns of `test_cases c`.
 */

const names = Object.keys(testCaseFields) as TestCaseField[]
const listedNames = names.filter((name): name is ListedField => testCaseFields[name].listed === 'always')

const id = {
  sql: 'c.number',
  encode: (number: string, { prefix }: ProjectRef) => toPlainJsonString(formatTestCaseId(prefix, number)),
}
const times = {
  created_at: { sql: 'c.created_at', encode: toJsonTimestamp },
  updated_at: { sql: 'c.updated_at', encode: toJsonTimestamp },
}

/** A test case in lists and in the response to its creation. */
export const testCaseListItem = defineColumns<TestCaseListItem, ProjectRef>({
  id,
  ...getColumns(listedNames),
  ...times,
})

/** A test case with all its fields. */
export const testCaseDetail = defineColumns<TestCase, ProjectRef>({
  id,
  ...getColumns(names),
  ...times,
  automation_key: { sql: 'c.automation_keys[1]', encode: toJsonString },
  created_by: { sql: 'c.created_by', encode: toPlainJsonString },
  position: { sql: POSITION, encode: toPlainJsonString },
  version: { sql: 'c.version', encode: toRawJson },
})

/** A compact row as JSON text, which also needs the column `prefix` of `project`. */
export const testCaseRow = buildJsonRow<TestCaseRow>(
  {
    id: jsonPlainText(`project.prefix || '-' || c.number`),
    ...getRowFields(names.filter((name): name is RowField => isInRows(name, 'always'))),
    position: jsonPlainText(POSITION),
    automation_key: jsonValue('c.automation_keys[1]'),
    updated_at: jsonTimestamp('c.updated_at'),
    version: jsonValue('c.version'),
  },
  names.filter((name) => isInRows(name, 'when_set')).map((name) => jsonFieldWhenSet(name, `c.${name}`)),
)

function isInRows(name: TestCaseField, when: 'always' | 'when_set'): boolean {
  const field = testCaseFields[name]
  return 'inRows' in field && field.inRows === when
}
