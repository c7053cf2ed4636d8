import type { Client } from '@caseward/client'
import { reportShardDone, type Run, updateRun } from '@caseward/client/endpoints'

import { truncateText } from './plain-text.ts'

interface CallOptions {
  readonly signal?: AbortSignal
}

/** Returns the name of a shard as the server stores it. */
export const toShardName = (shard: string): string => truncateText(shard, 255)

/**
 * Reports a shard as done. When all expected shards are done, the server completes the run.
 * @returns the reply of the server, with the run
 */
export const reportShard = (client: Client, runId: string, shard: string, options: CallOptions = {}) =>
  client.call(reportShardDone, { params: { run_id: runId, name: toShardName(shard) }, ...options })

/** Returns whether all expected shards of a run are done. Only then may a shard that runs again reopen it. */
export function areShardsDone({ expected_shards: expected, shards_done: done = [] }: Partial<Run>): boolean {
  return typeof expected === 'number' && done.length >= expected
}

/** Reopens a completed run. Call it only if {@link areShardsDone}: a run that a user has completed stays completed. */
export const reopenRun = (client: Client, runId: string, options: CallOptions = {}) =>
  client.call(updateRun, { params: { run_id: runId }, body: { status: 'in_progress' }, ...options })
