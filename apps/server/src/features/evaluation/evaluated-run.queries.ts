import { sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { NO_JOB_IS_MISSING } from '../runs/run-jobs.queries.ts'

/** A run as its evaluation needs it. */
export interface EvaluatedRun {
  name: string
  created_at: Date
  branch: string | null
  commit_sha: string | null
  base_branch: string | null
  base_commit: string | null
  pull_request: string | null
  target: string | null
  series: string
  is_trusted: boolean
  /** Whether it came with an import: what happened elsewhere is no base, and makes no test flaky. */
  is_imported: boolean
  excluded: 'mass_failure' | 'by_hand' | null
  excluded_by_hand: boolean | null
  upload_count: number
  evaluated_upload_count: number | null
  evaluated_at: Date | null
  passed_test_count: number
  failed_test_count: number
  skipped_test_count: number
  flaky_test_count: number
  suite_error_count: number
  /** Whether no CI job that has begun misses a shard. */
  is_complete: boolean
  /** Whether it is completed, or no report has come for as long as the project says. */
  is_settled: boolean
  /** Whether the evaluation knows all uploads, and that the run is settled. */
  is_current: boolean
}

/** Condition on `runs` with its project `p`: no report is expected any more. */
export const IS_SETTLED = `(runs.status = 'completed'
  or runs.last_upload_at <= now() - make_interval(mins => coalesce(p.complete_after_minutes, 30)))`

/** What follows from the columns of `runs` with its project `p`. */
const STATE = `
  coalesce(cardinality(runs.shards_done) >= runs.expected_shards, true) and ${NO_JOB_IS_MISSING} as is_complete,
  coalesce(${IS_SETTLED}, false) as is_settled,
  coalesce(runs.evaluated_upload_count = runs.upload_count
    and coalesce(${IS_SETTLED}, false) = (runs.settled_at is not null), false) as is_current`

const FROM = 'from runs join projects p on p.id = runs.project_id'

/** The state of a run for a statement of its own: `is_complete`, `is_settled`, `is_current`. */
export const EVALUATED_RUN_STATE = { select: STATE, from: FROM }

const COLUMNS = `
  runs.name, runs.created_at, runs.branch, runs.commit_sha, runs.base_branch, runs.base_commit, runs.pull_request, runs.target,
  runs.series, runs.is_trusted, runs.is_imported, runs.excluded, runs.excluded_by_hand, runs.upload_count, runs.evaluated_upload_count,
  runs.evaluated_at, runs.passed_test_count, runs.failed_test_count, runs.skipped_test_count, runs.flaky_test_count,
  runs.suite_error_count, ${STATE}`

/** Selects a run; undefined when it is gone. */
export async function selectEvaluatedRun(db: Database, { id }: Pick<RunRef, 'id'>): Promise<EvaluatedRun | undefined> {
  const { rows } = await sql<EvaluatedRun>`
    select ${sql.raw(COLUMNS)} ${sql.raw(FROM)} where runs.id = ${id}`.execute(db)
  return rows[0]
}

/**
 * Locks what an evaluation writes: first the project's evaluations, so that flake events are seen in one order, then the run, so
 * that no upload changes it meanwhile. Returns undefined when the run is gone.
 */
export async function lockEvaluatedRun(tx: Database, { id, project }: RunRef): Promise<EvaluatedRun | undefined> {
  await sql`select pg_advisory_xact_lock(hashtext('evaluation'), hashtext(${project.id}))`.execute(tx)
  await sql`select from runs where id = ${id} for no key update`.execute(tx)
  return await selectEvaluatedRun(tx, { id })
}

/** Lets an evaluation be computed again, because something else than an upload has changed what it reads. */
export async function invalidateEvaluation(tx: Database, { id }: Pick<RunRef, 'id'>): Promise<void> {
  await sql`update runs set evaluated_upload_count = null where id = ${id}`.execute(tx)
}

/** Lets the evaluations of all runs of a project be computed again that are not settled, as when a test is quarantined. */
export async function invalidateOpenEvaluations(tx: Database, projectId: string): Promise<void> {
  await sql`
    update runs set evaluated_upload_count = null
    where project_id = ${projectId} and evaluated_at is not null and settled_at is null`.execute(tx)
}
