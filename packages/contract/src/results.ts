import { Type, type Static } from 'typebox'

import { BODY_LIMIT, type Endpoint } from './endpoint.ts'
import { Page, PageQuery } from './pagination.ts'
import { problems } from './problem.ts'
import { Data, Id, Nullable, OneOf, Timestamp } from './schemas.ts'

export const RESULT_STATUSES = ['passed', 'failed', 'blocked', 'retest', 'not_tested'] as const
export const ResultStatus = OneOf(RESULT_STATUSES, {
  description:
    'passed: all assertions met; failed: not the expected outcome; blocked: could not run; retest; not_tested.',
})
export type ResultStatus = (typeof RESULT_STATUSES)[number]

/** The longest `elapsed` that is taken: what PostgreSQL's integer holds (68 years in seconds). */
const MAX_SECONDS = 2_147_483_647

const example = {
  id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a02',
  test_case_id: 'WEB-12',
  test_case_title: 'A customer pays by card',
  status: 'failed',
  note: 'AssertionError: expected 200, got 500',
  elapsed: 3,
  tested_by: null,
  tested_at: '2026-11-21T09:30:00.000Z',
}

export const TestResult = Type.Object(
  {
    id: Type.String({ description: 'Result id.' }),
    test_case_id: Nullable(Type.String({ description: 'Test case id; null once the case was deleted.' })),
    test_case_title: Type.String({ description: 'The title that the case had when it joined the run.' }),
    status: ResultStatus,
    note: Nullable(Type.String({ description: 'Note or error message.' })),
    elapsed: Nullable(Type.Integer({ description: 'Seconds.' })),
    tested_by: Nullable(Type.String({ description: 'User id; null when a CI token wrote it.' })),
    tested_at: Nullable(Timestamp('When the result was written, or the `finished_at` of the upload that wrote it.')),
  },
  { examples: [example] },
)
export type TestResult = Static<typeof TestResult>

const note = Type.Optional(
  Nullable(Type.String({ format: 'text', description: 'Note or error message; cut at 65,536 characters.' })),
)
const elapsed = Type.Optional(
  Nullable(Type.Integer({ minimum: 0, maximum: MAX_SECONDS, description: 'Whole seconds.' })),
)

/** One result of a batch: which case, which status. */
export const ResultItem = Type.Object({
  test_case_id: Id('Test case id, such as `WEB-12`; matched inside the run.'),
  status: ResultStatus,
  note,
  elapsed,
})
export type ResultItem = Static<typeof ResultItem>

/** A result that could not be stored, and why. */
export const ResultItemError = Type.Object({
  test_case_id: Type.String({ description: 'The id that was given, or the name of a test that carries none.' }),
  error: Type.String({ description: 'Why it could not be stored, in a sentence.' }),
  code: OneOf(['not_in_run', 'no_test_case_id', 'ambiguous', 'newer_result'], {
    description: 'The same, for programs.',
  }),
})
export type ResultItemError = Static<typeof ResultItemError>

export const RunParams = Type.Object({ run_id: Type.String({ description: 'Run id.' }) })

const tags = ['Results'] as const

export const listResults = {
  method: 'GET',
  url: '/v1/runs/:run_id/results',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listResults',
    tags,
    summary: 'List the results of a run',
    description: 'One result for each test case of the run, in the order in which the cases joined it.',
    params: RunParams,
    querystring: Type.Object({
      status: Type.Optional(OneOf(RESULT_STATUSES, { description: 'Only those of this status.' })),
      search: Type.Optional(
        Type.String({ format: 'text', maxLength: 255, description: 'Part of the title, in upper or lower case.' }),
      ),
      ...PageQuery,
    }),
    response: {
      200: { ...Page(TestResult), examples: [{ data: [example], meta: { page: 1, per_page: 20, total: 1 } }] },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const updateResult = {
  method: 'PUT',
  url: '/v1/runs/:run_id/results/:result_id',
  config: { permission: 'runs:execute', rateLimit: 'other' },
  schema: {
    operationId: 'updateResult',
    tags,
    summary: 'Set a result',
    description: "Takes the result's id or the test case's id. The caller becomes `tested_by`. Fields not sent stay.",
    params: Type.Object({
      run_id: Type.String({ description: 'Run id.' }),
      result_id: Type.String({ description: 'Result id, or the id of its test case.' }),
    }),
    body: Type.Object(
      { status: ResultStatus, note, elapsed },
      { examples: [{ status: 'failed', note: 'The total is wrong', elapsed: 40 }] },
    ),
    response: {
      200: { ...Data(TestResult), examples: [{ data: example }] },
      ...problems(400, 401, 403, 404, 409, 413, 415, 429),
    },
  },
} as const satisfies Endpoint

const StoredResult = Type.Object({
  test_case_id: Type.String({ description: 'Test case id.' }),
  status: ResultStatus,
})
const stored = {
  updated: Type.Integer({ description: 'Distinct test cases stored.' }),
  results: Type.Array(StoredResult),
}

export const bulkUpdateResults = {
  method: 'POST',
  url: '/v1/runs/:run_id/results/bulk',
  bodyLimit: BODY_LIMIT.upload,
  config: { permission: 'runs:execute', rateLimit: 'other' },
  schema: {
    operationId: 'bulkUpdateResults',
    tags,
    summary: 'Set up to 10,000 results',
    description:
      'Each item is what a single update would be. Items whose test case is not in the run are listed in `errors` with status 207; the others are stored.',
    params: RunParams,
    body: Type.Object(
      { results: Type.Array(ResultItem, { maxItems: 10_000, description: 'Up to 10,000 results.' }) },
      { examples: [{ results: [{ test_case_id: 'WEB-12', status: 'passed' }] }] },
    ),
    response: {
      200: {
        ...Data(Type.Object(stored)),
        description: 'All were stored.',
        examples: [{ data: { updated: 1, results: [{ test_case_id: 'WEB-12', status: 'passed' }] } }],
      },
      207: {
        ...Data(Type.Object({ ...stored, errors: Type.Array(ResultItemError) })),
        description: 'Some could not be stored; `errors` says which and why.',
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
