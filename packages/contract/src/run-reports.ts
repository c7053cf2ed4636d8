import { Type } from 'typebox'

import { BODY_LIMIT, type Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { RunParams } from './results.ts'
import type { Static } from './static.ts'
import { MAX_REPORTS, UploadedReport } from './upload-body.ts'
import { PartialReceipt, UploadReceipt } from './uploads.ts'

/** JUnit reports that a person uploads. */
export const RunReports = Type.Object(
  {
    reports: Type.Array(UploadedReport, {
      minItems: 1,
      maxItems: MAX_REPORTS,
      description:
        'JUnit reports, which are stored together. A report that cannot be read is listed as an error; the others are stored.',
    }),
    create_test_cases: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Create a test case for each test that matches none, and add it to the run.',
      }),
    ),
  },
  {
    examples: [
      {
        reports: [
          {
            path: 'junit.xml',
            junit_xml: '<testsuite name="shop"><testcase classname="Checkout" name="WEB-12 pays by card"/></testsuite>',
          },
        ],
      },
    ],
  },
)
export type RunReports = Static<typeof RunReports>

export const uploadReports = {
  method: 'POST',
  url: '/v1/runs/:run_id/reports',
  bodyLimit: BODY_LIMIT.upload,
  config: { permission: 'runs:execute', rateLimit: 'other' },
  schema: {
    operationId: 'uploadReports',
    tags: ['Runs'],
    summary: 'Upload JUnit reports as a user',
    description:
      'Stores the results of JUnit reports in a run, as `POST /v1/results` does for CI: tests find their test cases by ids, automation keys and ids of other tools in their names. It is for people who have a report and no CI; CI uploads with a token of its own.',
    params: RunParams,
    body: RunReports,
    response: {
      200: { ...UploadReceipt, description: 'All results were stored.' },
      207: { ...PartialReceipt, description: 'Some results were stored; `errors` lists the others.' },
      ...problems(400, 401, 403, 404, 409, 413, 415, 429),
    },
  },
} as const satisfies Endpoint
