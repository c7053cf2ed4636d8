import type { Evaluation } from '@caseward/contract/evaluation'
import { LISTED_VERDICTS } from '@caseward/contract/verdicts'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { runTextQuery } from '../../platform/database/fast-reads/text-rows.ts'
import { buildJsonRow, jsonPlainText, jsonTimestamp, jsonValue } from '../../platform/database/json-rows.ts'
import { EVALUATED_RUN } from './evaluated-run.queries.ts'
import type { StoredEvaluation } from './stored-evaluation.ts'

/** An evaluation as it is stored, for a response. */
export interface PresentedEvaluation {
  isCurrent: boolean
  failedTests: number
  json: string
}

const MAX_UPLOADS = 1000

/** The counts of a run that was never evaluated. */
const NO_COUNTS = JSON.stringify(Object.fromEntries(LISTED_VERDICTS.map((verdict) => [verdict, 0])))

/** A part of the stored evaluation as it is. */
const stored = (name: keyof StoredEvaluation, otherwise: string) =>
  `coalesce((r.evaluation->'${name}')::text, '${otherwise}')`

const UPLOAD = buildJsonRow<Evaluation['uploads'][number]>({
  number: 'u.number',
  job: jsonValue('u.job'),
  shard: jsonValue('u.shard'),
  variant: jsonValue('u.variant'),
  build_attempt: `coalesce(u.build_attempt::text, 'null')`,
  test_count: 'u.test_count',
  failed_count: 'u.failed_count',
  is_excluded: 'u.is_excluded::text',
  at: jsonTimestamp('u.uploaded_at'),
})

const UPLOADS = `(
  select coalesce('[' || string_agg(${UPLOAD}, ',' order by u.number) || ']', '[]') from (
    select * from run_uploads where project_id = $2 and run_id = $1 order by number desc limit ${MAX_UPLOADS}
  ) u
)`

const TESTS = buildJsonRow<Evaluation['tests']>({
  executed: stored('executed_count', '0'),
  passed: 'r.passed_test_count',
  failed: 'r.failed_test_count',
  skipped: 'r.skipped_test_count',
})

const EVALUATION = buildJsonRow<Evaluation>({
  run_id: jsonPlainText('r.id'),
  is_current: 'r.is_current::text',
  is_complete: 'r.is_complete::text',
  is_settled: 'r.is_settled::text',
  excluded: jsonPlainText('r.excluded'),
  evaluated_at: jsonTimestamp('r.evaluated_at'),
  base: stored('base', 'null'),
  counts: stored('counts', NO_COUNTS),
  // Errors outside of tests can be left out or put back at any time, and are no verdicts.
  blocking_count: `(${stored('blocking_count', '0')}::int + r.suite_error_count)`,
  tests: TESTS,
  suite_error_count: 'r.suite_error_count',
  uploads: UPLOADS,
  warnings: stored('warnings', '[]'),
})

/** PostgreSQL builds the response: people and gates ask for it all the time, and its parts are stored as they are sent. */
const SELECT_EVALUATION = `
  select r.is_current::text, r.failed_test_count::text, ${EVALUATION} from (${EVALUATED_RUN}) r`

/** Reads the evaluation of a run as it is stored; null when the run is gone. */
export async function selectEvaluation(db: Database, { id, project }: RunRef): Promise<PresentedEvaluation | null> {
  const [row] = await runTextQuery(db, { text: SELECT_EVALUATION, values: [id, project.id] })
  if (row === undefined) return null
  const [isCurrent, failedTests, json] = row
  return { isCurrent: isCurrent === 'true', failedTests: Number(failedTests), json: json ?? '' }
}
