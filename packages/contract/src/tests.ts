import { Type } from 'typebox'

import { BODY_LIMIT, type Endpoint } from './endpoint.ts'
import { CursorPage } from './pagination.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Data, Id, Nullable, OneOf, Timestamp, Uuid } from './schemas.ts'
import { STABILITIES, TestQuarantine, TestStability } from './stability.ts'
import type { Static } from './static.ts'
import {
  outcomeExample,
  outcomeFields,
  testCursorQuery,
  testExample,
  testIdentity,
  TestPage,
  testSearch,
} from './test-fields.ts'

/** The maximum number of tests in one request that links them or creates test cases for them. */
export const MAX_TEST_IDS = 10_000

export const TEST_SORTS = ['oldest', 'score'] as const

/** A test of a project, with its latest outcome. */
export const ProjectTest = Type.Object({
  ...testIdentity,
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
  stability: Type.Optional(Nullable(TestStability)),
  quarantine: Type.Optional(
    Nullable(
      Type.Object(TestQuarantine.properties, {
        description: 'With `fields=stability`: the quarantine that is in effect; null if there is none.',
      }),
    ),
  ),
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

const inRunExample = { run_id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01', run_name: 'Nightly', ...outcomeExample }

export const projectTestExample = { ...testExample, latest: inRunExample, created_at: '2026-11-01T09:30:00.000Z' }

const tags = ['Tests'] as const

const TestParams = Type.Object({
  ...ProjectParams.properties,
  test_id: Type.String({ description: 'Test id.' }),
})

export const listTests = {
  method: 'GET',
  url: '/v1/projects/:project_id/tests',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listTests',
    tags,
    summary: 'List the tests of a project',
    description: 'Returns all tests that were ever uploaded to the project.',
    params: ProjectParams,
    querystring: Type.Object({
      linked: Type.Optional(
        Type.Boolean({ description: '`false`: only tests without a test case. `true`: only the others.' }),
      ),
      test_case_id: Type.Optional(Id('Return only the tests of this test case.')),
      stability: Type.Optional(OneOf(STABILITIES, { description: 'Return only tests that are so reliable.' })),
      quarantined: Type.Optional(
        Type.Boolean({ description: '`true`: only tests with a quarantine in effect. `false`: only the others.' }),
      ),
      fields: Type.Optional(
        OneOf(['stability'], { description: '`stability`: also return `stability` and `quarantine` of each test.' }),
      ),
      sort: Type.Optional(
        OneOf(TEST_SORTS, {
          default: 'oldest',
          description:
            '`oldest`: in the order in which the project got to know them. `score`: those with most evidence of being unreliable first; tests that nothing is known against are left out.',
        }),
      ),
      search: testSearch,
      ...testCursorQuery,
      after: Type.Optional(
        Type.String({
          pattern: '^(?:[0-9]{1,3}[.])?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
          description: '`next_after` of the previous page; the first page without it.',
        }),
      ),
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
