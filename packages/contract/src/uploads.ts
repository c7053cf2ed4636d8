import { Type, type Static } from 'typebox'

import { BODY_LIMIT, type Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { ResultItem, ResultItemError } from './results.ts'
import { StatusCounts } from './runs.ts'
import { Id, OneOf, TimestampInput } from './schemas.ts'

export const UPLOAD_FORMATS = ['json', 'junit'] as const

/** The maximum number of `<testcase>` elements in a JUnit report. A report of 10 MB rarely has 100,000. */
export const MAX_REPORT_TESTS = 250_000

/** Accepts an id of any length: the name of a test can be an automation key, and must not fail the whole upload. */
export const UploadItem = Type.Object({
  ...ResultItem.properties,
  test_case_id: Type.String({
    format: 'text',
    description: 'Test case id, such as `WEB-12`, or automation key; the test case must be in the run.',
  }),
})
export type UploadItem = Static<typeof UploadItem>

const finished_at = Type.Optional(
  TimestampInput(
    'When the suite finished, for a late upload. It is stored as `tested_at`. Newer results of the run are kept and listed as errors with the code `newer_result`. A time in the future is replaced by the current time. Without `finished_at`, all results are overwritten.',
  ),
)

export const UploadBody = Type.Object(
  {
    run_id: Id('Run to upload to.'),
    format: Type.Optional(
      OneOf(UPLOAD_FORMATS, {
        description: 'Format of the results. The default is `junit` if only `junit_xml` is set, otherwise `json`.',
      }),
    ),
    results: Type.Optional(Type.Array(UploadItem, { description: 'Results; required unless `junit_xml` is set.' })),
    junit_xml: Type.Optional(Type.String({ description: 'JUnit XML document; required if the format is `junit`.' })),
    dry_run: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Validate the upload without storing anything. The response is that of a real upload.',
      }),
    ),
    finished_at,
  },
  {
    examples: [
      {
        run_id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01',
        results: [{ test_case_id: 'WEB-12', status: 'passed', elapsed: 3 }],
      },
      {
        run_id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01',
        finished_at: '2026-11-21T09:30:00.000Z',
        results: [{ test_case_id: 'WEB-12', status: 'failed', note: 'AssertionError: expected 200, got 500' }],
      },
    ],
  },
)
export type UploadBody = Static<typeof UploadBody>

/** The parameters of an upload with an XML body. With a JSON body, they are defaults for the fields of the body. */
export const UploadQuery = Type.Object({
  run_id: Type.Optional(Id('Run to upload to. Required with an XML body; ignored if the JSON body sets `run_id`.')),
  dry_run: Type.Optional(
    Type.Boolean({
      description: 'Validate the upload without storing anything, even if the JSON body sets `dry_run` to `false`.',
    }),
  ),
  finished_at: Type.Optional(
    TimestampInput('As in a JSON body; ignored if the body sets it. Encode the `+` of an offset as `%2B`.'),
  ),
})
export type UploadQuery = Static<typeof UploadQuery>

const counts = {
  uploaded_count: Type.Integer({ description: 'Number of test cases whose result was stored.' }),
  failed_count: Type.Integer({ description: 'Number of results that were not stored.' }),
  stats: StatusCounts,
  dry_run: Type.Optional(
    Type.Literal(true, { description: 'Present if the upload was a dry run and nothing was stored.' }),
  ),
}

export const UploadReceipt = Type.Object({ success: Type.Literal(true), ...counts })
export type UploadReceipt = Static<typeof UploadReceipt>

export const PartialReceipt = Type.Object({
  success: Type.Literal(false),
  partial_failure: Type.Literal(true),
  ...counts,
  errors: Type.Array(ResultItemError),
})
export type PartialReceipt = Static<typeof PartialReceipt>

const stats = { passed: 1, failed: 0, blocked: 0, retest: 0, not_tested: 0 }

export const uploadResults = {
  method: 'POST',
  url: '/v1/results',
  bodyLimit: BODY_LIMIT.upload,
  config: { permission: 'results:upload', rateLimit: 'ci-upload' },
  schema: {
    operationId: 'uploadResults',
    tags: ['CI upload'],
    summary: 'Upload the results of a suite',
    description:
      'Stores results in a run. The request body is JSON, JUnit XML in a field of JSON, or JUnit XML itself (`Content-Type: application/xml`) with the parameters in the query string. ' +
      'JSON uploads accept the parameters in the body or in the query string; the body takes precedence, except that either one can request a dry run. ' +
      'Each upload is one transaction. It overwrites earlier results of the same test cases; with `finished_at`, newer results are kept. ' +
      'If JSON results contain a test case several times, by its id or its automation key, the last one counts. ' +
      'In JUnit XML, elements with the same class name and name in the same `<testsuite>` are attempts at one test, which has passed if any attempt has; of several tests of a test case, the worst result counts. ' +
      `A JUnit report can have up to ${MAX_REPORT_TESTS.toLocaleString('en')} tests. Requires a CI token with write access.`,
    querystring: UploadQuery,
    body: UploadBody,
    response: {
      200: {
        ...UploadReceipt,
        description: 'All results were stored.',
        examples: [{ success: true, uploaded_count: 1, failed_count: 0, stats }],
      },
      207: {
        ...PartialReceipt,
        description: 'Some results were not stored; `errors` lists them with the reasons.',
        examples: [
          {
            success: false,
            partial_failure: true,
            uploaded_count: 1,
            failed_count: 2,
            stats,
            errors: [
              { test_case_id: 'WEB-99', error: 'WEB-99 is not in this run.', code: 'not_in_run' },
              {
                test_case_id: 'WEB-13',
                error: 'WEB-13 has a newer result (2026-11-21T10:15:00.000Z), which was kept.',
                code: 'newer_result',
              },
            ],
          },
        ],
      },
      ...problems(400, 401, 403, 404, 409, 413, 415, 429),
    },
  },
} as const satisfies Endpoint
