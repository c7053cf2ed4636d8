import { Type } from 'typebox'

import { Attachment, attachmentExample } from './attachment-schemas.ts'
import type { Endpoint } from './endpoint.ts'
import { Link, linkExample } from './link-schemas.ts'
import { RowPage, RowQuery } from './pagination.ts'
import { problems } from './problem.ts'
import {
  listResults,
  resultExample,
  ResultParams,
  resultFilters,
  RESULT_STATUSES,
  ResultStatus,
  RunParams,
  TestResult,
} from './results.ts'
import { Data, Nullable, OneOf, Timestamp, Uuid } from './schemas.ts'
import type { Static } from './static.ts'
import { PRIORITIES, TEST_CASE_TYPES } from './test-case-fields.ts'
import { CaseContent, pickExample, TestCase } from './test-case-schemas.ts'
import { StepResult, stepResultExample } from './step-results.ts'
import { TestOfResult, testOfResultExample } from './run-tests.ts'

export const resultRowExample = {
  id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a02',
  test_case_id: 'WEB-12',
  test_case_title: 'A customer pays by card',
  folder_id: '019aa5b5-2a3b-7c4d-8e5f-6a7b8c9d0e1f',
  priority: 'high',
  type: 'functional',
  tags: ['checkout'],
  status: 'failed',
  note_line: 'AssertionError: expected 200, got 500',
  elapsed: 3,
  tested_by: null,
  tested_at: '2026-11-21T09:30:00.000Z',
  assigned_to: '019aa5b4-6a10-7b3e-8c21-5d9f3e7a1b40',
  step_state: 'failed',
  attachment_count: 1,
  comment_count: 2,
  link_count: 1,
  defect: { label: 'SHOP-41', url: 'https://acme.atlassian.net/browse/SHOP-41' },
}

/** How many combinations a row lists. */
export const MAX_ROW_COMBINATIONS = 20

/** A result with the fields that a table of a run shows. */
export const ResultRow = Type.Object(
  {
    id: Type.String({ description: 'Result id.' }),
    test_case_id: Nullable(Type.String({ description: 'Test case id; null if the test case was deleted.' })),
    test_case_title: Type.String({ description: 'Title of the test case when it was added to the run.' }),
    folder_id: Nullable(Type.String({ description: 'Folder of the test case; null at the top level.' })),
    priority: Nullable(
      OneOf(PRIORITIES, { description: 'Priority of the test case; null if the test case was deleted.' }),
    ),
    type: Nullable(
      OneOf(TEST_CASE_TYPES, { description: 'Type of the test case; null if the test case was deleted.' }),
    ),
    tags: Type.Array(Type.String(), { description: 'Tags of the test case.' }),
    status: ResultStatus,
    note_line: Nullable(
      Type.String({ description: 'First line of the note that says what happened, up to 200 characters.' }),
    ),
    elapsed: Nullable(Type.Integer({ description: 'Duration in seconds.' })),
    estimate: Type.Optional(
      Nullable(
        Type.Integer({ description: 'How long the test takes in seconds; null or absent if it is not estimated.' }),
      ),
    ),
    tested_by: Nullable(Type.String({ description: 'User id; null if the result was set with a CI token.' })),
    tested_at: Nullable(Timestamp('When the result was set, or the `finished_at` of its upload.')),
    assigned_to: Nullable(
      Type.String({ description: 'User id of the person who is to test it; null if it is nobody in particular.' }),
    ),
    step_state: Nullable(
      OneOf(RESULT_STATUSES, {
        description:
          'The status that follows from the steps, as of the last result of a step: `failed` if any failed, else `blocked` or `retest` if any is, else `not_tested` if any has no status, else `passed`; null without results of steps.',
      }),
    ),
    attachment_count: Type.Integer({
      description: 'Number of attachments of the result, with those of the attempts at its tests.',
    }),
    comment_count: Type.Integer({ description: 'Number of comments on the result, without deleted ones.' }),
    link_count: Type.Integer({ description: 'Number of links of the result.' }),
    defect: Nullable(
      Type.Object(
        {
          label: Type.String({ description: 'Label of the link.' }),
          url: Type.String({ description: 'Address of the link.' }),
        },
        { description: 'The first link of kind `defect`; null without one.' },
      ),
    ),
    combination_statuses: Type.Optional(
      Type.String({
        description: `Statuses of its combinations in the order of the configurations, the first ${MAX_ROW_COMBINATIONS}, each by its first letter, such as \`ppfn\`; absent without any.`,
      }),
    ),
    more_combinations: Type.Optional(
      Type.Integer({
        description: `How many combinations it has beyond the first ${MAX_ROW_COMBINATIONS}; absent for none.`,
      }),
    ),
    lacks_fields: Type.Optional(
      Type.Literal(true, {
        description: 'Present if a custom field that its status needs (`required_on`) has no value.',
      }),
    ),
  },
  { examples: [resultRowExample] },
)
export type ResultRow = Static<typeof ResultRow>

/** The same route as {@link listResults}, with `fields=row`. */
export const listResultRows = {
  method: 'GET',
  url: listResults.url,
  config: listResults.config,
  schema: {
    operationId: 'listResultRows',
    tags: listResults.schema.tags,
    summary: 'List the results of a run as compact rows',
    description: 'Returns the fields that a table of results needs, up to 2,000 results per page.',
    params: RunParams,
    querystring: Type.Object({ ...resultFilters, ...RowQuery(Uuid) }),
    response: {
      200: {
        ...RowPage(ResultRow),
        examples: [{ data: [resultRowExample], meta: { page: 1, per_page: 2000, total: 1, next_after: null } }],
      },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

/** A result with everything that testing it needs. */
export const ResultDetail = Type.Object({
  ...ResultRow.properties,
  note: TestResult.properties.note,
  fields: TestResult.properties.fields,
  change_count: Type.Integer({ description: 'How many earlier statuses and notes can be listed.' }),
  test_case: Nullable(TestCase),
  tests: Type.Array(TestOfResult, {
    description: 'The automated tests of the test case in the run, up to 100. List the tests of the run for more.',
  }),
  attachments: Type.Array(Attachment, {
    description:
      'The attachments of the result and of the attempts at its tests, up to 100. List those of the result for more.',
  }),
  links: Type.Array(Link, { description: 'The links of the result, in the order in which they were added.' }),
  steps: Type.Array(StepResult, {
    description: 'Results of the steps that have one, by their position in the test case as it is now.',
  }),
  case_version: Type.Optional(
    Nullable(
      Type.Integer({
        description:
          'The version of the test case that was tested, or would have been when the run was completed; null if it was not tested yet. This and the next four are absent if the test case was never changed.',
      }),
    ),
  ),
  is_pinned: Type.Optional(
    Type.Boolean({
      description:
        'Whether a person has tested `case_version`. Otherwise it is the version at the time of the result or of the end of the run, which is only about right for automated tests.',
    }),
  ),
  is_outdated: Type.Optional(
    Type.Boolean({ description: 'Whether title, precondition, steps or expected result have changed since then.' }),
  ),
  tested_case: Type.Optional(
    Nullable(
      Type.Object(CaseContent.properties, {
        description:
          'The test case as it was then; null if it says the same now, with the same shared steps, or (with `is_outdated`) if its text is no longer kept.',
      }),
    ),
  ),
  tested_steps: Type.Optional(
    Type.Array(StepResult, {
      description: 'The same as `steps`, by their position in `tested_case`; empty without it.',
    }),
  ),
})
export type ResultDetail = Static<typeof ResultDetail>

export const getResult = {
  method: 'GET',
  url: '/v1/runs/:run_id/results/:result_id',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'getResult',
    tags: listResults.schema.tags,
    summary: 'Get a result with its test case',
    description:
      'Returns the result with its whole note, and the test case as it is now, with precondition, steps and expected result, and the automated tests behind the result. `test_case` is null if the test case was deleted.',
    params: ResultParams,
    response: {
      200: {
        ...Data(ResultDetail),
        examples: [
          {
            data: {
              ...resultRowExample,
              note: resultExample.note,
              change_count: 1,
              test_case: pickExample(TestCase),
              tests: [testOfResultExample],
              attachments: [attachmentExample],
              links: [linkExample],
              steps: [stepResultExample],
            },
          },
        ],
      },
      ...problems(401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint
