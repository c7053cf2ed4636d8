import type { Evaluation } from '@caseward/contract/evaluation'
import { LISTED_VERDICTS } from '@caseward/contract/verdicts'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { runTextQuery, type TextRow } from '../../platform/database/fast-reads/text-rows.ts'
import { buildJsonRow, jsonTimestamp, jsonValue } from '../../platform/database/json-rows.ts'
import { toJsonTimestamp, toPlainJsonString } from '../../platform/http/json-text.ts'
import { EVALUATED_RUN_STATE } from './evaluated-run.queries.ts'
import type { StoredEvaluation } from './stored-evaluation.ts'

/** An evaluation as it is stored, for a response. */
export interface PresentedEvaluation {
  isCurrent: boolean
  failedTests: number
  json: string
}

const MAX_UPLOADS = 1000

/** The counts of a run that was never evaluated. */
const NO_COUNTS: Readonly<Record<string, number>> = Object.fromEntries(LISTED_VERDICTS.map((verdict) => [verdict, 0]))

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

// Uploads are numbered without gaps, so that the index has them in order: to sort the newest ones takes half as long again.
const UPLOADS = `array_to_string(array(
  select ${UPLOAD} from run_uploads u
  where u.project_id = $2 and u.run_id = $1 and u.number > runs.upload_count - ${MAX_UPLOADS} order by u.number
), ',')`

/**
 * People and gates ask for it all the time. PostgreSQL builds what may be long; the stored evaluation is read in Node, because `->`
 * parses it anew for each of its parts. The statement takes 1.0 to 1.2 times as long as that of a run; built completely by
 * PostgreSQL, 1.6 to 1.75 times.
 */
const SELECT_EVALUATION = `
  select ${EVALUATED_RUN_STATE.select}, runs.excluded, runs.evaluated_at, runs.evaluation, runs.suite_error_count,
    runs.passed_test_count, runs.failed_test_count, runs.skipped_test_count, ${UPLOADS}
  ${EVALUATED_RUN_STATE.from} where runs.id = $1`

/** Reads the evaluation of a run as it is stored; null when the run is gone. */
export async function selectEvaluation(db: Database, { id, project }: RunRef): Promise<PresentedEvaluation | null> {
  const [row] = await runTextQuery(db, { text: SELECT_EVALUATION, values: [id, project.id] })
  return row === undefined ? null : presentEvaluation(id, row)
}

/** A text for each part: to spread the stored evaluation and to serialize one large object takes three times as long. */
function presentEvaluation(runId: string, row: TextRow): PresentedEvaluation {
  const [isComplete, isSettled, isCurrent, excluded, evaluatedAt, stored, errors, passed, failed, skipped, uploads] =
    row
  const evaluation = typeof stored === 'string' ? (JSON.parse(stored) as Partial<StoredEvaluation>) : {}
  const { base = null, counts = NO_COUNTS, blocking_count = 0, executed_count = 0, warnings = [] } = evaluation
  const parts: { readonly [Field in keyof Evaluation]: string | number | boolean } = {
    run_id: toPlainJsonString(runId),
    is_current: isCurrent === 't',
    is_complete: isComplete === 't',
    is_settled: isSettled === 't',
    excluded: typeof excluded === 'string' ? toPlainJsonString(excluded) : 'null',
    evaluated_at: typeof evaluatedAt === 'string' ? toJsonTimestamp(evaluatedAt) : 'null',
    base: base === null ? 'null' : JSON.stringify(base),
    counts: JSON.stringify(counts),
    // Errors outside of tests can be left out or put back at any time, and are no verdicts.
    blocking_count: blocking_count + Number(errors),
    tests: `{"executed":${executed_count},"passed":${passed},"failed":${failed},"skipped":${skipped}}`,
    suite_error_count: Number(errors),
    uploads: `[${uploads ?? ''}]`,
    warnings: JSON.stringify(warnings),
  }
  let json = ''
  for (const name in parts) json += `${json === '' ? '{' : ','}"${name}":${parts[name as keyof Evaluation]}`
  return { isCurrent: isCurrent === 't', failedTests: Number(failed), json: `${json}}` }
}
