import { Type, type Static } from 'typebox'

import { BODY_LIMIT, type Endpoint } from './endpoint.ts'
import { CursorPage } from './pagination.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { RunParams } from './results.ts'
import { Data, Id, Nullable, OneOf, Timestamp, Uuid } from './schemas.ts'

/*
 * A test is what automation runs, identified in its project by its suite, name and variant. A run has one outcome of each
 * test that was uploaded to it, with all attempts.
 */

export const ATTEMPT_STATUSES = ['passed', 'failed', 'blocked', 'interrupted', 'skipped'] as const
export const AttemptStatus = OneOf(ATTEMPT_STATUSES, {
  description:
    '`blocked`: something before it failed, so that it could not run. `interrupted`: stopped before its end.',
})
export type AttemptStatus = (typeof ATTEMPT_STATUSES)[number]

export const LINK_SOURCES = ['id', 'key', 'hand'] as const

/** The maximum number of tests in one request that links them or creates test cases for them. */
export const MAX_TEST_IDS = 10_000
/** The largest page of a list of tests. */
export const MAX_TESTS_PER_PAGE = 500

const identity = {
  id: Type.String({ description: 'Test id.' }),
  suite: Type.String({ description: 'File, class or blocks around the test; empty if unknown.' }),
  name: Type.String({ description: 'Name, with the titles of its blocks joined by ` > ` where the suite is a file.' }),
  variant: Type.String({ description: 'Browser, project or other variant; empty if there is only one.' }),
  file: Type.String({ description: 'File; empty if unknown.' }),
  module: Type.String({
    description: 'Directory of its package, relative to the repository; `.` for the root, empty if unknown.',
  }),
  test_case_ids: Type.Array(Type.String(), {
    description: 'Test cases that the test is linked to, usually one. Empty: the test is unmatched.',
  }),
  linked_by: Nullable(
    OneOf(LINK_SOURCES, {
      description:
        'What linked the test: an `id` in the report, an automation `key`, or a user (`hand`); null if it is unmatched.',
    }),
  ),
}

const outcomeFields = {
  outcome: OneOf(ATTEMPT_STATUSES, {
    description: '`passed` if any attempt passed; otherwise the worst of its attempts.',
  }),
  is_flaky: Type.Boolean({ description: 'Whether it passed after another attempt had failed.' }),
  elapsed_ms: Nullable(Type.Integer({ description: 'Duration of all attempts in milliseconds.' })),
  attempt_count: Type.Integer({ description: 'Number of attempts.' }),
  tested_at: Timestamp('When the test was uploaded, or the `finished_at` of its upload.'),
}

/** A test in a run. */
export const RunTest = Type.Object({
  ...identity,
  ...outcomeFields,
  attempt_statuses: Type.Array(AttemptStatus, { description: 'Status of each attempt, up to 20.' }),
})
export type RunTest = Static<typeof RunTest>

export const TestAttempt = Type.Object({
  status: AttemptStatus,
  elapsed_ms: Nullable(Type.Integer({ description: 'Duration in milliseconds.' })),
  message: Type.String({ description: 'Error message, or the reason for skipping; empty for none.' }),
  details: Type.String({ description: 'Stack trace, difference or output; empty for none.' }),
  started_at: Nullable(Timestamp('When the attempt started, if known.')),
})
export type TestAttempt = Static<typeof TestAttempt>

/** What one source reported of a test. */
export const OutcomePart = Type.Object({
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
})
export type RunTestDetail = Static<typeof RunTestDetail>

/** A test of a project, with its latest outcome. */
export const ProjectTest = Type.Object({
  ...identity,
  latest: Nullable(
    Type.Object(
      {
        run_id: Type.String({ description: 'Run id.' }),
        run_name: Type.String({ description: 'Name of the run.' }),
        ...outcomeFields,
      },
      { description: 'The outcome in the newest run that contains the test; null if there is none.' },
    ),
  ),
  created_at: Timestamp('When the test was uploaded for the first time.'),
})
export type ProjectTest = Static<typeof ProjectTest>

export const ProjectTestDetail = Type.Object({
  ...ProjectTest.properties,
  suggestions: Type.Array(
    Type.Object({
      test_case_id: Type.String({ description: 'Test case id.' }),
      title: Type.String({ description: 'Title of the test case.' }),
    }),
    {
      description:
        'Up to 3 test cases with a similar title whose tests were not in the newest run of this test: it may be a renamed test. Empty if the test is linked.',
    },
  ),
})
export type ProjectTestDetail = Static<typeof ProjectTestDetail>

/** An outcome of a test in one of the runs. */
export const OutcomeInRun = Type.Object({
  run_id: Type.String({ description: 'Run id.' }),
  run_name: Type.String({ description: 'Name of the run.' }),
  ...outcomeFields,
})
export type OutcomeInRun = Static<typeof OutcomeInRun>

/** An error outside of tests. */
export const SuiteErrorInRun = Type.Object({
  id: Type.String({ description: 'Error id.' }),
  where: Type.String({ description: 'File, suite or hook.' }),
  message: Type.String({ description: 'Error message.' }),
  shard: Nullable(Type.String({ description: 'Shard that reported it; null if unknown.' })),
  at: Timestamp('When it was uploaded, or the `finished_at` of its upload.'),
})
export type SuiteErrorInRun = Static<typeof SuiteErrorInRun>

const testExample = {
  id: '019aa5b9-0b1c-7d2e-8f3a-4b5c6d7e8f90',
  suite: 'src/checkout.spec.ts',
  name: 'Checkout > pays by card',
  variant: 'chromium',
  file: 'src/checkout.spec.ts',
  module: '.',
  test_case_ids: ['WEB-12'],
  linked_by: 'key',
} as const
const outcomeExample = {
  outcome: 'passed',
  is_flaky: true,
  elapsed_ms: 812,
  attempt_count: 2,
  tested_at: '2026-11-21T09:30:00.000Z',
} as const
export const runTestExample = { ...testExample, ...outcomeExample, attempt_statuses: ['failed', 'passed'] }
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
const inRunExample = { run_id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01', run_name: 'Nightly', ...outcomeExample }
const projectTestExample = { ...testExample, latest: inRunExample, created_at: '2026-11-01T09:30:00.000Z' }

const tags = ['Tests'] as const

const cursorQuery = {
  after: Type.Optional(Uuid('`next_after` of the previous page; the first page without it.')),
  per_page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_TESTS_PER_PAGE,
      default: 20,
      description: `Number of tests per page, up to ${MAX_TESTS_PER_PAGE}.`,
    }),
  ),
}
const search = Type.Optional(
  Type.String({
    format: 'text',
    maxLength: 255,
    description: 'Return only tests whose suite, name, variant or file contains this text, case-insensitive.',
  }),
)

/** A page of a list by cursor that tells how many there are. */
const TestPage = <S extends ReturnType<typeof Type.Object>>(item: S) => {
  const page = CursorPage(item)
  return Type.Object({
    ...page.properties,
    meta: Type.Object({
      ...page.properties.meta.properties,
      total: Type.Integer({ description: 'Number of tests on all pages; 10,000 means 10,000 or more.' }),
    }),
  })
}

export const RunTestParams = Type.Object({
  ...RunParams.properties,
  test_id: Type.String({ description: 'Test id.' }),
})
const TestParams = Type.Object({
  ...ProjectParams.properties,
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
      search,
      ...cursorQuery,
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
      200: { ...Data(RunTestDetail), examples: [{ data: { ...testOfResultExample, attempts: attemptExamples } }] },
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

export const listTests = {
  method: 'GET',
  url: '/v1/projects/:project_id/tests',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listTests',
    tags,
    summary: 'List the tests of a project',
    description: 'Returns all tests that were ever uploaded to the project, the oldest first.',
    params: ProjectParams,
    querystring: Type.Object({
      linked: Type.Optional(
        Type.Boolean({ description: '`false`: only tests without a test case. `true`: only the others.' }),
      ),
      test_case_id: Type.Optional(Id('Return only the tests of this test case.')),
      search,
      ...cursorQuery,
    }),
    response: {
      200: {
        ...TestPage(ProjectTest),
        examples: [{ data: [projectTestExample], meta: { next_after: null, total: 1 } }],
      },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const getTest = {
  method: 'GET',
  url: '/v1/projects/:project_id/tests/:test_id',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'getTest',
    tags,
    summary: 'Get a test',
    description: 'Returns the test, and test cases that it may belong to if it is unmatched.',
    params: TestParams,
    response: {
      200: {
        ...Data(ProjectTestDetail),
        examples: [{ data: { ...projectTestExample, suggestions: [] } }],
      },
      ...problems(401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const listTestOutcomes = {
  method: 'GET',
  url: '/v1/projects/:project_id/tests/:test_id/outcomes',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listTestOutcomes',
    tags,
    summary: 'List the outcomes of a test',
    description: 'Returns the outcome of the test in each run, the newest run first.',
    params: TestParams,
    querystring: Type.Object({
      after: Type.Optional(Uuid('`next_after` of the previous page; the first page without it.')),
      per_page: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Number of outcomes per page.' }),
      ),
    }),
    response: {
      200: { ...CursorPage(OutcomeInRun), examples: [{ data: [inRunExample], meta: { next_after: null } }] },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const linkTest = {
  method: 'PATCH',
  url: '/v1/projects/:project_id/tests/:test_id',
  config: { permission: 'test-cases:edit', rateLimit: 'other' },
  schema: {
    operationId: 'linkTest',
    tags,
    summary: 'Link a test to a test case, or remove its link',
    description:
      'The link stays until it is changed, or an id in a report names another test case. In runs in progress that contain both, the result of the test case is derived from its tests again. Removing a link does not change results.',
    params: TestParams,
    body: Type.Object(
      { test_case_id: Nullable(Id('Test case id, such as `WEB-12`; null removes the link.')) },
      { examples: [{ test_case_id: 'WEB-12' }, { test_case_id: null }] },
    ),
    response: {
      200: { ...Data(ProjectTest), examples: [{ data: projectTestExample }] },
      ...problems(400, 401, 403, 404, 413, 415, 429),
    },
  },
} as const satisfies Endpoint

export const createTestCasesForTests = {
  method: 'POST',
  url: '/v1/projects/:project_id/tests/create-test-cases',
  bodyLimit: BODY_LIMIT.upload,
  config: { permission: 'test-cases:edit', rateLimit: 'other' },
  schema: {
    operationId: 'createTestCasesForTests',
    tags,
    summary: 'Create test cases for unmatched tests',
    description:
      'Creates a test case for each of the tests that has none: its title is the last part of the name, its folders are the suite and the other titles, and its automation keys match the test from now on. Tests that differ only in their variant share a test case. Tests that are linked already, and unknown ones, are skipped. Up to 10,000 test cases are created; `remaining` says how many tests are left. The test cases join the runs in progress that contain the tests, if these runs take what is reported (`adds_test_cases`), and the run in `run_id`.',
    params: ProjectParams,
    body: Type.Object(
      {
        test_ids: Type.Optional(
          Type.Array(Id('Test id.'), { maxItems: MAX_TEST_IDS, description: 'Tests to create test cases for.' }),
        ),
        all_unmatched_of_run: Type.Optional(
          Id('Run id: create test cases for all tests of this run that match no test case.'),
        ),
        run_id: Type.Optional(Id('Add the test cases to this run, which must be in progress, with their results.')),
        folder_id: Type.Optional(
          Nullable(Id('Folder in which the test cases and their folders are created; null for the top level.')),
        ),
      },
      {
        description: 'Either `test_ids` or `all_unmatched_of_run` is required.',
        examples: [
          { all_unmatched_of_run: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01' },
          { test_ids: ['019aa5b9-0b1c-7d2e-8f3a-4b5c6d7e8f90'], folder_id: null },
        ],
      },
    ),
    response: {
      200: {
        ...Data(
          Type.Object({
            created: Type.Integer({ description: 'Number of test cases created.' }),
            linked: Type.Integer({ description: 'Number of tests that have a test case now.' }),
            remaining: Type.Integer({ description: 'Number of tests that still have none: send the request again.' }),
            test_cases: Type.Array(
              Type.Object({
                id: Type.String({ description: 'Test case id.' }),
                title: Type.String({ description: 'Title.' }),
              }),
              { description: 'The first 100 of the test cases.' },
            ),
          }),
        ),
        examples: [
          { data: { created: 1, linked: 1, remaining: 0, test_cases: [{ id: 'WEB-13', title: 'pays by card' }] } },
        ],
      },
      ...problems(400, 401, 403, 404, 409, 413, 415, 429),
    },
  },
} as const satisfies Endpoint
