import { Type, type Static } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { RunParams } from './results.ts'
import { Nullable, Timestamp } from './schemas.ts'

/** A CI job that has reported to a run. */
export const RunJob = Type.Object({
  job: Type.String({ description: 'Name of the CI job; empty for what came from no CI job.' }),
  expected_shards: Nullable(Type.Integer({ description: 'Number of shards of the job; null if it has none.' })),
  shards_done: Type.Array(Type.String(), { description: 'Names of the shards that are done.' }),
  is_done: Type.Boolean({ description: 'Whether no shard of the job is missing.' }),
  upload_count: Type.Integer({ description: 'Number of reports.' }),
  last_upload_at: Nullable(Timestamp('When the last report came; null if the job has only begun.')),
})
export type RunJob = Static<typeof RunJob>

const example = {
  job: 'CI / test',
  expected_shards: 4,
  shards_done: ['1', '3'],
  is_done: false,
  upload_count: 2,
  last_upload_at: '2026-11-21T09:30:00.000Z',
}

export const listRunJobs = {
  method: 'GET',
  url: '/v1/runs/:run_id/jobs',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listRunJobs',
    tags: ['Runs'],
    summary: 'List the CI jobs of a run',
    description:
      'Returns the CI jobs that have begun to report to the run, and which of their shards are done. A run that was found by its key completes by itself when all of them are done and no report has come for as long as the project says (`complete_after_minutes`).',
    params: RunParams,
    response: {
      200: { ...Type.Object({ data: Type.Array(RunJob) }), examples: [{ data: [example] }] },
      ...problems(401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint
