import { sql } from 'kysely'

import { type Database, violatesConstraint } from '../../platform/database/connect.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import type { RunRef } from '../../access/project-cache.ts'
import { enqueueEvaluation } from '../evaluation/enqueue-evaluation.ts'
import { addShardOfJob, NO_JOB_IS_MISSING, tooManyShardsProblem } from './run-jobs.queries.ts'
import { lockRun, selectRun } from './runs.queries.ts'

/**
 * Adds a shard to those that are done, and completes the run once all expected shards are. Changes nothing when the
 * shard is known and the run needs no completion. A single update, so that shards reported at the same time are all
 * counted.
 * @returns the run as a JSON object, or null when it is gone
 * @throws {Problem} 409 when the run has the maximum number of shards
 */
export async function markShardDone(
  db: Database,
  run: RunRef,
  shard: string,
  { job = '', expectedShards = null }: { job?: string | undefined; expectedShards?: number | null | undefined } = {},
): Promise<string | null> {
  if (job !== '' && (expectedShards !== null || !(await expectsShards(db, run)))) {
    return await markShardOfJobDone(db, run, { job, shard, expectedShards })
  }
  const isKnown = sql`${shard} = any(shards_done)`
  const shards = sql`case when ${isKnown} then shards_done else shards_done || ${shard}::text end`
  const completes = sql`(status = 'in_progress' and cardinality(${shards}) >= expected_shards)`
  const update = sql`
    update runs set
      shards_done = ${shards}, evaluated_upload_count = null,
      status = case when ${completes} then 'completed' else status end,
      completed_at = case when ${completes} then now() else completed_at end,
      completed_itself = case when ${completes} then true else completed_itself end,
      completed_by = case when ${completes} then null else completed_by end,
      updated_at = case when status = 'in_progress' then now() else updated_at end
    where id = ${run.id} and (not ${isKnown} or ${completes})`
  try {
    await transactionWithRowMutex(db, run.id, async (tx) => {
      await update.execute(tx)
      await enqueueEvaluation(tx, run)
    })
  } catch (error) {
    throw violatesConstraint(error, 'runs_shards_done_check') ? tooManyShardsProblem() : error
  }
  return await selectRun(db, run.id)
}

/** Whether the creator of the run said how many shards it has in all jobs together. */
const expectsShards = async (db: Database, { id }: RunRef): Promise<boolean> =>
  (await db
    .selectFrom('runs')
    .select('id')
    .where('id', '=', id)
    .where('expected_shards', 'is not', null)
    .executeTakeFirst()) !== undefined

/** Adds a shard to those of its CI job. Completes the run if all jobs are done and the project waits for no more reports. */
async function markShardOfJobDone(
  db: Database,
  run: RunRef,
  shard: Parameters<typeof addShardOfJob>[2],
): Promise<string | null> {
  return await transactionWithRowMutex(db, run.id, async (tx) => {
    if ((await lockRun(tx, run.id)) === undefined) return null
    await addShardOfJob(tx, run, shard)
    // The run may be complete now, or its last shard may be here.
    await sql`update runs set evaluated_upload_count = null where id = ${run.id} and evaluated_at is not null`.execute(
      tx,
    )
    await sql`
      update runs set status = 'completed', completed_at = now(), completed_itself = true, completed_by = null,
        updated_at = now()
      from projects p
      where runs.id = ${run.id} and runs.status = 'in_progress' and runs.run_key is not null
        and p.id = runs.project_id and p.complete_after_minutes = 0 and ${sql.raw(NO_JOB_IS_MISSING)}`.execute(tx)
    await enqueueEvaluation(tx, run)
    return await selectRun(tx, run.id)
  })
}
