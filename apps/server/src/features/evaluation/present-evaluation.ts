import type { Evaluation } from '@caseward/contract/evaluation'
import { LISTED_VERDICTS } from '@caseward/contract/verdicts'
import { sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { presentTime } from '../../platform/http/timestamps.ts'
import { type EvaluatedRun, selectEvaluatedRun } from './evaluated-run.queries.ts'
import type { StoredEvaluation } from './stored-evaluation.ts'

/** Of a run that was never evaluated. */
const NOT_EVALUATED: StoredEvaluation = {
  base: null,
  counts: Object.fromEntries(LISTED_VERDICTS.map((verdict) => [verdict, 0])) as StoredEvaluation['counts'],
  blocking_count: 0,
  executed_count: 0,
  test_ms: null,
  warnings: [],
}

/** Reads the evaluation of a run as it is stored; null when the run is gone. */
export async function selectEvaluation(db: Database, ref: RunRef): Promise<Evaluation | null> {
  const run = await selectEvaluatedRun(db, ref)
  if (run === undefined) return null
  const { rows } = await sql<{ evaluation: StoredEvaluation | null }>`
    select evaluation from runs where id = ${ref.id}`.execute(db)
  const stored = rows[0]?.evaluation ?? NOT_EVALUATED
  return {
    run_id: ref.id,
    is_current: run.is_current,
    is_complete: run.is_complete,
    is_settled: run.is_settled,
    excluded: run.excluded,
    evaluated_at: run.evaluated_at === null ? null : presentTime(run.evaluated_at),
    base: stored.base,
    counts: stored.counts,
    // They can be left out or put back at any time, and are no verdicts.
    blocking_count: stored.blocking_count + run.suite_error_count,
    tests: presentTests(run, stored),
    suite_error_count: run.suite_error_count,
    uploads: await selectUploads(db, ref),
    warnings: stored.warnings,
  }
}

const presentTests = (run: EvaluatedRun, stored: StoredEvaluation): Evaluation['tests'] => ({
  executed: stored.executed_count,
  passed: run.passed_test_count,
  failed: run.failed_test_count,
  skipped: run.skipped_test_count,
})

const MAX_UPLOADS = 1000

async function selectUploads(db: Database, { id, project }: RunRef): Promise<Evaluation['uploads']> {
  const { rows } = await sql<
    Omit<Evaluation['uploads'][number], 'at' | 'build_attempt'> & { build_attempt: string | null; uploaded_at: Date }
  >`
    select * from (
      select number, job, shard, variant, build_attempt, test_count, failed_count, is_excluded, uploaded_at
      from run_uploads where project_id = ${project.id} and run_id = ${id}
      order by number desc limit ${sql.lit(MAX_UPLOADS)}
    ) newest order by number`.execute(db)
  return rows.map(({ uploaded_at: at, build_attempt: buildAttempt, ...upload }) => ({
    ...upload,
    build_attempt: buildAttempt === null ? null : Number(buildAttempt),
    at: presentTime(at),
  }))
}
