import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { RunParams } from './results.ts'
import { Run, runExample } from './run-schemas.ts'
import { Data, Key, Nullable } from './schemas.ts'

/** The maximum number of shards of a run. */
export const MAX_SHARDS = 1000

export const reportShardDone = {
  method: 'POST',
  url: '/v1/runs/:run_id/shards/:name/done',
  config: { permission: 'runs:open-and-close', rateLimit: 'other' },
  schema: {
    operationId: 'reportShardDone',
    tags: ['Runs'],
    summary: 'Report that a shard is done',
    description:
      'Marks a shard of the run as done; repeating the request has no effect. When `expected_shards` different shards are done, the run is completed. For a completed run, only the name of the shard is added. If the run was reopened after its last shard, the next report completes it again. With `job`, the shards of each CI job are counted apart, and the run completes by itself once all jobs that have begun are done and no report has come for as long as the project says (`complete_after_minutes`). The body can be left out.',
    params: Type.Object({
      ...RunParams.properties,
      name: Key('Name of the shard, such as `2` or `chromium-2`.'),
    }),
    body: Nullable(
      Type.Object(
        {
          job: Type.Optional(
            Type.String({ format: 'text', description: 'Name of the CI job. Truncated to 255 characters.' }),
          ),
          expected_shards: Type.Optional(
            Type.Integer({ minimum: 1, maximum: MAX_SHARDS, description: 'Number of shards of the job.' }),
          ),
        },
        { examples: [{ job: 'CI / test', expected_shards: 4 }] },
      ),
    ),
    response: {
      200: { ...Data(Run), examples: [{ data: runExample }] },
      ...problems(400, 401, 403, 404, 409, 413, 415, 429),
    },
  },
} as const satisfies Endpoint
