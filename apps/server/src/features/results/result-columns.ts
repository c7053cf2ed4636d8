import type { TestResult } from '@caseward/contract/results'

import { type ColumnsOf, defineColumns } from '../../platform/database/columns.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'
import { toJsonString, toJsonTimestamp, toPlainJsonString, toRawJson } from '../../platform/http/json-text.ts'
import type { ProjectRef } from '../../access/project-cache.ts'

/** Columns of `test_results r`. */
export const resultFields: ColumnsOf<TestResult, ProjectRef> = {
  id: { sql: 'r.id', encode: toPlainJsonString },
  // Null after the test case was deleted.
  test_case_id: {
    sql: 'r.case_number',
    encode: (number, { prefix }) => toPlainJsonString(formatTestCaseId(prefix, number)),
  },
  test_case_title: { sql: 'r.title', encode: toJsonString },
  status: { sql: 'r.status', encode: toPlainJsonString },
  note: { sql: 'r.note', encode: toJsonString },
  elapsed: { sql: 'r.elapsed', encode: toRawJson },
  tested_by: { sql: 'r.tested_by', encode: toPlainJsonString },
  tested_at: { sql: 'r.tested_at', encode: toJsonTimestamp },
}

export const resultColumns = defineColumns<TestResult, ProjectRef>(resultFields)
