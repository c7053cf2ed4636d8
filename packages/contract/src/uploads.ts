import { Type } from 'typebox'

import { BODY_LIMIT, type Endpoint } from './endpoint.ts'
import { IgnoredFields } from './field-values.ts'
import { problems } from './problem.ts'
import { ResultItemError } from './results.ts'
import { StatusCounts } from './run-schemas.ts'
import { Nullable, OneOf } from './schemas.ts'
import type { Static } from './static.ts'
import { MAX_REPORT_TESTS, UploadBody, UploadQuery } from './upload-body.ts'

/** What an upload of tests or of a report contained. */
export const TestCounts = Type.Object(
  {
    total: Type.Integer({ description: 'Number of tests.' }),
    matched: Type.Integer({ description: 'Number of tests that match a test case, created ones included.' }),
    by_alias: Type.Optional(
      Type.Record(Type.String(), Type.Integer(), {
        description: 'Number of tests that match by an id of another tool, by tool; missing for none.',
      }),
    ),
    unmatched: Type.Integer({ description: 'Number of tests that match no test case. They are stored with the run.' }),
    unmatched_failed: Type.Optional(
      Type.Integer({
        description: 'Number of tests without a test case that failed, or could not run because something failed.',
      }),
    ),
    flaky: Type.Integer({ description: 'Number of tests that passed after another attempt had failed.' }),
    created: Type.Integer({ description: 'Number of test cases that were created.' }),
    lacking_fields: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Keys of required custom fields of which the created test cases have no value, because there is no default; missing for none.',
      }),
    ),
    repeated: Type.Optional(
      Type.Integer({
        description:
          'Number of tests whose names another test of the upload had before, such as the rows of a table. They have a number as variant, such as `#2`.',
      }),
    ),
    unknown_status: Type.Optional(
      Type.Object(
        {
          count: Type.Integer({ description: 'Number of tests.' }),
          examples: Type.Array(Type.String(), {
            description: 'Up to 3 of the attributes, such as `status="flagged"`.',
          }),
        },
        {
          description:
            'Tests of a report whose status only an attribute states, with a value that is not known. They count as passed.',
        },
      ),
    ),
    skipped_text: Type.Optional(
      Type.String({ description: 'Beginning of the text before the XML of a report, which was skipped.' }),
    ),
  },
  { description: 'The tests of the upload; only with the formats `tests` and `junit`.' },
)
export type TestCounts = Static<typeof TestCounts>

/** The outcome of one of several reports. */
export const ReportReceipt = Type.Object({
  path: Type.String({ description: 'Path as it was sent.' }),
  tests: Type.Integer({ description: 'Number of tests.' }),
  error: Nullable(Type.String({ description: 'Why the report could not be read; null if it was.' })),
})
export type ReportReceipt = Static<typeof ReportReceipt>

const REFUSED_ATTACHMENT_CODES = [
  'result_not_stored',
  'too_many_attachments',
  'file_too_large',
  'file_quota_reached',
  'not_declared',
] as const

/** Most refused attachments that a receipt lists. */
export const MAX_REFUSED_ATTACHMENTS = 1000

/** A file that an upload declared or named, and that is not attached. */
export const RefusedAttachment = Type.Object({
  name: Type.String({ description: 'Name of the file, or its path in the report.' }),
  code: OneOf(REFUSED_ATTACHMENT_CODES, {
    description:
      'The reason, for programs. `result_not_stored`: the result or the outcome of the test was not stored. `too_many_attachments`: the attempt, the upload or the run has too many. `file_too_large`: the file is larger than the server accepts. `file_quota_reached`: the files of the project take as much as they may. `not_declared`: a report names the file, and `files` does not list it.',
  }),
  error: Type.String({ description: 'What happened, and what to do about it.' }),
})
export type RefusedAttachment = Static<typeof RefusedAttachment>

/** The outcome of the files that an upload declares. */
export const AttachmentsReceipt = Type.Object(
  {
    declared: Type.Integer({ description: 'Number of attachments that the upload declared, or its reports name.' }),
    complete: Type.Integer({ description: 'Number of attachments whose content the project had already.' }),
    missing: Type.Array(
      Type.Object({
        sha256: Type.String({ description: 'SHA-256 of the content.' }),
        byte_count: Type.Integer({ description: 'Size of the content in bytes.' }),
      }),
      { description: 'Contents to send, each once: `PUT /v1/runs/{run_id}/files/{sha256}`.' },
    ),
    refused: Type.Array(RefusedAttachment, {
      description: `The first ${MAX_REFUSED_ATTACHMENTS.toLocaleString('en')} attachments that were refused. Their results are stored nevertheless.`,
    }),
  },
  { description: 'The attachments of the upload. Absent if it declared none.' },
)
export type AttachmentsReceipt = Static<typeof AttachmentsReceipt>

const REFUSED_LINK_CODES = ['invalid_link', 'result_not_stored', 'too_many_links'] as const

/** Most refused links that a receipt lists. */
export const MAX_REFUSED_LINKS = 1000

/** The outcome of the links that an upload names. */
export const LinksReceipt = Type.Object(
  {
    added: Type.Integer({ description: 'Number of links that were added to results.' }),
    known: Type.Integer({ description: 'Number of links that the results had already.' }),
    refused_count: Type.Integer({ description: 'Number of links that were not added.' }),
    refused: Type.Array(
      Type.Object({
        url: Type.String({ description: 'Address. Truncated to 2,048 characters.' }),
        code: OneOf(REFUSED_LINK_CODES, {
          description:
            'The reason, for programs. `invalid_link`: it is no address of a web page, or has a user name or password. `result_not_stored`: the test has no test case, or its result was not stored. `too_many_links`: the result has as many as it can have.',
        }),
        error: Type.String({ description: 'What happened, and what to do about it.' }),
      }),
      {
        description: `The first ${MAX_REFUSED_LINKS.toLocaleString('en')} links that were not added. Their results are stored nevertheless.`,
      },
    ),
  },
  { description: 'The links of the upload. Absent if it named none.' },
)
export type LinksReceipt = Static<typeof LinksReceipt>

const counts = {
  uploaded_count: Type.Integer({ description: 'Number of test cases whose result was stored.' }),
  failed_count: Type.Integer({ description: 'Number of results that were not stored.' }),
  stats: StatusCounts,
  tests: Type.Optional(TestCounts),
  reopened: Type.Optional(
    Type.Literal(true, { description: 'Present if the run had completed by itself and was opened again.' }),
  ),
  reports: Type.Optional(
    Type.Array(ReportReceipt, { description: 'The reports of the upload, in their order; only with `reports`.' }),
  ),
  attachments: Type.Optional(AttachmentsReceipt),
  links: Type.Optional(LinksReceipt),
  ignored_fields: Type.Optional(IgnoredFields),
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
      'In JUnit XML, elements with the same class name and name in the same `<testsuite>` are several tests, unless the report says that they are attempts at one (`equal_names`). A test has passed if any attempt has; of several tests of a test case, the worst outcome counts, whichever upload contained it. Tests that match no test case are stored with the run and are no error. ' +
      `A report can have up to ${MAX_REPORT_TESTS.toLocaleString('en')} tests. Requires a CI token with write access.`,
    querystring: UploadQuery,
    body: UploadBody,
    response: {
      200: {
        ...UploadReceipt,
        description: 'All results were stored.',
        examples: [
          { success: true, uploaded_count: 1, failed_count: 0, stats },
          {
            success: true,
            uploaded_count: 1,
            failed_count: 0,
            stats,
            tests: { total: 2, matched: 1, unmatched: 1, flaky: 0, created: 0 },
          },
        ],
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
