import type { Run } from '@caseward/contract/run-schemas'

import { type ColumnsOf, defineColumns } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TextRow } from '../../platform/database/fast-reads/text-rows.ts'
import { encodeValues, toValuesContext, type ValuesContext } from '../fields/values-context.ts'
import { toJsonString, toJsonTimestamp, toPlainJsonString, toRawJson } from '../../platform/http/json-text.ts'
import { PASS_RATE, RESULT_COUNT } from './run-counts.ts'

/** Null unless the counters are those of all tests without a test case: servers of earlier versions did not move them. */
const UNMATCHED_STATS = `case
  when r.unmatched_passed_count + r.unmatched_failed_count + r.unmatched_skipped_count = r.unmatched_test_count
  then json_build_object(
    'passed', r.unmatched_passed_count, 'failed', r.unmatched_failed_count, 'skipped', r.unmatched_skipped_count
  )
end`

/** The tests of `runs r` by outcome. */
export const TEST_STATS = `json_build_object(
  'total', r.passed_test_count + r.failed_test_count + r.skipped_test_count, 'unmatched', r.unmatched_test_count,
  'passed', r.passed_test_count, 'failed', r.failed_test_count, 'flaky', r.flaky_test_count,
  'skipped', r.skipped_test_count, 'unmatched_stats', ${UNMATCHED_STATS}, 'errors', r.suite_error_count
)`

/** What the test cases of `runs r` are tested with. Only runs that have a number of combinations are looked up. */
const CONFIGURATIONS = `case when r.combination_count is not null then (
  select json_agg(json_build_object('place', f.place, 'name', f.name, 'stats', json_build_object(
    'passed', f.passed_count, 'failed', f.failed_count, 'blocked', f.blocked_count, 'retest', f.retest_count,
    'not_tested', f.not_tested_count
  )) order by f.place) from run_configurations f where f.run_id = r.id
) end`

/** Columns of `runs r`. */
/** Without the values of custom fields. */
export const runFields: ColumnsOf<Omit<Run, 'fields' | 'evaluation'>, unknown> = {
  id: { sql: 'r.id', encode: toPlainJsonString },
  project_id: { sql: 'r.project_id', encode: toPlainJsonString },
  name: { sql: 'r.name', encode: toJsonString },
  description: { sql: 'r.description', encode: toJsonString },
  status: { sql: 'r.status', encode: toPlainJsonString },
  milestone_id: { sql: 'r.milestone_id', encode: toPlainJsonString },
  pass_rate: { sql: PASS_RATE, encode: toRawJson },
  stats: {
    sql: `json_build_object(
      'passed', r.passed_count, 'failed', r.failed_count, 'blocked', r.blocked_count, 'retest', r.retest_count,
      'not_tested', r.not_tested_count
    )`,
    encode: toRawJson,
  },
  result_count: { sql: RESULT_COUNT, encode: toRawJson },
  created_by: { sql: 'coalesce(r.created_by, r.created_by_person)', encode: toPlainJsonString },
  created_at: { sql: 'r.created_at', encode: toJsonTimestamp },
  updated_at: { sql: 'r.updated_at', encode: toJsonTimestamp },
  completed_at: { sql: 'r.completed_at', encode: toJsonTimestamp },
  run_key: { sql: 'r.run_key', encode: toJsonString },
  metadata: { sql: 'r.metadata', encode: toRawJson },
  expected_shards: { sql: 'r.expected_shards', encode: toRawJson },
  shards_done: { sql: 'to_json(r.shards_done)', encode: toRawJson },
  adds_test_cases: { sql: 'to_json(r.adds_test_cases)', encode: toRawJson },
  test_stats: { sql: TEST_STATS, encode: toRawJson },
  suite_error_count: { sql: 'r.suite_error_count', encode: toRawJson },
  attachment_count: { sql: 'coalesce(r.attachment_count, 0)', encode: toRawJson },
  waiting_file_count: { sql: 'coalesce(r.waiting_file_count, 0)', encode: toRawJson },
  comment_count: { sql: 'coalesce(r.comment_count, 0)', encode: toRawJson },
  configurations: { sql: CONFIGURATIONS, encode: toRawJson, isOptional: true },
  combination_count: { sql: 'r.combination_count', encode: toRawJson, isOptional: true },
}

/** Errors outside of tests can be left out or put back at any time, and are no verdicts. */
const EVALUATION = `case when r.evaluation is not null then json_build_object(
  'is_current', coalesce(r.evaluated_upload_count = r.upload_count, false), 'excluded', r.excluded,
  'counts', r.evaluation->'counts', 'blocking_count', (r.evaluation->>'blocking_count')::int + r.suite_error_count
) end`

const allFields: ColumnsOf<Omit<Run, 'evaluation'>, ValuesContext> = {
  ...runFields,
  fields: { sql: 'r.fields', encode: encodeValues, isOptional: true },
}
export const runColumns = defineColumns<Omit<Run, 'evaluation'>, ValuesContext>(allFields)
/** With what the tests of a run mean. */
export const evaluatedRunColumns = defineColumns<Run, ValuesContext>({
  ...allFields,
  evaluation: { sql: EVALUATION, encode: toRawJson, isOptional: true },
})
const names = Object.keys(allFields)
const FIELDS_INDEX = names.indexOf('fields')
const PROJECT_INDEX = names.indexOf('project_id')

/** Reads the fields of runs if rows of {@link runColumns} have values: most have none. All are of one project. */
export const toRunContext = async (db: Database, rows: readonly TextRow[]): Promise<ValuesContext> =>
  await toValuesContext(db, { id: rows[0]?.[PROJECT_INDEX] ?? '' }, 'run', rows, FIELDS_INDEX)
