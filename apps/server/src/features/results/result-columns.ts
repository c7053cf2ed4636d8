import type { TestResult } from '@caseward/contract/results'

import { type ColumnsOf, defineColumns } from '../../platform/database/columns.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'
import { toJsonString, toJsonTimestamp, toPlainJsonString, toRawJson } from '../../platform/http/json-text.ts'
import { encodeValues, toValuesContext, type ValuesContext } from '../fields/values-context.ts'
import type { TextRow } from '../../platform/database/fast-reads/text-rows.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { ProjectRef } from '../../access/project-cache.ts'

/** Columns of `test_results r`. */
export const resultFields: ColumnsOf<Omit<TestResult, 'fields'>, ProjectRef> = {
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

/** Without the values of custom fields. */
export const resultColumns = defineColumns<Omit<TestResult, 'fields'>, ProjectRef>(resultFields)

/** The context of columns with values of custom fields. */
export type ResultContext = ProjectRef & ValuesContext

/** The values of the custom fields of `test_results r`. */
export const valuesColumn = { sql: 'r.fields', encode: encodeValues, isOptional: true } as const

const allFields: ColumnsOf<TestResult, ResultContext> = { ...resultFields, fields: valuesColumn }
export const allResultColumns = defineColumns<TestResult, ResultContext>(allFields)
const FIELDS_INDEX = Object.keys(allFields).indexOf('fields')

/** Reads the fields of the project if rows of {@link allResultColumns} have values. */
export const toResultContext = async (
  db: Database,
  project: ProjectRef,
  rows: readonly TextRow[],
): Promise<ResultContext> => ({
  ...project,
  ...(await toValuesContext(db, project, 'result', rows, FIELDS_INDEX)),
})
