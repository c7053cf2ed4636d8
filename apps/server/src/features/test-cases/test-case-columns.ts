import { type ListedField, type RowField, testCaseFields } from '@caseward/contract/test-case-fields'
import type { TestCaseRow } from '@caseward/contract/test-case-rows'
import type { TestCase, TestCaseListItem } from '@caseward/contract/test-case-schemas'

import type { ProjectRef } from '../../access/project-cache.ts'
import { type ColumnsOf, defineColumns } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TextRow } from '../../platform/database/fast-reads/text-rows.ts'
import {
  buildJsonRow,
  jsonFieldWhenSet,
  jsonPlainText,
  jsonTimestamp,
  jsonValue,
} from '../../platform/database/json-rows.ts'
import { toJsonString, toJsonTimestamp, toPlainJsonString, toRawJson } from '../../platform/http/json-text.ts'
import { encodeValues, toValuesContext, type ValuesContext } from '../fields/values-context.ts'
import { jsonChosenFields } from './chosen-fields.ts'
import { POSITION } from './positions.ts'
import { getColumns, getRowFields } from './test-case-fields.ts'
import { formatTestCaseId } from './test-case-ids.ts'

/*
 * Test cases in responses: columns of `test_cases c`.
 */

const names = Object.keys(testCaseFields) as (keyof typeof testCaseFields)[]
/** Without custom fields, whose values are presented otherwise. */
const builtInNames = names.filter((name) => name !== 'fields')
const listedNames = names.filter((name): name is ListedField => testCaseFields[name].listed === 'always')

const id = {
  sql: 'c.number',
  encode: (number: string, { prefix }: ProjectRef) => toPlainJsonString(formatTestCaseId(prefix, number)),
}
const times = {
  created_at: { sql: 'c.created_at', encode: toJsonTimestamp },
  updated_at: { sql: 'c.updated_at', encode: toJsonTimestamp },
}

const archivedAt = { sql: 'c.archived_at', encode: toJsonTimestamp }

/** The number of the test case that `c` was merged into. A server of an earlier version may have restored it, and left the column. */
const MERGED_INTO = 'case when c.archived_at is not null then c.merged_into end'

/** A test case in lists and in the response to its creation. */
export const testCaseListItem = defineColumns<TestCaseListItem, ProjectRef>({
  id,
  ...getColumns(listedNames),
  ...times,
  archived_at: { ...archivedAt, isOptional: true },
})

/** What presenting a test case needs: its project, and the fields of that if it has values of any. */
type DetailContext = ProjectRef & ValuesContext

const detailColumns: ColumnsOf<TestCase, DetailContext> = {
  id,
  ...getColumns(builtInNames),
  ...times,
  automation_key: { sql: 'c.automation_keys[1]', encode: toJsonString },
  created_by: { sql: 'c.created_by', encode: toPlainJsonString },
  position: { sql: POSITION, encode: toPlainJsonString },
  version: { sql: 'c.version', encode: toRawJson },
  archived_at: archivedAt,
  fields: { sql: 'c.fields', encode: encodeValues, isOptional: true },
  step_groups: { sql: 'c.step_groups', encode: toRawJson, isOptional: true },
  merged_into: { ...id, sql: MERGED_INTO, isOptional: true },
}

/** A test case with all its fields. */
export const testCaseDetail = defineColumns<TestCase, DetailContext>(detailColumns)

const FIELDS_INDEX = Object.keys(detailColumns).indexOf('fields')

/** Reads the fields of the project if rows of {@link testCaseDetail} have values: most have none. */
export async function toDetailContext(
  db: Database,
  project: ProjectRef,
  rows: readonly TextRow[],
): Promise<DetailContext> {
  return { ...project, ...(await toValuesContext(db, project, 'case', rows, FIELDS_INDEX)) }
}

/**
 * Returns a compact row as JSON text, which also needs the column `prefix` of `project`.
 * @param chosenFields of {@link jsonChosenFields}, or none
 */
const buildTestCaseRow = (chosenFields: readonly string[]): string =>
  buildJsonRow<TestCaseRow>(
    {
      id: jsonPlainText(`project.prefix || '-' || c.number`),
      ...getRowFields(names.filter((name): name is RowField => isInRows(name, 'always'))),
      position: jsonPlainText(POSITION),
      automation_key: jsonValue('c.automation_keys[1]'),
      updated_at: jsonTimestamp('c.updated_at'),
      version: jsonValue('c.version'),
    },
    [
      ...names.filter((name) => isInRows(name, 'when_set')).map((name) => jsonFieldWhenSet(name, `c.${name}`)),
      jsonFieldWhenSet('archived_at', 'c.archived_at', jsonTimestamp),
      ...chosenFields,
    ],
  )

export const testCaseRow = buildTestCaseRow([])
/** A compact row with some custom fields. @param parameter that of {@link toChosenFields} */
export const buildRowWithFields = (parameter: string): string => buildTestCaseRow([jsonChosenFields(parameter)])

function isInRows(name: keyof typeof testCaseFields, when: 'always' | 'when_set'): boolean {
  const field = testCaseFields[name]
  return 'inRows' in field && field.inRows === when
}
