import { Type, type Static } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { Page, PageMeta, PageQuery } from './pagination.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { RESULT_STATUSES, ResultStatus } from './results.ts'
import {
  Data,
  Id,
  IF_MATCH_PATTERN,
  Message,
  Nullable,
  OneOf,
  Repeatable,
  Timestamp,
  TimestampInput,
  Uuid,
} from './schemas.ts'
import { PRIORITIES, TEST_CASE_TYPES } from './test-case-fields.ts'
import {
  BulkTestCase,
  ChangedTestCaseProblem,
  CreateTestCaseBody,
  ListedTestCase,
  TestCase,
  pickExample,
  TestCaseListItem,
  UpdatedTestCase,
  UpdateTestCaseBody,
} from './test-case-schemas.ts'

/** The headers of a change that may depend on the version. */
export const IfMatchHeaders = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      pattern: IF_MATCH_PATTERN,
      maxLength: 50,
      description:
        'The version that the change is based on, in double quotes, such as `"7"`. If the test case has another version, nothing changes and the response is 412. Without it, or with `*`, the change is always made.',
    }),
  ),
})

export const TestCaseParams = Type.Object({
  project_id: Type.String({ description: 'Project id.' }),
  test_case_id: Type.String({ description: 'Test case id, such as `WEB-12`.' }),
})

const tags = ['Test cases'] as const

export const testCaseFilters = {
  folder_id: Type.Optional(Id('Return only test cases in this folder; `none` for those at the top level.')),
  priority: Type.Optional(
    Repeatable(
      OneOf(PRIORITIES, { description: 'Priority.' }),
      'Return only test cases with this priority, or with one of these if the parameter is repeated.',
      PRIORITIES.length,
    ),
  ),
  type: Type.Optional(
    Repeatable(
      OneOf(TEST_CASE_TYPES, { description: 'Type of test.' }),
      'Return only test cases of this type, or of one of these if the parameter is repeated.',
      TEST_CASE_TYPES.length,
    ),
  ),
  tag: Type.Optional(
    Repeatable(
      Type.String({ format: 'text', maxLength: 64 }),
      'Return only test cases with this tag, or with at least one of these if the parameter is repeated.',
      50,
    ),
  ),
  owner_id: Type.Optional(
    Repeatable(
      Id('User id of the owner; `none` for test cases without one.'),
      'Return only test cases of this owner, or of one of these if the parameter is repeated.',
      50,
    ),
  ),
  estimate: Type.Optional(
    OneOf(['any', 'none'], { description: 'Return only test cases with an estimate, or only those without one.' }),
  ),
  search: Type.Optional(
    Type.String({
      format: 'text',
      maxLength: 255,
      description: 'Return only test cases whose title contains this text, case-insensitive.',
    }),
  ),
  archived: Type.Optional(
    OneOf(['false', 'true', 'any'], {
      description:
        'Return only archived test cases (`true`), or archived ones, too (`any`). Without it, or with `false`, none of them.',
    }),
  ),
  changed_since: Type.Optional(
    TimestampInput(
      'Return only test cases that changed since this time (or up to ten seconds before). Add `archived=any` to learn of those that were archived. Deleted ones are not returned: if the number of test cases a client has differs from `test_case_count` of the project, it reads all again.',
    ),
  ),
}

export const listTestCases = {
  method: 'GET',
  url: '/v1/projects/:project_id/test-cases',
  config: { permission: 'project:view', rateLimit: 'other', hasFieldFilters: true },
  schema: {
    operationId: 'listTestCases',
    tags,
    summary: 'List test cases',
    description:
      'Returns the test cases of the project, by number unless `sort` is set. Filters can be combined. Use `fields=all` for an export. Up to ten filters are by custom fields: `field.severity=blocker` (repeatable; `none` for no value, `any` for some), `field.risk.min=3` and `field.risk.max=5` for numbers and dates, `field.notes.contains=card` for texts. An unknown key is 400 `unknown_field`. With more than 100,000 test cases in the project or the folder, `.contains` is 422 `filter_too_broad`. With a filter by a custom field, or an order by one together with any filter, `meta.total` is at most 10,000, which then means 10,000 or more; only `sort=tree` counts further.',
    params: ProjectParams,
    querystring: Type.Object({
      ...testCaseFilters,
      fields: Type.Optional(
        OneOf(['all'], {
          description:
            '`all` adds the tags, the automation keys, the owner, the estimate, the custom fields, the author, the position and the version to each item.',
        }),
      ),
      sort: Type.Optional(
        Type.String({
          format: 'text',
          maxLength: 60,
          description:
            'Order: `tree` returns the test cases folder by folder in the order of the folder list, each folder by position; those without a folder come last. `field.<key>` and, from the largest, `-field.<key>` sort by a custom field that is a number, a date or a select, the last in the order of its options; test cases without a value come last.',
        }),
      ),
      ...PageQuery,
    }),
    response: {
      200: {
        ...Page(ListedTestCase),
        examples: [{ data: [pickExample(TestCaseListItem)], meta: { page: 1, per_page: 20, total: 1 } }],
      },
      ...problems(400, 401, 403, 404, 422, 429),
    },
  },
} as const satisfies Endpoint

export const getTestCase = {
  method: 'GET',
  url: '/v1/projects/:project_id/test-cases/:test_case_id',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'getTestCase',
    tags,
    summary: 'Get a test case',
    description: 'Returns the test case with its steps, tags, automation key, custom fields and author.',
    params: TestCaseParams,
    response: {
      200: { ...Data(TestCase), examples: [{ data: pickExample(TestCase) }] },
      ...problems(401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const createTestCase = {
  method: 'POST',
  url: '/v1/projects/:project_id/test-cases',
  config: { permission: 'test-cases:edit', rateLimit: 'other' },
  schema: {
    operationId: 'createTestCase',
    tags,
    summary: 'Create a test case',
    description:
      'Creates a test case with the next number of the project, at the end of its folder; numbers are never reused. The response does not contain the tags, the automation key and the author: get the test case to read them.',
    params: ProjectParams,
    body: CreateTestCaseBody,
    response: {
      201: { ...Data(TestCaseListItem), examples: [{ data: pickExample(TestCaseListItem) }] },
      ...problems(400, 401, 403, 404, 409, 413, 415, 429),
    },
  },
} as const satisfies Endpoint

const changedMeanwhile = {
  ...ChangedTestCaseProblem,
  description: 'The test case has changed since the version in `If-Match`; `current` contains it as it is now.',
}

const updateSchema = {
  tags,
  summary: 'Update a test case',
  description:
    'Updates only the fields in the request. A `steps` array replaces all steps. A test case that comes into another folder is placed at its end. `archived: true` archives it, and `false` restores it: it keeps its place, its automation keys, its results and everything else.',
  params: TestCaseParams,
  headers: IfMatchHeaders,
  body: UpdateTestCaseBody,
  response: {
    200: {
      ...Data(UpdatedTestCase),
      examples: [
        { data: pickExample(Type.Pick(UpdatedTestCase, ['id', 'title', 'priority', 'updated_at', 'version'])) },
      ],
    },
    ...problems(400, 401, 403, 404, 409, 413, 415, 429),
    412: changedMeanwhile,
  },
} as const

export const updateTestCase = {
  method: 'PATCH',
  url: '/v1/projects/:project_id/test-cases/:test_case_id',
  config: { permission: 'test-cases:edit', rateLimit: 'other' },
  schema: { operationId: 'updateTestCase', ...updateSchema },
} as const satisfies Endpoint

/** The same as {@link updateTestCase}, for clients that only support PUT. */
export const putTestCase = {
  method: 'PUT',
  url: '/v1/projects/:project_id/test-cases/:test_case_id',
  config: { permission: 'test-cases:edit', rateLimit: 'other' },
  schema: { operationId: 'putTestCase', ...updateSchema, summary: 'Update a test case (same as PATCH)' },
} as const satisfies Endpoint

export const deleteTestCase = {
  method: 'DELETE',
  url: '/v1/projects/:project_id/test-cases/:test_case_id',
  config: { permission: 'test-cases:edit', rateLimit: 'other' },
  schema: {
    operationId: 'deleteTestCase',
    tags,
    summary: 'Delete a test case',
    description:
      'Deletes the test case. Its results are kept with its title; their `test_case_id` becomes null. To keep its versions, comments and files, too, archive it instead: `archived: true` of an update.',
    params: TestCaseParams,
    headers: IfMatchHeaders,
    response: { 200: Message, ...problems(400, 401, 403, 404, 429), 412: changedMeanwhile },
  },
} as const satisfies Endpoint

export const bulkCreateTestCases = {
  method: 'POST',
  url: '/v1/projects/:project_id/test-cases/bulk',
  config: { permission: 'test-cases:edit', rateLimit: 'other' },
  schema: {
    operationId: 'bulkCreateTestCases',
    tags,
    summary: 'Create up to 100 test cases',
    description: 'Creates all test cases, or none if one of them is invalid.',
    params: ProjectParams,
    body: Type.Object(
      { test_cases: Type.Array(BulkTestCase, { maxItems: 100, description: 'Up to 100 test cases.' }) },
      { examples: [{ test_cases: [{ title: 'Pays by card' }, { title: 'Pays by voucher', priority: 'low' }] }] },
    ),
    response: {
      201: {
        ...Data(
          Type.Object({
            created: Type.Integer({ description: 'Number of created test cases.' }),
            test_cases: Type.Array(Type.Object({ id: TestCase.properties.id, title: TestCase.properties.title })),
          }),
        ),
        examples: [{ data: { created: 1, test_cases: [{ id: 'WEB-12', title: 'Pays by card' }] } }],
      },
      ...problems(400, 401, 403, 404, 409, 413, 415, 429),
    },
  },
} as const satisfies Endpoint

export const HistoryItem = Type.Object({
  run_id: Type.String({ description: 'Run id.' }),
  run_name: Type.String({ description: 'Display name of the run.' }),
  id: Type.String({ description: 'Result id.' }),
  test_case_id: Nullable(Type.String({ description: 'Test case id.' })),
  test_case_title: Type.String({ description: 'Title of the test case when it was added to the run.' }),
  status: ResultStatus,
  note: Nullable(Type.String({ description: 'Comment or error message.' })),
  elapsed: Nullable(Type.Integer({ description: 'Duration in seconds.' })),
  tested_by: Nullable(Type.String({ description: 'User id; null if the result was set with a CI token.' })),
  tested_at: Nullable(Timestamp('When the result was set.')),
  branch: Nullable(Type.String({ description: '`branch` of the metadata of the run.' })),
  commit: Nullable(Type.String({ description: '`commit` of the metadata of the run.' })),
  build_url: Nullable(Type.String({ description: '`build_url` or `ci_url` of the metadata of the run.' })),
  milestone_id: Nullable(Type.String({ description: 'Milestone of the run.' })),
  rerun_of: Nullable(Type.String({ description: 'The run of which it is a rerun; null if it is none.' })),
  attachment_count: Type.Integer({ description: 'Number of attachments of the result.' }),
  link_count: Type.Integer({ description: 'Number of links of the result.' }),
})
export type HistoryItem = Static<typeof HistoryItem>

/** The most runs that one page of a filtered history searches. */
export const MAX_SEARCHED_RUNS = 1000

/** The position of a page of a history that is searched. */
export const HistoryMeta = Type.Object({
  next_after: Nullable(Type.String({ description: 'Cursor of the next page; null when all runs have been searched.' })),
  searched_runs: Type.Integer({ description: 'Number of runs with the test case that this page has searched.' }),
})
export type HistoryMeta = Static<typeof HistoryMeta>

export const listTestCaseResults = {
  method: 'GET',
  url: '/v1/projects/:project_id/test-cases/:test_case_id/results',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listTestCaseResults',
    tags,
    summary: "List a test case's results across runs",
    description: `Returns one result for each run that contains the test case, newest run first, and those of the test cases that were merged into it. With a filter or \`after\`, it searches up to ${MAX_SEARCHED_RUNS.toLocaleString('en')} of these runs for each page, and has no total: a page can have fewer results than \`per_page\`, or none, or a few more, because the results of one run are on one page; and \`next_after\` continues.`,
    params: TestCaseParams,
    querystring: Type.Object({
      ...PageQuery,
      status: Type.Optional(
        Repeatable(
          ResultStatus,
          'Return only results with this status, or with one of these statuses if the parameter is repeated.',
          RESULT_STATUSES.length,
        ),
      ),
      branch: Type.Optional(
        Type.String({ format: 'text', maxLength: 255, description: 'Return only results of runs of this branch.' }),
      ),
      after: Type.Optional(
        Uuid('Return only results of runs older than this one: `next_after`, or the `run_id` of a result.'),
      ),
    }),
    response: {
      200: {
        ...Type.Object({ data: Type.Array(HistoryItem), meta: Type.Union([PageMeta, HistoryMeta]) }),
        examples: [
          {
            data: [
              {
                run_id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01',
                run_name: 'Nightly',
                id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a02',
                test_case_id: 'WEB-12',
                test_case_title: 'A customer pays by card',
                status: 'passed',
                note: null,
                elapsed: 3,
                tested_by: null,
                tested_at: '2026-11-21T09:30:00.000Z',
                branch: 'main',
                commit: '9c1f0e7',
                build_url: 'https://ci.example.com/builds/842',
                milestone_id: null,
                rerun_of: null,
                attachment_count: 0,
                link_count: 0,
              },
            ],
            meta: { page: 1, per_page: 20, total: 1 },
          },
        ],
      },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

/** Most tags that one response contains. */
export const MAX_LISTED_TAGS = 10_000

export const listTags = {
  method: 'GET',
  url: '/v1/projects/:project_id/tags',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listTags',
    tags,
    summary: 'List the tags of a project',
    description:
      'Returns the tags of the test cases with the number of test cases that have each, in alphabetical order. If there are more than 10,000 tags, the most used ones are returned.',
    params: ProjectParams,
    response: {
      200: {
        ...Type.Object({
          data: Type.Array(
            Type.Object({
              tag: Type.String({ description: 'Tag.' }),
              test_case_count: Type.Integer({ description: 'Number of test cases with this tag.' }),
            }),
          ),
        }),
        examples: [{ data: [{ tag: 'payment', test_case_count: 12 }] }],
      },
      ...problems(401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint
