import type { RunTest, RunTestDetail } from '@caseward/contract/run-tests'
import type { OutcomeInRun, ProjectTest } from '@caseward/contract/tests'
import type { ProjectRef } from '../../access/project-cache.ts'
import { type ColumnsOf, defineColumns } from '../../platform/database/columns.ts'
import { toJsonString, toJsonTimestamp, toPlainJsonString, toRawJson } from '../../platform/http/json-text.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'

/*
 * The first parameter of the statements, $1, is the project's id. Conditions compare with it, and not with the column of another
 * table, because Citus finds the node of a statement only by that.
 */

const LINKS = 'from test_links where project_id = $1 and test_id = t.id'

/** Columns of `tests t`. */
const identity = {
  id: { sql: 't.id', encode: toPlainJsonString },
  suite: { sql: 't.suite', encode: toJsonString },
  name: { sql: 't.name', encode: toJsonString },
  variant: { sql: 't.variant', encode: toJsonString },
  file: { sql: 't.file', encode: toJsonString },
  module: { sql: 't.module', encode: toJsonString },
  test_case_ids: {
    sql: `(select coalesce(string_agg(case_number::text, ',' order by case_number), '') ${LINKS})`,
    encode: (numbers: string, { prefix }: ProjectRef) =>
      numbers === '' ? '[]' : JSON.stringify(numbers.split(',').map((number) => formatTestCaseId(prefix, number))),
  },
  linked_by: { sql: `(select min(source) ${LINKS})`, encode: toPlainJsonString },
}

/** Columns of `test_outcomes o`. */
const outcome = {
  outcome: { sql: 'o.status', encode: toPlainJsonString },
  is_flaky: { sql: 'to_json(o.is_flaky)', encode: toRawJson },
  elapsed_ms: { sql: 'o.elapsed_ms', encode: toRawJson },
  attempt_count: { sql: 'o.attempt_count', encode: toRawJson },
  tested_at: { sql: 'o.tested_at', encode: toJsonTimestamp },
}

/** As many attempts as a list shows. */
const LISTED_ATTEMPTS = 20

const runTest: ColumnsOf<RunTest, ProjectRef> = {
  ...identity,
  ...outcome,
  attempt_statuses: {
    sql: `case when o.attempts is null then json_build_array(o.status) else (
      select json_agg(attempt ->> 'status') from (
        select attempt from json_array_elements(o.attempts) attempt limit ${LISTED_ATTEMPTS}
      ) listed
    ) end`,
    encode: toRawJson,
  },
  attachment_count: { sql: 'coalesce(o.attachment_count, 0)', encode: toRawJson },
}

/** A test of a run: `tests t` with its outcome `test_outcomes o`. */
export const runTestColumns = defineColumns<RunTest, ProjectRef>(runTest)

export const runTestDetailColumns = defineColumns<
  Omit<RunTestDetail, 'parts' | 'is_in_newest_report' | 'attachments'>,
  ProjectRef
>({
  ...runTest,
  attempts: {
    sql: `coalesce(o.attempts, json_build_array(json_build_object(
      'status', o.status, 'elapsed_ms', o.elapsed_ms, 'message', '', 'details', '', 'started_at', null
    )))`,
    encode: toRawJson,
  },
})

const outcomeInRun: ColumnsOf<OutcomeInRun> = {
  run_id: { sql: 'r.id', encode: toPlainJsonString },
  run_name: { sql: 'r.name', encode: toJsonString },
  ...outcome,
}

/** An outcome `test_outcomes o` in the run `runs r`. */
export const outcomeInRunColumns = defineColumns<OutcomeInRun>(outcomeInRun)

/** The newest runs that are looked into for the latest outcome of a test. */
const RECENT_RUNS = 100

/** Joins `latest`, the outcome of `tests t` in the newest run that has one. Reads one index entry for each run. */
export const JOIN_LATEST = `
  left join lateral (
    select json_build_object(
      'run_id', r.id, 'run_name', r.name, 'outcome', o.status, 'is_flaky', o.is_flaky, 'elapsed_ms', o.elapsed_ms,
      'attempt_count', o.attempt_count,
      'tested_at', to_char(o.tested_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    ) as latest, r.id as run_id
    from (
      select id, name from runs where project_id = $1 order by id desc limit ${RECENT_RUNS}
    ) r, lateral (
      select * from test_outcomes
      where project_id = $1 and run_id = r.id and test_id = t.id limit 1
    ) o
    order by r.id desc limit 1
  ) latest on true`

/** A test of a project: `tests t` with {@link JOIN_LATEST}. What `fields=stability` adds is read apart from it. */
export const projectTestColumns = defineColumns<Omit<ProjectTest, 'stability' | 'quarantine'>, ProjectRef>({
  ...identity,
  latest: { sql: 'latest.latest', encode: toRawJson },
  created_at: { sql: 't.created_at', encode: toJsonTimestamp },
})
