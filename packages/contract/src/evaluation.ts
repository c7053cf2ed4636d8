import { Type } from 'typebox'

import { type Endpoint } from './endpoint.ts'
import { EvaluationCounts, EXCLUSIONS } from './evaluation-fields.ts'
import { problems } from './problem.ts'
import { RunParams } from './results.ts'
import { Data, Nullable, OneOf, Timestamp } from './schemas.ts'
import type { Static } from './static.ts'

/** The longest that a request waits for an evaluation. */
export const MAX_WAIT_SECONDS = 60

export const EVALUATION_WARNINGS = [
  'no_tests',
  'incomplete',
  'no_default_branch',
  'no_base',
  'missing_tests',
  'mass_failure',
  'excluded_by_hand',
  'imported',
  'untrusted',
] as const

const EvaluationWarning = Type.Object({
  code: OneOf(EVALUATION_WARNINGS, { description: 'Code of the warning.' }),
  detail: Type.String({ description: 'What it means and what to do.' }),
})
export type EvaluationWarning = Static<typeof EvaluationWarning>

const BaseRun = Type.Object(
  {
    run_id: Type.String({ description: 'Run id.' }),
    name: Type.String({ description: 'Name of the run.' }),
    branch: Nullable(Type.String({ description: 'Branch; null if unknown.' })),
    commit: Nullable(Type.String({ description: 'Commit; null if unknown.' })),
    is_exact: Type.Boolean({ description: 'Whether it ran the very commit that the run is based on.' }),
  },
  {
    description:
      'The run that this one is compared with first. A test that it did not execute is compared with up to nine older ones. Null if there is none.',
  },
)

const EvaluatedUpload = Type.Object({
  number: Type.Integer({ description: 'Number in the run, from 1.' }),
  job: Type.String({ description: 'CI job; empty if unknown.' }),
  shard: Type.String({ description: 'Shard; empty for none.' }),
  variant: Type.String({ description: 'Variant; empty for none.' }),
  build_attempt: Nullable(Type.Integer({ description: 'Build attempt; null if unknown.' })),
  test_count: Type.Integer({ description: 'Number of tests.' }),
  failed_count: Type.Integer({ description: 'Number of failed tests.' }),
  is_excluded: Type.Boolean({
    description: 'Whether most of its tests failed, so that it makes no test flaky.',
  }),
  at: Timestamp('When it came.'),
})

const testCount = (of: string) => Type.Integer({ minimum: 0, description: `Number of tests that ${of}.` })

/** What the outcomes of a run mean. */
export const Evaluation = Type.Object({
  run_id: Type.String({ description: 'Run id.' }),
  is_current: Type.Boolean({
    description:
      'Whether it knows all uploads. If not, request it again after the seconds of `Retry-After`, or `wait`.',
  }),
  is_complete: Type.Boolean({ description: 'Whether no CI job that has begun misses a shard.' }),
  is_settled: Type.Boolean({ description: 'Whether the run is completed, or no report has come for some time.' }),
  excluded: Nullable(
    OneOf(EXCLUSIONS, {
      description:
        'Why the run is no base for others and makes no test flaky: at least 80 % of its tests failed, or a user excluded it. Null if it counts.',
    }),
  ),
  evaluated_at: Nullable(Timestamp('When it was evaluated; null for not yet.')),
  base: Nullable(BaseRun),
  counts: EvaluationCounts,
  blocking_count: Type.Integer({
    description: 'Number of verdicts that block, and of errors outside of tests, which always do.',
  }),
  tests: Type.Object({
    executed: testCount('passed or failed'),
    passed: testCount('passed'),
    failed: testCount('failed or were blocked'),
    skipped: testCount('were skipped or interrupted'),
  }),
  suite_error_count: Type.Integer({ description: 'Number of errors outside of tests.' }),
  uploads: Type.Array(EvaluatedUpload, { description: 'The newest 1,000 uploads, the oldest first.' }),
  warnings: Type.Array(EvaluationWarning, { description: 'What limits what the evaluation can say.' }),
})
export type Evaluation = Static<typeof Evaluation>

const counts = {
  flaked: 1,
  fixed: 1,
  quarantined: 1,
  not_run: 0,
  already_red: 3,
  environment: 0,
  changed: 1,
  known_flaky: 0,
  new_test: 0,
  new: 1,
  missing: 0,
}

const example = {
  run_id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01',
  is_current: true,
  is_complete: true,
  is_settled: false,
  excluded: null,
  evaluated_at: '2026-11-21T09:30:02.000Z',
  base: {
    run_id: '019aa5a1-1c2d-7b3e-9f4a-5b6c7d8e9f00',
    name: 'CI 841',
    branch: 'main',
    commit: '8a006ed',
    is_exact: true,
  },
  counts,
  blocking_count: 2,
  tests: { executed: 1204, passed: 1198, failed: 6, skipped: 12 },
  suite_error_count: 0,
  uploads: [
    {
      number: 1,
      job: 'CI / test',
      shard: '1',
      variant: '',
      build_attempt: 1,
      test_count: 1216,
      failed_count: 6,
      is_excluded: false,
      at: '2026-11-21T09:30:00.000Z',
    },
  ],
  warnings: [],
}

export const getEvaluation = {
  method: 'GET',
  url: '/v1/runs/:run_id/evaluation',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'getEvaluation',
    tags: ['Insight'],
    summary: 'Get the evaluation of a run',
    description:
      'Returns what the outcomes of the run mean: what was red before, what is new, and what blocks. An evaluation that does not know the newest upload is computed with the request; with very many failures, `is_current` is false until a job has done it. With `wait`, the response is sent when it is current, or after so many seconds.',
    params: RunParams,
    querystring: Type.Object({
      wait: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: MAX_WAIT_SECONDS,
          default: 0,
          description: 'Seconds to wait until the evaluation is current.',
        }),
      ),
    }),
    response: {
      200: { ...Data(Evaluation), examples: [{ data: example }] },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint
