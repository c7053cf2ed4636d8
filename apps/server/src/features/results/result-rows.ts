import type { ResultRow } from '@caseward/contract/result-rows'

import type { ProjectRef } from '../../access/project-cache.ts'
import { type ColumnsOf, defineColumns } from '../../platform/database/columns.ts'
import { toJsonString, toPlainJsonString, toRawJson } from '../../platform/http/json-text.ts'
import { resultFields } from './result-columns.ts'

const { id, test_case_id, test_case_title, status, elapsed, tested_by, tested_at } = resultFields

/** Columns of `test_results r` and its test case `c`; see {@link JOIN_TEST_CASE}. */
const rowFields: ColumnsOf<ResultRow, ProjectRef> = {
  id,
  test_case_id,
  test_case_title,
  folder_id: { sql: 'c.folder_id', encode: toPlainJsonString },
  priority: { sql: 'c.priority', encode: toPlainJsonString },
  type: { sql: 'c.type', encode: toPlainJsonString },
  tags: { sql: `coalesce(to_json(c.tags), '[]')`, encode: toRawJson },
  status,
  note_line: { sql: `left(split_part(r.note, E'\\n', 1), 200)`, encode: toJsonString },
  elapsed,
  tested_by,
  tested_at,
}

/** A result with the fields that a table of a run shows. */
export const resultRowColumns = defineColumns<ResultRow, ProjectRef>(rowFields)

/** Joins a result `r` with its test case `c`, if there still is one. */
export const JOIN_TEST_CASE = 'left join test_cases c on c.project_id = r.project_id and c.number = r.case_number'
