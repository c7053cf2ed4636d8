import { Type, type Static } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { Page, PageQuery } from './pagination.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { ResultStatus } from './results.ts'
import { Data, Id, Message, Nullable, OneOf, Timestamp } from './schemas.ts'
import {
  CreateTestCaseBody,
  ListedTestCase,
  listedTestCaseExample as listed,
  PRIORITIES,
  TEST_CASE_TYPES,
  TestCase,
  testCaseExample as example,
  TestCaseListItem,
  UpdatedTestCase,
  UpdateTestCaseBody,
} from './test-case-schemas.ts'

export const TestCaseParams = Type.Object({
  project_id: Type.String({ description: 'Project id.' }),
  test_case_id: Type.String({ description: 'Test case id, such as `WEB-12`.' }),
})

const tags = ['Test cases'] as const

export const listTestCases = {
  method: 'GET',
  url: '/v1/projects/:project_id/test-cases',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listTestCases',
    tags,
    summary: 'List test cases',
    description:
      'Test cases by number. Filters combine. An export asks for `fields=all` and spares itself the single reads.',
    params: ProjectParams,
    querystring: Type.Object({
      folder_id: Type.Optional(Id('Only those in this folder; `none` for those in no folder.')),
      priority: Type.Optional(OneOf(PRIORITIES, { description: 'Only those of this priority.' })),
      type: Type.Optional(OneOf(TEST_CASE_TYPES, { description: 'Only those of this type.' })),
      tag: Type.Optional(Type.String({ format: 'text', maxLength: 64, description: 'Only those with this tag.' })),
      search: Type.Optional(
        Type.String({ format: 'text', maxLength: 255, description: 'Part of the title, in upper or lower case.' }),
      ),
      fields: Type.Optional(
        OneOf(['all'], { description: '`all` adds tags, automation key and author, as the single read shows them.' }),
      ),
      ...PageQuery,
    }),
    response: {
      200: { ...Page(ListedTestCase), examples: [{ data: [listed], meta: { page: 1, per_page: 20, total: 1 } }] },
      ...problems(400, 401, 403, 404, 429),
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
    summary: 'Read a test case',
    description: 'One test case with its steps, tags, automation key and author.',
    params: TestCaseParams,
    response: { 200: { ...Data(TestCase), examples: [{ data: example }] }, ...problems(401, 403, 404, 429) },
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
      'It gets the next number of the project; a number is never used again. Tags, automation key and author are shown when it is read.',
    params: ProjectParams,
    body: CreateTestCaseBody,
    response: {
      201: { ...Data(TestCaseListItem), examples: [{ data: listed }] },
      ...problems(400, 401, 403, 404, 409, 413, 415, 429),
    },
  },
} as const satisfies Endpoint

const updateSchema = {
  tags,
  summary: 'Update a test case',
  description: 'Changes only the fields sent; a `steps` array replaces all the steps.',
  params: TestCaseParams,
  body: UpdateTestCaseBody,
  response: {
    200: {
      ...Data(UpdatedTestCase),
      examples: [
        { data: { id: example.id, title: example.title, priority: example.priority, updated_at: example.updated_at } },
      ],
    },
    ...problems(400, 401, 403, 404, 409, 413, 415, 429),
  },
} as const

export const updateTestCase = {
  method: 'PATCH',
  url: '/v1/projects/:project_id/test-cases/:test_case_id',
  config: { permission: 'test-cases:edit', rateLimit: 'other' },
  schema: { operationId: 'updateTestCase', ...updateSchema },
} as const satisfies Endpoint

/** The same as {@link updateTestCase}, for clients that only know PUT. */
export const putTestCase = {
  method: 'PUT',
  url: '/v1/projects/:project_id/test-cases/:test_case_id',
  config: { permission: 'test-cases:edit', rateLimit: 'other' },
  schema: { operationId: 'putTestCase', ...updateSchema, summary: 'Update a test case (as PATCH)' },
} as const satisfies Endpoint

export const deleteTestCase = {
  method: 'DELETE',
  url: '/v1/projects/:project_id/test-cases/:test_case_id',
  config: { permission: 'test-cases:edit', rateLimit: 'other' },
  schema: {
    operationId: 'deleteTestCase',
    tags,
    summary: 'Delete a test case',
    description: 'Its results in runs are kept, with the title it had; their reference to it becomes null.',
    params: TestCaseParams,
    response: { 200: Message, ...problems(401, 403, 404, 429) },
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
    description: 'All or nothing: one invalid item, and nothing is created.',
    params: ProjectParams,
    body: Type.Object(
      { test_cases: Type.Array(CreateTestCaseBody, { maxItems: 100, description: 'Up to 100 test cases.' }) },
      { examples: [{ test_cases: [{ title: 'Pays by card' }, { title: 'Pays by voucher', priority: 'low' }] }] },
    ),
    response: {
      201: {
        ...Data(
          Type.Object({
            created: Type.Integer({ description: 'How many were created.' }),
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
  run_id: Type.String({ description: 'The run.' }),
  run_name: Type.String({ description: 'Its name.' }),
  id: Type.String({ description: 'Result id.' }),
  test_case_id: Nullable(Type.String({ description: 'Test case id.' })),
  test_case_title: Type.String({ description: 'The title that the case had when it joined the run.' }),
  status: ResultStatus,
  note: Nullable(Type.String({ description: 'Note or error message.' })),
  elapsed: Nullable(Type.Integer({ description: 'Seconds.' })),
  tested_by: Nullable(Type.String({ description: 'User id; null when a CI token wrote it.' })),
  tested_at: Nullable(Timestamp('When the result was written.')),
})
export type HistoryItem = Static<typeof HistoryItem>

export const listTestCaseResults = {
  method: 'GET',
  url: '/v1/projects/:project_id/test-cases/:test_case_id/results',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listTestCaseResults',
    tags,
    summary: "List a test case's results across runs",
    description: 'One result for each run that the case is in, the newest run first.',
    params: TestCaseParams,
    querystring: Type.Object(PageQuery),
    response: {
      200: {
        ...Page(HistoryItem),
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
