import type { Evaluation, EvaluationWarning } from '@caseward/contract/evaluation'
import type { EvaluationCounts } from '@caseward/contract/evaluation-fields'
import { sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { EvaluatedRun } from './evaluated-run.queries.ts'

/** What is stored of an evaluation besides its verdicts. */
export interface StoredEvaluation {
  base: Evaluation['base']
  counts: EvaluationCounts
  /** Without errors outside of tests, which can be left out later. */
  blocking_count: number
  executed_count: number
  /** How long its tests took together; null if no report says it. */
  test_ms: number | null
  warnings: EvaluationWarning[]
}

/** Stores the evaluation of a locked run, and tells event streams. Its tests may have changed, and learn of it later. */
export async function saveEvaluation(
  tx: Database,
  { id, project }: RunRef,
  run: EvaluatedRun,
  { evaluation, excluded }: { evaluation: StoredEvaluation; excluded: EvaluatedRun['excluded'] },
): Promise<void> {
  await sql`
    update runs set evaluation = ${JSON.stringify(evaluation)}::json, evaluated_at = now(),
      evaluated_upload_count = ${run.upload_count}, excluded = ${excluded}, tests_seen_at = null,
      settled_at = case when ${run.is_settled}::boolean then coalesce(settled_at, now()) end
    where id = ${id}`.execute(tx)
  const { counts, blocking_count: blockingCount } = evaluation
  const detail = { evaluation: { counts, blocking_count: blockingCount + run.suite_error_count } }
  await sql`select notify_change('evaluations', ${project.id}, ${id}::text, ${JSON.stringify(detail)}::json)`.execute(
    tx,
  )
}
