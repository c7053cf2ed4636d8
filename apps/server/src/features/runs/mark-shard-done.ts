import { MAX_SHARDS } from '@caseward/contract/runs'
import { sql } from 'kysely'

import { type Database, violatesConstraint } from '../../platform/database/connect.ts'
import { withRowMutex } from '../../platform/database/row-mutex.ts'
import type { RunRef } from '../../access/project-cache.ts'
import { conflictProblem } from '../../platform/http/problems.ts'
import { selectRun } from './runs.queries.ts'

/**
 * Adds a shard to those that are done, and completes the run once all expected shards are. Changes nothing when the
 * shard is known and the run needs no completion. A single statement, so that shards reported at the same time are all
 * counted.
 * @returns the run as a JSON object, or null when it is gone
 * @throws {Problem} 409 when the run has the maximum number of shards
 */
export async function markShardDone(db: Database, run: RunRef, shard: string): Promise<string | null> {
  const isKnown = sql`${shard} = any(shards_done)`
  const shards = sql`case when ${isKnown} then shards_done else shards_done || ${shard}::text end`
  const completes = sql`(status = 'in_progress' and cardinality(${shards}) >= expected_shards)`
  const update = sql`
    update runs set
      shards_done = ${shards},
      status = case when ${completes} then 'completed' else status end,
      completed_at = case when ${completes} then now() else completed_at end,
      updated_at = case when status = 'in_progress' then now() else updated_at end
    where id = ${run.id} and (not ${isKnown} or ${completes})`
  try {
    await withRowMutex(db, run.id, () => update.execute(db))
  } catch (error) {
    throw violatesConstraint(error, 'runs_shards_done_check') ? tooManyShardsProblem() : error
  }
  return await selectRun(db, run.id)
}

const tooManyShardsProblem = () =>
  conflictProblem('too_many_shards', `The run already has ${MAX_SHARDS} shards, the maximum. Report to a new run.`)
