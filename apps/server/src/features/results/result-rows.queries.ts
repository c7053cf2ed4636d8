import { MAX_RESULT_CHANGES } from '@caseward/contract/result-changes'
import type { ResultDetail, ResultRow } from '@caseward/contract/result-rows'

import type { RunRef } from '../../access/project-cache.ts'
import { type ColumnsOf, defineColumns } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { runTextQuery } from '../../platform/database/fast-reads/text-rows.ts'
import {
  buildJsonRow,
  buildRowSelect,
  jsonFieldWhenSet,
  jsonPlainText,
  type JsonRows,
  jsonTimestamp,
  jsonValue,
  readJsonRows,
} from '../../platform/database/json-rows.ts'
import { FIRST_ID, isUuid } from '../../platform/http/ids.ts'
import { toRawJson } from '../../platform/http/json-text.ts'
import type { RowPageRange } from '../../platform/http/row-pages.ts'
import { testCaseDetail, toDetailContext } from '../test-cases/test-case-columns.ts'
import { selectAttachmentsOfResult } from '../attachments/attachments.queries.ts'
import { presentLink, selectLinks } from '../links/links.queries.ts'
import { toValuesContext } from '../fields/values-context.ts'
import type { CaseStep } from '../step-results/align-steps.ts'
import { placeSteps } from '../step-results/change-steps.ts'
import { selectSteps, STEP_STATE } from '../step-results/step-results.queries.ts'
import { selectTestsOfResult } from '../tests/run-tests.queries.ts'
import { parseTestCaseNumber } from '../test-cases/test-case-ids.ts'
import { type ResultContext, resultFields, valuesColumn } from './result-columns.ts'
import { buildLacksMark, REQUIRED_FIELDS } from './result-fields.queries.ts'
import { buildFilters, IN_RUN, type ResultFilters } from './result-filters.ts'
import { buildTestedColumns, readTestedVersion, type TestedVersion } from './tested-version.ts'
import {
  ATTACHMENT_COUNT,
  buildJoinCombinationNote,
  buildJoinDefect,
  buildJoinTestCase,
  COMBINATION_STATUSES_FIELD,
  COMMENT_COUNT,
  FIRST_DEFECT,
  LINK_COUNT,
  MORE_COMBINATIONS,
  NOTE_LINE,
  resultRowFields,
} from './result-rows.ts'

/** The fields of a row: columns of `test_results r`, its test case `c`, its defect `d` and the run, with the prefix of its project. */
const rowJson = buildJsonRow<ResultRow>(
  {
    id: jsonPlainText('r.id'),
    test_case_id: jsonPlainText(`run.prefix || '-' || r.case_number`),
    test_case_title: jsonValue('r.title'),
    folder_id: jsonPlainText('c.folder_id'),
    priority: jsonPlainText('c.priority'),
    type: jsonPlainText('c.type'),
    tags: `coalesce(to_json(c.tags)::text, '[]')`,
    status: jsonPlainText('r.status'),
    note_line: jsonValue(NOTE_LINE),
    elapsed: jsonValue('r.elapsed'),
    tested_by: jsonPlainText('r.tested_by'),
    tested_at: jsonTimestamp('r.tested_at'),
    assigned_to: jsonPlainText('r.assigned_to'),
    step_state: jsonPlainText(STEP_STATE),
    attachment_count: ATTACHMENT_COUNT,
    comment_count: COMMENT_COUNT,
    link_count: LINK_COUNT,
    defect: jsonValue(FIRST_DEFECT),
  },
  [
    jsonFieldWhenSet('estimate', 'c.estimate'),
    COMBINATION_STATUSES_FIELD,
    jsonFieldWhenSet('more_combinations', MORE_COMBINATIONS),
    jsonFieldWhenSet('lacks_fields', `(${buildLacksMark('run.required_fields')})::boolean`),
  ],
)

/** A page of a run's results as compact rows, in the order of the list; null when the run is gone. */
export async function selectResultRows(
  db: Database,
  run: RunRef,
  filters: ResultFilters,
  { perPage, offset, after }: RowPageRange,
): Promise<JsonRows | null> {
  const { where, total, values } = buildFilters(filters)
  const first = values.length + 3
  const inRun = `${IN_RUN}${where}`
  return await readJsonRows(db, {
    text: buildRowSelect({
      json: rowJson,
      from: `
        (
          select * from test_results r where ${inRun} and r.id > $${first}
          order by r.id limit $${first + 1} offset $${first + 2}
        ) r
        ${buildJoinTestCase('$2')}
        ${buildJoinDefect('$2')}
        ${buildJoinCombinationNote('$2')}`,
      key: 'r.id',
      // PostgreSQL 15 has no max(uuid).
      lastKey: 'max(r.id::text)',
      following: `select from test_results r where ${inRun} and r.id > page.last_key::uuid`,
      total,
      owner: {
        name: 'run',
        query: `select runs.*, p.prefix, ${REQUIRED_FIELDS} as required_fields from runs join projects p on p.id = runs.project_id where runs.id = $1`,
      },
    }),
    values: [run.id, run.project.id, ...values, after ?? FIRST_ID, perPage, offset],
  })
}

type ResultFields = Omit<
  ResultDetail,
  'lacks_fields' | 'test_case' | 'tests' | 'attachments' | 'links' | 'steps' | keyof TestedVersion
>
/** The fields of a result that are followed by those of its test case. */
const detailFields: ColumnsOf<ResultFields, ResultContext> = {
  ...resultRowFields,
  note: resultFields.note,
  fields: valuesColumn,
  change_count: { sql: `least(r.change_count, ${MAX_RESULT_CHANGES})`, encode: toRawJson },
}
const detailColumns = defineColumns<ResultFields, ResultContext>(detailFields)
const DETAIL_SIZE = Object.keys(detailFields).length
const STEP_STATE_COLUMN = Object.keys(detailFields).indexOf('step_state')
const FIELDS_COLUMN = Object.keys(detailFields).indexOf('fields')
const LINK_COUNT_COLUMN = Object.keys(detailFields).indexOf('link_count')

/** Whether the run has attachments: those of a test can be at another result. */
const RUN_HAS_ATTACHMENTS = '(select attachment_count is not null from runs where id = $2)'

const SELECT_DETAIL = `
  select ${detailColumns.selectList}, ${RUN_HAS_ATTACHMENTS}, ${buildTestedColumns('$2')}, ${testCaseDetail.selectList}
  from test_results r ${buildJoinTestCase('$1')} ${buildJoinDefect('$1')} ${buildJoinCombinationNote('$1')}
  where r.project_id = $1 and r.run_id = $2`
const SELECT_BY_ID = `${SELECT_DETAIL} and r.id = $3`
const SELECT_BY_TEST_CASE = `${SELECT_DETAIL} and r.run_group = $3 and r.case_number = $4`

/** A result with its test case and its tests as a JSON object, by its own id or that of its test case; null when there is none. */
export async function selectResultDetail(db: Database, run: RunRef, id: string): Promise<string | null> {
  const { project } = run
  const number = parseTestCaseNumber(id, project.prefix)
  if (number === null && !isUuid(id)) return null
  const [row] = await runTextQuery(
    db,
    number === null
      ? { text: SELECT_BY_ID, values: [project.id, run.id, id] }
      : { text: SELECT_BY_TEST_CASE, values: [project.id, run.id, run.group, number] },
  )
  if (row === undefined) return null
  const testCase = row.slice(DETAIL_SIZE + 2)
  const hasTestCase = testCase[0] !== null
  const context = await toValuesContext(db, project, 'result', [row], FIELDS_COLUMN)
  const detail = detailColumns.toJson(row, { ...project, ...context }).slice(0, -1)
  const resultId = row[0] ?? ''
  const tests = hasTestCase ? await selectTestsOfResult(db, run, resultId) : { json: '[]', ids: [] }
  const attachments =
    row[DETAIL_SIZE] === 't' ? await selectAttachmentsOfResult(db, run, { resultId, testIds: tests.ids }) : []
  const links =
    row[LINK_COUNT_COLUMN] === '0' ? [] : await selectLinks(db, { projectId: project.id, runId: run.id, resultId })
  const stored = row[STEP_STATE_COLUMN] === null ? null : await selectSteps(db, run, resultId)
  const testCaseJson = hasTestCase
    ? testCaseDetail.toJson(testCase, await toDetailContext(db, project, [testCase]))
    : 'null'
  const tested = await readTestedVersion(db, project, row[DETAIL_SIZE + 1] ?? null, stored)
  const steps = stored === null ? [] : placeSteps(stored, readCaseSteps(testCaseJson))
  const parts = {
    test_case: testCaseJson,
    tests: tests.json,
    attachments: JSON.stringify(attachments),
    links: JSON.stringify(links.map(presentLink)),
    steps: JSON.stringify(steps),
  }
  return `${detail}${Object.entries(parts)
    .map(([name, json]) => `,"${name}":${json}`)
    .join('')}${tested === null ? '' : `,${JSON.stringify(tested).slice(1, -1)}`}}`
}

const readCaseSteps = (testCaseJson: string) =>
  (JSON.parse(testCaseJson) as { steps: CaseStep[] } | null)?.steps ?? null
