import { Type, type Static } from 'typebox'

import { BODY_LIMIT, type Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { ResultItem, ResultItemError } from './results.ts'
import { StatusCounts } from './runs.ts'
import { Id, OneOf } from './shapes.ts'

export const UPLOAD_FORMATS = ['json', 'junit'] as const

export const UploadBody = Type.Object(
  {
    run_id: Id('The run to upload into.'),
    format: Type.Optional(
      OneOf(UPLOAD_FORMATS, { description: '`json` unless only `junit_xml` is given, which is taken as `junit`.' }),
    ),
    results: Type.Optional(Type.Array(ResultItem, { description: 'Required unless `junit_xml` is given.' })),
    junit_xml: Type.Optional(Type.String({ description: 'A JUnit XML document; required when format is `junit`.' })),
    dry_run: Type.Optional(
      Type.Boolean({ default: false, description: 'Answer as the real call would, and store nothing.' }),
    ),
  },
  {
    examples: [
      {
        run_id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01',
        results: [{ test_case_id: 'WEB-12', status: 'passed', elapsed: 3 }],
      },
    ],
  },
)
export type UploadBody = Static<typeof UploadBody>

/** With a raw XML body, the rest of the request stands in the query. */
export const UploadQuery = Type.Object({
  run_id: Type.Optional(Id('The run to upload into, when the body is XML.')),
  dry_run: Type.Optional(Type.Boolean({ description: 'Store nothing, when the body is XML.' })),
})

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
      'Takes JSON, JUnit XML inside JSON, or a raw JUnit XML body (`Content-Type: application/xml`, `run_id` and `dry_run` in the query). ' +
      'One upload is one transaction. Uploading a test case again overwrites its earlier result. Needs a CI token with write access.',
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
            failed_count: 1,
            stats,
            errors: [{ test_case_id: 'WEB-99', error: 'WEB-99 is not in this run.', code: 'not_in_run' }],
          },
        ],
      },
      ...problems(400, 401, 403, 404, 409, 413, 415, 429),
    },
  },
} as const satisfies Endpoint
