import type { TestCase, TestCaseListItem } from '@caseward/contract/test-case-schemas'

import { type ColumnsOf, defineColumns } from '../../platform/database/columns.ts'
import { POSITION } from './positions.ts'
import { formatTestCaseId } from './test-case-ids.ts'
import { toJsonString, toJsonTimestamp, toPlainJsonString, toRawJson } from '../../platform/http/json-text.ts'
import type { ProjectRef } from '../../access/project-cache.ts'

/** Columns of `test_cases c`. */
const listItem: ColumnsOf<TestCaseListItem, ProjectRef> = {
  id: { sql: 'c.number', encode: (number, { prefix }) => toPlainJsonString(formatTestCaseId(prefix, number)) },
  title: { sql: 'c.title', encode: toJsonString },
  folder_id: { sql: 'c.folder_id', encode: toPlainJsonString },
  priority: { sql: 'c.priority', encode: toPlainJsonString },
  type: { sql: 'c.type', encode: toPlainJsonString },
  precondition: { sql: 'c.precondition', encode: toJsonString },
  steps: { sql: 'c.steps', encode: toRawJson },
  expected_result: { sql: 'c.expected_result', encode: toJsonString },
  created_at: { sql: 'c.created_at', encode: toJsonTimestamp },
  updated_at: { sql: 'c.updated_at', encode: toJsonTimestamp },
}

/** A test case in lists and in the response to its creation. */
export const testCaseListItem = defineColumns<TestCaseListItem, ProjectRef>(listItem)

/** A test case with all its fields. */
export const testCaseDetail = defineColumns<TestCase, ProjectRef>({
  ...listItem,
  tags: { sql: 'to_json(c.tags)', encode: toRawJson },
  automation_key: { sql: 'c.automation_keys[1]', encode: toJsonString },
  automation_keys: { sql: 'to_json(c.automation_keys)', encode: toRawJson },
  created_by: { sql: 'c.created_by', encode: toPlainJsonString },
  position: { sql: POSITION, encode: toPlainJsonString },
  version: { sql: 'c.version', encode: toRawJson },
})
