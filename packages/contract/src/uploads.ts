import { Type, type Static } from 'typebox'

import { BODY_LIMIT, type Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { ResultItem, ResultItemError } from './results.ts'
import { StatusCounts } from './runs.ts'
import { Id, OneOf, TimestampInput } from './schemas.ts'

export const UPLOAD_FORMATS = ['json', 'junit'] as const

/** Its id is of any length: the name of a test, tried as an automation key, must never cost a team its upload. */
export const UploadItem = Type.Object({
  ...ResultItem.properties,
  test_case_id: Type.String({
    format: 'text',
    description: 'Test case id, such as `WEB-12`, or the automation key of a test case; matched inside the run.',
  }),
})
export type UploadItem = Static<typeof UploadItem>

const finished_at = Type.Optional(
  TimestampInput(
    'When the suite finished, for an upload that may come late. It becomes `tested_at`; a result of the run that is newer stays, and is an error `newer_result`. A time in the future is taken as now. Without it every result is overwritten, as of now.',
  ),
)

export const UploadBody = Type.Object(
  {
    run_id: Id('The run to upload into.'),
    format: Type.Optional(
      OneOf(UPLOAD_FORMATS, { description: '`json` unless only `junit_xml` is given, which is taken as `junit`.' }),
    ),
    results: Type.Optional(Type.Array(UploadItem, { description: 'Required unless `junit_xml` is given.' })),
    junit_xml: Type.Optional(Type.String({ description: 'A JUnit XML document; required when format is `junit`.' })),
    dry_run: Type.Optional(
      Type.Boolean({ default: false, description: 'Answer as the real call would, and store nothing.' }),
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

/** With a raw XML body, the rest of the request stands in the query. A JSON body may leave it there, too. */
export const UploadQuery = Type.Object({
  run_id: Type.Optional(Id('The run to upload into, where the body does not say it; XML never does.')),
  dry_run: Type.Optional(
    Type.Boolean({ description: 'Store nothing, whatever the body is, and also where that says `false`.' }),
  ),
  finished_at: Type.Optional(
    TimestampInput('As in a JSON body, where the body does not say it. The `+` of an offset is written `%2B`.'),
  ),
})
export type UploadQuery = Static<typeof UploadQuery>

const counts = {
  uploaded_count: Type.Integer({ description: 'Distinct test cases stored.' }),
  failed_count: Type.Integer({ description: 'Items that could not be stored.' }),
  stats: StatusCounts,
  dry_run: Type.Optional(
    Type.Literal(true, { description: 'Present when nothing was stored because it was a dry run.' }),
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
      'Takes JSON, JUnit XML inside JSON, or a raw JUnit XML body (`Content-Type: application/xml`, the rest in the query). ' +
      'What the query says counts for JSON, too, where the body leaves it out; a dry run asked for in either place is one. ' +
      'One upload is one transaction. Uploading a test case again overwrites its earlier result; with `finished_at` only one that is not newer. ' +
      'Of two results for the same test case in one upload, also one by its id and one by its automation key, the last one counts. Needs a CI token with write access.',
    querystring: UploadQuery,
    body: UploadBody,
    response: {
      200: {
        ...UploadReceipt,
        description: 'Everything was stored.',
        examples: [{ success: true, uploaded_count: 1, failed_count: 0, stats }],
      },
      207: {
        ...PartialReceipt,
        description: 'Some results could not be stored; `errors` says which and why.',
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
