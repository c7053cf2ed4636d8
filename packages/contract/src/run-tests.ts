import { Type } from 'typebox'

import { Attachment, attachmentExample } from './attachment-schemas.ts'
import { type Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { RunParams } from './results.ts'
import { Data, Id, Nullable, OneOf, Timestamp } from './schemas.ts'
import type { Static } from './static.ts'
import {
  ATTEMPT_STATUSES,
  AttemptStatus,
  outcomeExample,
  outcomeFields,
  testCursorQuery,
  testExample,
  testIdentity,
  TestPage,
  testSearch,
} from './test-fields.ts'

/** A test in a run. */
export const RunTest = Type.Object({
  ...testIdentity,
  ...outcomeFields,
  attempt_statuses: Type.Array(AttemptStatus, { description: 'Status of each attempt, up to 20.' }),
  attachment_count: Type.Integer({ description: 'Number of attachments of its attempts.' }),
})
export type RunTest = Static<typeof RunTest>

/** A step that a framework reported inside of an attempt. */
export const AttemptStep = Type.Object({
  title: Type.String({ description: 'Title.' }),
  status: Nullable(
    Type.Unsafe<AttemptStatus>({ ...AttemptStatus, description: 'Status of the step; null if it is unknown.' }),
  ),
  depth: Type.Integer({
    description: 'Number of steps around it, 0 to 9: it belongs to the nearest one before it with a smaller depth.',
  }),
  elapsed_ms: Nullable(Type.Integer({ description: 'Duration in milliseconds.' })),
  message: Type.String({ description: 'Error message; empty for none.' }),
})
export type AttemptStep = Static<typeof AttemptStep>

export const TestAttempt = Type.Object({
  status: AttemptStatus,
  elapsed_ms: Nullable(Type.Integer({ description: 'Duration in milliseconds.' })),
  message: Type.String({ description: 'Error message, or the reason for skipping; empty for none.' }),
  details: Type.String({ description: 'Stack trace, difference or output; empty for none.' }),
  started_at: Nullable(Timestamp('When the attempt started, if known.')),
  steps: Type.Optional(
    Type.Array(AttemptStep, { description: 'Steps that the framework reported. Absent if there are none.' }),
  ),
  steps_cut: Type.Optional(Type.Literal(true, { description: 'Present if there were more steps than are kept.' })),
})
export type TestAttempt = Static<typeof TestAttempt>

/** What one source reported of a test. */
export const OutcomePart = Type.Object({
  source: Type.Integer({ description: 'Number of the source in the run, which its attachments name.' }),
  job: Type.String({ description: 'Name of the CI job; empty if unknown, as are the next six fields.' }),
  instance: Type.String({ description: 'What tells the executions of the job apart.' }),
  shard: Type.String({ description: 'Name of the shard.' }),
  variant: Type.String({ description: 'Variant that the upload names.' }),
  report: Type.String({ description: 'Path of the report file.' }),
  label: Type.String({ description: 'Where the test ran.' }),
  job_url: Type.String({ description: 'Page of the CI job.' }),
  build_attempt: Nullable(Type.Integer({ description: "CI's number of the rerun of the job; null if unknown." })),
  rerun: Type.Boolean({ description: 'Whether the upload was a rerun of tests of other sources.' }),
  outcome: OneOf(ATTEMPT_STATUSES, { description: 'The outcome of the test there.' }),
  is_flaky: outcomeFields.is_flaky,
  elapsed_ms: outcomeFields.elapsed_ms,
  tested_at: outcomeFields.tested_at,
  attempts: Type.Array(TestAttempt, { description: 'The attempts there.' }),
})
export type OutcomePart = Static<typeof OutcomePart>

const parts = Type.Array(OutcomePart, {
  description:
    'What each source reported of the test: a CI job, a parallel instance of it, a report file, a build attempt. The worst counts; a later build attempt of a job repeats the earlier ones.',
})

const isInNewestReport = Type.Boolean({
  description:
    'False if a newer report has the file or suite of the test, from the same source, and did not run the test: it may have been deleted or renamed, and can be left out of the run.',
})

/** A test behind a result. */
export const TestOfResult = Type.Object({ ...RunTest.properties, parts, is_in_newest_report: isInNewestReport })
export type TestOfResult = Static<typeof TestOfResult>

export const RunTestDetail = Type.Object({
  ...TestOfResult.properties,
  attempts: Type.Array(TestAttempt, {
    description:
      'All attempts in the order in which they ran; if several sources reported the test, those that decide.',
  }),
  attachments: Type.Array(Attachment, { description: 'The attachments of its attempts, up to 100.' }),
})
export type RunTestDetail = Static<typeof RunTestDetail>

/** An error outside of tests. */
export const SuiteErrorInRun = Type.Object({
  id: Type.String({ description: 'Error id.' }),
  where: Type.String({ description: 'File, suite or hook.' }),
  message: Type.String({ description: 'Error message.' }),
  shard: Nullable(Type.String({ description: 'Shard that reported it; null if unknown.' })),
  at: Timestamp('When it was uploaded, or the `finished_at` of its upload.'),
})
export type SuiteErrorInRun = Static<typeof SuiteErrorInRun>

export const runTestExample = {
  ...testExample,
  ...outcomeExample,
  attempt_statuses: ['failed', 'passed'],
  attachment_count: 1,
}

const attemptExamples = [
  {
    status: 'failed',
    elapsed_ms: 402,
    message: 'expected 200, got 500',
    details: 'at checkout.spec.ts:12:5',
    started_at: null,
  },
  { status: 'passed', elapsed_ms: 410, message: '', details: '', started_at: null },
]

const partExample = {
  source: 1,
  job: 'CI / test',
  instance: 'runner-3',
  shard: '',
  variant: '',
  report: '',
  label: 'linux x64, Node 20',
  job_url: '',
  build_attempt: 1,
  rerun: false,
  outcome: 'passed',
  is_flaky: true,
  elapsed_ms: 812,
  tested_at: '2026-11-21T09:30:00.000Z',
  attempts: attemptExamples,
} as const

export const testOfResultExample = { ...runTestExample, parts: [partExample], is_in_newest_report: true }

const tags = ['Tests'] as const

export const RunTestParams = Type.Object({
  ...RunParams.properties,
  test_id: Type.String({ description: 'Test id.' }),
})

export const listRunTests = {
  method: 'GET',
  url: '/v1/runs/:run_id/tests',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listRunTests',
    tags,
    summary: 'List the tests of a run',
    description: 'Returns the tests that were uploaded to the run, in the order in which the project got to know them.',
    params: RunParams,
    querystring: Type.Object({
      matched: Type.Optional(
        Type.Boolean({ description: '`false`: only tests that match no test case. `true`: only the others.' }),
      ),
      outcome: Type.Optional(OneOf(ATTEMPT_STATUSES, { description: 'Return only tests with this outcome.' })),
      flaky: Type.Optional(Type.Boolean({ description: '`true`: only flaky tests. `false`: only the others.' })),
      result_id: Type.Optional(Id('Return only the tests of the test case of this result.')),
      search: testSearch,
      ...testCursorQuery,
    }),
    response: {
      200: { ...TestPage(RunTest), examples: [{ data: [runTestExample], meta: { next_after: null, total: 1 } }] },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const getRunTest = {
  method: 'GET',
  url: '/v1/runs/:run_id/tests/:test_id',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'getRunTest',
    tags,
    summary: 'Get a test of a run',
    description: 'Returns the test with all its attempts and their messages.',
    params: RunTestParams,
    response: {
      200: {
        ...Data(RunTestDetail),
        examples: [{ data: { ...testOfResultExample, attempts: attemptExamples, attachments: [attachmentExample] } }],
      },
      ...problems(401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const listSuiteErrors = {
  method: 'GET',
  url: '/v1/runs/:run_id/suite-errors',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listSuiteErrors',
    tags,
    summary: 'List the errors of a run outside of its tests',
    description:
      'Returns up to 1,000 errors that belong to no test, such as a file that did not load or a suite that was killed, the newest first.',
    params: RunParams,
    response: {
      200: {
        ...Type.Object({ data: Type.Array(SuiteErrorInRun) }),
        examples: [
          {
            data: [
              {
                id: '019aa5ba-2d3e-7f40-9b5c-6d7e8f9a0b1c',
                where: 'src/cart.test.ts',
                message: 'SyntaxError: Unexpected token',
                shard: '2',
                at: '2026-11-21T09:30:00.000Z',
              },
            ],
          },
        ],
      },
      ...problems(401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint
