import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { RunParams } from './results.ts'
import { Nullable, Timestamp } from './schemas.ts'
import type { Static } from './static.ts'

/** What in a CI job has reported to a run: an execution of it, with all its report files. */
export const JobSource = Type.Object({
  instance: Type.String({ description: 'What tells the executions of the job apart; empty if unknown.' }),
  shard: Type.String({ description: 'Name of the shard; empty if it has none.' }),
  variant: Type.String({ description: 'Variant of the upload; empty if it has none.' }),
  label: Type.String({ description: 'Where the tests ran; empty if unknown.' }),
  build_attempt: Nullable(Type.Integer({ description: 'Build attempt; null if unknown.' })),
  upload_count: Type.Integer({ description: 'Number of reports.' }),
  failed_count: Type.Integer({ description: 'Number of failed tests over all of its reports.' }),
  error_count: Type.Integer({ description: 'Number of errors outside of tests that the run has from it.' }),
})
export type JobSource = Static<typeof JobSource>

/** A CI job that has reported to a run. */
export const RunJob = Type.Object({
  job: Type.String({ description: 'Name of the CI job; empty for what came from no CI job.' }),
  expected_shards: Nullable(Type.Integer({ description: 'Number of shards of the job; null if it has none.' })),
  shards_done: Type.Array(Type.String(), { description: 'Names of the shards that are done.' }),
  is_done: Type.Boolean({ description: 'Whether no shard of the job is missing.' }),
  upload_count: Type.Integer({ description: 'Number of reports.' }),
  last_upload_at: Nullable(Timestamp('When the last report came; null if the job has only begun.')),
  sources: Type.Array(JobSource, { description: 'What in the job has reported.' }),
})
export type RunJob = Static<typeof RunJob>

const example = {
  job: 'CI / test',
  expected_shards: 4,
  shards_done: ['1', '3'],
  is_done: false,
  upload_count: 2,
  last_upload_at: '2026-11-21T09:30:00.000Z',
  sources: [
    {
      instance: '1',
      shard: '1',
      variant: '',
      label: 'linux x64, Node 20',
      build_attempt: 1,
      upload_count: 2,
      failed_count: 3,
      error_count: 0,
    },
  ],
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
