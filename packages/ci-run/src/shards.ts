import type { Client } from '@caseward/client'
import { reportShardDone } from '@caseward/client/endpoints'

import { truncateText } from './plain-text.ts'

interface CallOptions {
  readonly signal?: AbortSignal
}

/** Returns the name of a shard as the server stores it. */
export const toShardName = (shard: string): string => truncateText(shard, 255)

/** The CI job of a shard. */
export interface JobOfShard {
  /** '' if unknown: then the shards of all jobs are counted together. */
  readonly job: string
  readonly expectedShards: number | null
}

/**
 * Reports a shard as done. When all shards of all CI jobs are done, the server completes the run, at once or when no report
 * comes any more.
 * @returns the reply of the server, with the run
 */
export const reportShard = (
  client: Client,
  runId: string,
  shard: string,
  { job, expectedShards }: JobOfShard,
  options: CallOptions = {},
) =>
  client.call(reportShardDone, {
    params: { run_id: runId, name: toShardName(shard) },
    body: job === '' ? null : { job, ...(expectedShards === null ? {} : { expected_shards: expectedShards }) },
    ...options,
  })
