import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { Page, PageQuery } from './pagination.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Data, Id, IF_MATCH_PATTERN, Message, OneOf, Repeatable, TimestampInput } from './schemas.ts'
import { PRIORITIES, TEST_CASE_TYPES } from './test-case-fields.ts'
import {
  BulkTestCase,
  ChangedTestCaseProblem,
  CreateTestCaseBody,
  ListedTestCase,
  pickExample,
  TestCase,
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
