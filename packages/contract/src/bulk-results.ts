import { Type } from 'typebox'

import { BODY_LIMIT, type Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { Data } from './schemas.ts'
import { resultChanges, ResultItem, ResultItemError, ResultStatus, RunParams, TestResult } from './results.ts'
import type { Static } from './static.ts'
import { StepChanges } from './step-results.ts'

/** One result of a bulk update. */
export const BulkResultItem = Type.Object({
  ...ResultItem.properties,
  steps: Type.Optional(StepChanges),
  place: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 32_767,
      description:
        'Sets only this combination of the result, and its status follows from all of them. Without it, all combinations get the status.',
    }),
  ),
  ...resultChanges,
})
export type BulkResultItem = Static<typeof BulkResultItem>

/** The number of characters of a note in {@link BulkResultError}. */
export const MAX_ERROR_NOTE_LENGTH = 1000

/** A result of a bulk update that was not stored. */
export const BulkResultError = Type.Object({
  ...ResultItemError.properties,
  current: Type.Optional(
    Type.Object(TestResult.properties, {
      description:
        'The newer result that was kept, with the first 1,000 characters of its note; only with `newer_result`.',
    }),
  ),
})
export type BulkResultError = Static<typeof BulkResultError>

const StoredResult = Type.Object({
  test_case_id: Type.String({ description: 'Test case id.' }),
  status: ResultStatus,
})
const stored = {
  updated: Type.Integer({ description: 'Number of test cases whose result was stored.' }),
  results: Type.Array(StoredResult),
}

export const bulkUpdateResults = {
  method: 'POST',
  url: '/v1/runs/:run_id/results/bulk',
  bodyLimit: BODY_LIMIT.upload,
  config: { permission: 'runs:execute', rateLimit: 'other' },
  schema: {
    operationId: 'bulkUpdateResults',
    tags: ['Results'],
    summary: 'Set up to 10,000 results',
    description:
      'Sets several results. If a test case is not in the run, or its result is newer than `base_tested_at`, the response is 207: its item is listed in `errors`, and the other results are stored.',
    params: RunParams,
    body: Type.Object(
      { results: Type.Array(BulkResultItem, { maxItems: 10_000, description: 'Up to 10,000 results.' }) },
      { examples: [{ results: [{ test_case_id: 'WEB-12', status: 'passed' }] }] },
    ),
    response: {
      200: {
        ...Data(Type.Object(stored)),
        description: 'All results were stored.',
        examples: [{ data: { updated: 1, results: [{ test_case_id: 'WEB-12', status: 'passed' }] } }],
      },
      207: {
        ...Data(Type.Object({ ...stored, errors: Type.Array(BulkResultError) })),
        description: 'Some results were not stored; `errors` lists them with the reasons.',
        examples: [
          {
            data: {
              updated: 0,
              results: [],
              errors: [{ test_case_id: 'WEB-99', error: 'WEB-99 is not in this run.', code: 'not_in_run' }],
            },
          },
        ],
      },
      ...problems(400, 401, 403, 404, 409, 413, 415, 429),
    },
  },
} as const satisfies Endpoint
