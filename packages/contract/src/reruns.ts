import { Type } from 'typebox'

import { BODY_LIMIT, type Endpoint } from './endpoint.ts'
import { CursorPage, CursorQuery, MAX_ROWS_PER_PAGE } from './pagination.ts'
import { problems } from './problem.ts'
import { ResultRow, resultRowExample } from './result-rows.ts'
import { RESULT_STATUSES, ResultStatus, RunParams } from './results.ts'
import { Run, StatusCounts } from './run-schemas.ts'
import { createRun } from './runs.ts'
import { CleanedName, Id, Nullable, OneOf, Repeatable } from './schemas.ts'
import type { Static } from './static.ts'

/** The maximum number of reruns of a run and of its reruns. */
export const MAX_RERUNS = 100

/** What a rerun can take over from its run. */
export const KEPT_IN_RERUN = ['assignees', 'milestone', 'description'] as const

/** The statuses that are tested again by default. */
export const RERUN_STATUSES = ['failed', 'blocked', 'retest'] as const

const RerunBody = Nullable(
  Type.Object(
    {
      name: Type.Optional(CleanedName('Display name; by default the name of the first run, `, rerun` and a number.')),
      statuses: Type.Optional(
        Type.Array(ResultStatus, {
          minItems: 1,
          maxItems: RESULT_STATUSES.length,
          description:
            'Only test cases with one of these statuses in the run. The default is failed, blocked and retest, or every status with `test_case_ids`.',
        }),
      ),
      test_case_ids: Type.Optional(
        Type.Array(Id('Test case id.'), {
          minItems: 1,
          maxItems: 100_000,
          description: 'Only these test cases of the run.',
        }),
      ),
      keep: Type.Optional(
        Type.Array(OneOf(KEPT_IN_RERUN, { description: 'What is taken over.' }), {
          maxItems: KEPT_IN_RERUN.length,
          description: 'What the rerun takes over from the run; by default everything.',
        }),
      ),
    },
    { examples: [{ statuses: ['failed'], keep: ['assignees', 'milestone'] }] },
  ),
)

const { id, name, status, created_at, completed_at, pass_rate, stats, result_count } = Run.properties

/** A run of a chain: the first run, and all of its reruns. */
export const LineageRun = Type.Object({
  id,
  name,
  status,
  created_at,
  completed_at,
  pass_rate,
  stats,
  result_count,
  rerun_of: Nullable(
    Type.String({ description: 'The run that this one repeats; null for the first run, or after it was deleted.' }),
  ),
  rerun_number: Nullable(
    Type.Integer({ description: 'Which rerun of the first run this is, from 1; null for the first run.' }),
  ),
})
export type LineageRun = Static<typeof LineageRun>

export const Lineage = Type.Object({
  root_run_id: Type.String({ description: 'Id of the first run of the chain, which may have been deleted.' }),
  runs: Type.Array(LineageRun, {
    description: 'The runs of the chain, the oldest first; only the run without reruns.',
  }),
  combined: Type.Object(
    { stats: StatusCounts, result_count, pass_rate },
    { description: 'Each test case once, with its status in the newest run in which it was tested.' },
  ),
})
export type Lineage = Static<typeof Lineage>

/** A test case of a chain, with its result in the newest run in which it was tested. */
export const CombinedResult = Type.Object({
  ...ResultRow.properties,
  run_id: Type.String({ description: 'The newest run of the chain in which the test case was tested.' }),
  statuses: Type.Array(
    Type.Object({
      run_id: Type.String({ description: 'Run of the chain.' }),
      status: ResultStatus,
    }),
    { description: 'The status in each run of the chain that has the test case, the oldest run first.' },
  ),
})
export type CombinedResult = Static<typeof CombinedResult>

const tags = ['Runs'] as const
const runId = '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01'
const rerunId = '019aa5c1-7d20-7b1e-9a3c-4e5f6a7b8c9d'
const combinedExample = {
  ...resultRowExample,
  run_id: rerunId,
  status: 'passed',
  note_line: null,
  statuses: [
    { run_id: runId, status: 'failed' },
    { run_id: rerunId, status: 'passed' },
  ],
}

export const createRerun = {
  method: 'POST',
  url: '/v1/runs/:run_id/reruns',
  // 100,000 test case ids exceed 1 MB.
  bodyLimit: BODY_LIMIT.upload,
  config: { permission: 'runs:open-and-close', rateLimit: 'other' },
  schema: {
    operationId: 'createRerun',
    tags,
    summary: 'Run test cases of a run again',
    description: `Creates a run with test cases of this one, by default those that failed, are blocked or are to be retested. The run itself does not change, and may be completed. Results, steps, comments and files are not copied; deleted test cases are left out. A run and its reruns form a chain, of up to ${MAX_RERUNS} reruns. The body can be left out.`,
    params: RunParams,
    body: RerunBody,
    response: {
      201: { ...createRun.schema.response[201], description: 'The rerun was created.' },
      ...problems(400, 401, 403, 404, 413, 415, 422, 429),
    },
  },
} as const satisfies Endpoint

export const getLineage = {
  method: 'GET',
  url: '/v1/runs/:run_id/lineage',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'getLineage',
    tags,
    summary: 'Get the chain of a run and its reruns',
    description:
      'Returns the runs of the chain that the run belongs to, and their counts together: each test case counts once, with its status in the newest run in which it was tested.',
    params: RunParams,
    response: {
      200: {
        ...Type.Object({ data: Lineage }),
        examples: [
          {
            data: {
              root_run_id: runId,
              runs: [
                {
                  id: runId,
                  name: 'Nightly',
                  status: 'completed',
                  created_at: '2026-11-21T09:30:00.000Z',
                  completed_at: '2026-11-21T12:00:00.000Z',
                  pass_rate: 75,
                  stats: { passed: 3, failed: 1, blocked: 0, retest: 0, not_tested: 0 },
                  result_count: 4,
                  rerun_of: null,
                  rerun_number: null,
                },
              ],
              combined: {
                stats: { passed: 3, failed: 1, blocked: 0, retest: 0, not_tested: 0 },
                result_count: 4,
                pass_rate: 75,
              },
            },
          },
        ],
      },
      ...problems(401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const listCombinedResults = {
  method: 'GET',
  url: '/v1/runs/:run_id/combined-results',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listCombinedResults',
    tags,
    summary: 'List the results of a run and its reruns together',
    description:
      'Returns each test case of the chain once, with its result in the newest run in which it was tested, in the order of the first run. Test cases that were not tested in any run are `not_tested`.',
    params: RunParams,
    querystring: Type.Object({
      status: Type.Optional(
        Repeatable(ResultStatus, 'Only results with one of these statuses.', RESULT_STATUSES.length),
      ),
      after: CursorQuery.after,
      per_page: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MAX_ROWS_PER_PAGE,
          default: 100,
          description: 'Number of results per page.',
        }),
      ),
    }),
    response: {
      200: {
        ...CursorPage(CombinedResult),
        examples: [{ data: [combinedExample], meta: { next_after: null } }],
      },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint
