import { Type } from 'typebox'

import { BODY_LIMIT, type Endpoint } from './endpoint.ts'
import { CreateOptions, EarlierFieldValues, MAX_CHOSEN_OPTIONS, MAX_FIELDS, OptionsCreated } from './field-values.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Data, Id, Nullable } from './schemas.ts'
import type { Static } from './static.ts'
import { StepInput, MAX_STEPS } from './steps.ts'
import { makeOptional, pickSchemas, Tags } from './test-case-fields.ts'
import { archivedInput, TestCase } from './test-case-schemas.ts'

/*
 * Changes of many test cases with one request. Each is made completely or not at all.
 */

/** The maximum number of test cases of one request. */
const MAX_BATCH_TEST_CASES = 10_000

/** The maximum length of a position; the server makes its neighbours room before one gets longer. */
export const MAX_POSITION_LENGTH = 100
export const POSITION_PATTERN = '^[A-Za-z][0-9A-Za-z]+$'

const tags = ['Test cases'] as const

const testCaseIds = (description: string) =>
  Type.Array(Id('Test case id.'), { maxItems: MAX_BATCH_TEST_CASES, description: `${description}, up to 10,000.` })

const settable = {
  ...makeOptional({
    ...pickSchemas('input', { inBatches: 'set' }),
    ...pickSchemas('input', { inBatches: 'values' }),
  }),
  ...archivedInput,
}
const folderId = Nullable(Id('Folder; null for the top level.'))

/** Steps of a test case before a request that converts them. */
const earlierSteps = {
  steps: Type.Optional(
    Type.Array(StepInput, {
      maxItems: MAX_STEPS,
      description: 'Steps, if the request converts them; those of a shared step are one item with its id.',
    }),
  ),
}

/** The fields of a test case before a request: those that the request changes. */
export const EarlierTestCase = Type.Object({
  id: Id('Test case id.'),
  ...settable,
  ...earlierSteps,
  ...makeOptional(pickSchemas('input', { inBatches: 'items' })),
  position: Type.Optional(
    Type.String({ pattern: POSITION_PATTERN, maxLength: MAX_POSITION_LENGTH, description: 'Place in the folder.' }),
  ),
})
export type EarlierTestCase = Static<typeof EarlierTestCase>

/** What a client needs to know of a test case after a request that changed it. */
export const ChangedTestCase = Type.Object({
  id: TestCase.properties.id,
  folder_id: TestCase.properties.folder_id,
  position: TestCase.properties.position,
  version: TestCase.properties.version,
})
export type ChangedTestCase = Static<typeof ChangedTestCase>

/** An {@link EarlierTestCase} in a response. */
const ReturnedTestCase = Type.Object({
  id: TestCase.properties.id,
  ...makeOptional(pickSchemas('read', { inBatches: 'set' })),
  ...makeOptional(pickSchemas('read', { inBatches: 'items' })),
  position: Type.Optional(TestCase.properties.position),
  archived: Type.Optional(Type.Boolean({ description: 'Whether the test case was archived.' })),
  steps: Type.Optional(
    Type.Array(
      Type.Object({
        action: Type.Optional(Type.String({ description: 'What to do.' })),
        expected: Type.Optional(Type.String({ description: 'What must happen.' })),
        shared_step_id: Type.Optional(Type.String({ description: 'Shared step whose steps stood here.' })),
        version: Type.Optional(Type.Integer({ description: 'Its version, if the test case did not follow it.' })),
      }),
      { description: 'Steps, if the request converts them.' },
    ),
  ),
  fields: Type.Optional(EarlierFieldValues('Values of the custom fields that the request changes; null for none.')),
})

const before = Type.Array(ReturnedTestCase, {
  description:
    'The test cases that changed, each with the earlier values of what the request changes. Send it as `restore` of a bulk update to undo the request.',
})
const changed = Type.Array(ChangedTestCase, {
  description:
    'The test cases that changed, with their new place and version. Rarely, a move also changes the positions of test cases around the new place; these are listed, too.',
})

const folder = '019aa5b5-02aa-7d0e-b0a4-6c1d8b7f2a10'

/** Keys of options by those of fields. */
const Options = (description: string) =>
  Type.Unsafe<Record<string, string[]>>({
    type: 'object',
    maxProperties: MAX_FIELDS,
    additionalProperties: {
      type: 'array',
      maxItems: MAX_CHOSEN_OPTIONS,
      items: { type: 'string', format: 'text', maxLength: 255 },
    },
    description,
  })

export const BulkUpdateBody = Type.Object(
  {
    test_case_ids: Type.Optional(testCaseIds('Test cases to change')),
    set: Type.Optional(
      Type.Object(settable, {
        description:
          'New values of fields. Test cases that come into another folder are placed at its end, in the order of `test_case_ids`.',
      }),
    ),
    convert_steps: Type.Optional(
      Type.Boolean({
        description:
          'With `set.template`: whether test cases that get another template are rewritten for it, as the web app does. Steps become one text of numbered actions with their expected results below, also those of shared steps; a text becomes steps, one for each line. Without it, the steps that are stored stay.',
      }),
    ),
    add_options: Type.Optional(
      Options('Options of multi_select fields to add, by the keys of the fields, unless the test case has them.'),
    ),
    remove_options: Type.Optional(Options('Options of multi_select fields to remove, by the keys of the fields.')),
    create_options: Type.Optional(CreateOptions),
    add_tags: Type.Optional(Tags('Tags to add, unless the test case has them.')),
    remove_tags: Type.Optional(Tags('Tags to remove.')),
    restore: Type.Optional(
      Type.Array(EarlierTestCase, {
        maxItems: MAX_BATCH_TEST_CASES,
        description: '`before` of an earlier response, to undo that request. Do not combine it with other fields.',
      }),
    ),
  },
  {
    examples: [
      { test_case_ids: ['WEB-12', 'WEB-13'], set: { priority: 'high' }, add_tags: ['payment'] },
      { test_case_ids: ['WEB-12'], set: { template: 'text' }, convert_steps: true },
      { restore: [{ id: 'WEB-12', priority: 'medium', tags: [] }] },
    ],
  },
)
export type BulkUpdateBody = Static<typeof BulkUpdateBody>

export const bulkUpdateTestCases = {
  method: 'POST',
  url: '/v1/projects/:project_id/test-cases/bulk-update',
  bodyLimit: BODY_LIMIT.upload,
  config: { permission: 'test-cases:edit', rateLimit: 'other' },
  schema: {
    operationId: 'bulkUpdateTestCases',
    tags,
    summary: 'Change up to 10,000 test cases, or undo such a change',
    description:
      'Changes all test cases in `test_case_ids` in the same way, or none if one of them is unknown or would have more than 50 tags or options of a field, or, with `convert_steps`, more than 500 steps or a text of more than 65,536 characters. `updated` counts those that are different afterwards; the others keep their version. The earlier values are in `before`: send them as `restore` to undo the change, which overwrites later changes of the same fields. If custom fields or steps that would change have texts of more than 8 million characters in all, the response is 422 `change_too_large`.',
    params: ProjectParams,
    body: BulkUpdateBody,
    response: {
      200: {
        ...Data(
          Type.Object({
            updated: Type.Integer({ description: 'Number of test cases that changed.' }),
            before,
            test_cases: changed,
            options_created: Type.Optional(OptionsCreated),
          }),
        ),
        examples: [
          {
            data: {
              updated: 1,
              before: [{ id: 'WEB-12', priority: 'medium', tags: [] }],
              test_cases: [{ id: 'WEB-12', folder_id: null, position: 'b12', version: 8 }],
            },
          },
        ],
      },
      ...problems(400, 401, 403, 404, 413, 415, 422, 429),
    },
  },
} as const satisfies Endpoint

export const moveTestCases = {
  method: 'POST',
  url: '/v1/projects/:project_id/test-cases/move',
  config: { permission: 'test-cases:edit', rateLimit: 'other' },
  schema: {
    operationId: 'moveTestCases',
    tags,
    summary: 'Move up to 10,000 test cases to a place in a folder',
    description:
      'Puts the test cases into the folder, next to each other in the order of `test_case_ids`, or moves none if one of them is unknown. To undo the move, send `before` as `restore` of a bulk update.',
    params: ProjectParams,
    body: Type.Object(
      {
        test_case_ids: testCaseIds('Test cases to move, in their new order'),
        folder_id: folderId,
        after: Type.Optional(
          Nullable(
            Id(
              'Test case of the folder after which the others are placed, not one of them; null for the start of the folder. Without it, they are placed at the end.',
            ),
          ),
        ),
      },
      { examples: [{ test_case_ids: ['WEB-12', 'WEB-13'], folder_id: folder, after: 'WEB-7' }] },
    ),
    response: {
      200: {
        ...Data(
          Type.Object({
            moved: Type.Integer({ description: 'Number of test cases that were moved.' }),
            before,
            test_cases: changed,
          }),
        ),
        examples: [
          {
            data: {
              moved: 1,
              before: [{ id: 'WEB-12', folder_id: null, position: 'b12' }],
              test_cases: [{ id: 'WEB-12', folder_id: folder, position: 'a7V', version: 8 }],
            },
          },
        ],
      },
      ...problems(400, 401, 403, 404, 413, 415, 429),
    },
  },
} as const satisfies Endpoint

export const bulkDeleteTestCases = {
  method: 'POST',
  url: '/v1/projects/:project_id/test-cases/bulk-delete',
  config: { permission: 'test-cases:edit', rateLimit: 'other' },
  schema: {
    operationId: 'bulkDeleteTestCases',
    tags,
    summary: 'Delete up to 10,000 test cases',
    description:
      'Deletes the test cases. Their results are kept with their titles; their `test_case_id` becomes null. Ids without a test case are ignored, so that the request can be repeated. If the test cases have more than 500,000 results in all runs, the response is 422 and nothing is deleted. With `dry_run`, nothing is deleted, and the response counts what would be. To keep the versions, comments and files, too, archive them instead: `set.archived` of a bulk update.',
    params: ProjectParams,
    body: Type.Object(
      {
        test_case_ids: testCaseIds('Test cases to delete'),
        dry_run: Type.Optional(Type.Boolean({ description: 'Whether to count only, and to delete nothing.' })),
      },
      { examples: [{ test_case_ids: ['WEB-12', 'WEB-13'] }] },
    ),
    response: {
      200: {
        ...Data(
          Type.Object({
            deleted: Type.Integer({
              description: 'Number of test cases that were deleted; with `dry_run`, of those that would be.',
            }),
            result_count: Type.Optional(
              Type.Integer({
                description:
                  'With `dry_run`: number of results in runs that would keep only title and note, counted up to 500,001.',
              }),
            ),
          }),
        ),
        examples: [{ data: { deleted: 2 } }],
      },
      ...problems(400, 401, 403, 404, 413, 415, 422, 429),
    },
  },
} as const satisfies Endpoint
