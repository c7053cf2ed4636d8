import { Type } from 'typebox'

import { MAX_COMPARED_CASES, MAX_SIMILAR_OF_MANY, SimilarTestCase } from './duplicates.ts'
import { BODY_LIMIT, type Endpoint } from './endpoint.ts'
import { CreateOptions, OptionsCreated } from './field-values.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { CleanedName, Data, Id, Nullable, OneOf } from './schemas.ts'
import type { Static } from './static.ts'
import { MAX_STEP_GROUPS, MAX_STEPS } from './steps.ts'
import { optionalTestCaseInput, TestCase } from './test-case-schemas.ts'

/*
 * Test cases from a file: new ones, and changes of those that the file names by their id.
 */

/** The maximum number of test cases of one import. */
export const MAX_IMPORT_ROWS = 5000

/** The maximum number of levels of a folder. */
export const MAX_FOLDER_PATH = 10

/** What an import does with a row. */
export const IMPORT_ACTIONS = ['create', 'update', 'none'] as const

const { folder_id: _folder, owner_id: _owner, ...fields } = optionalTestCaseInput

export const ImportRow = Type.Object({
  id: Type.Optional(Id('Id of the test case to update. Without an id, the row creates a test case.')),
  title: Type.Optional(
    CleanedName('Title; required for a new test case. Control characters and invisible characters are removed.'),
  ),
  folder_path: Type.Optional(
    Type.Array(CleanedName('Name of a folder.'), {
      maxItems: MAX_FOLDER_PATH,
      description:
        'Names of the folders of the test case, from the top level down; empty for the top level. Missing folders are created.',
    }),
  ),
  ...fields,
  shared_steps: Type.Optional(
    Type.Array(
      Type.Object({
        title: CleanedName('Title of the shared step.'),
        first: Type.Integer({ minimum: 1, maximum: MAX_STEPS, description: 'Position of its first step in `steps`.' }),
        count: Type.Integer({ minimum: 1, maximum: MAX_STEPS, description: 'Number of its steps.' }),
      }),
      {
        maxItems: MAX_STEP_GROUPS,
        description:
          'Which of `steps` come from shared steps, as a file has them. The steps must be those of the shared step with the title.',
      },
    ),
  ),
  owner: Type.Optional(
    Nullable(
      Type.String({
        format: 'text',
        'x-trim': true,
        minLength: 1,
        maxLength: 320,
        description:
          'Email address or name of the admin or member who keeps the test case up to date; null for nobody.',
      }),
    ),
  ),
})
export type ImportRow = Static<typeof ImportRow>

const ImportedRow = Type.Object({
  id: Nullable(Type.String({ description: 'Id of the test case; null if a dry run would create it.' })),
  title: TestCase.properties.title,
  action: OneOf(IMPORT_ACTIONS, {
    description: 'Whether the test case is new (`create`), has changed (`update`) or is the same as before (`none`).',
  }),
  changed: Type.Array(Type.String(), {
    description:
      'For an update: the fields whose value is different, as they are named in the request; custom fields as `fields.severity`.',
  }),
  similar: Type.Optional(
    Type.Array(SimilarTestCase, {
      description: `With \`similar=true\`, of a row that would create a test case: those that exist and are like it, up to ${MAX_SIMILAR_OF_MANY}. Missing without any.`,
    }),
  ),
})

export const ImportResult = Type.Object({
  created: Type.Integer({ description: 'Number of new test cases.' }),
  updated: Type.Integer({ description: 'Number of test cases that changed. Those that are the same do not count.' }),
  folders_created: Type.Integer({ description: 'Number of new folders.' }),
  rows: Type.Array(ImportedRow, { description: 'What happened to each row, in their order.' }),
  options_created: Type.Optional(OptionsCreated),
  similar: Type.Optional(
    Type.Object(
      {
        count: Type.Integer({ description: 'Number of rows with similar test cases.' }),
        is_complete: Type.Boolean({
          description: `Whether all test cases of the project were compared: its newest ${MAX_COMPARED_CASES.toLocaleString('en-US')} are, and older ones with an equal title.`,
        }),
      },
      { description: 'With `similar=true`: what was found.' },
    ),
  ),
})
export type ImportResult = Static<typeof ImportResult>

export const importTestCases = {
  method: 'POST',
  url: '/v1/projects/:project_id/test-cases/import',
  bodyLimit: BODY_LIMIT.upload,
  config: { permission: 'test-cases:edit', rateLimit: 'other' },
  schema: {
    operationId: 'importTestCases',
    tags: ['Test cases'],
    summary: 'Import up to 5,000 test cases',
    description:
      'Creates a test case for each row without an id, and updates the test case of each row with one: only the fields that the row contains. Folders are found or created by their names. Everything is stored or nothing: if rows have errors, the response lists them. With `dry_run=true`, nothing is stored and the response is what the import would return; with `similar=true`, it also names test cases that are like new ones.',
    params: ProjectParams,
    querystring: Type.Object({
      dry_run: Type.Optional(OneOf(['true', 'false'], { description: 'Whether to check the rows only.' })),
      similar: Type.Optional(
        OneOf(['true', 'false'], {
          description: 'Whether a dry run also finds test cases that exist and are like those that rows would create.',
        }),
      ),
    }),
    body: Type.Object(
      {
        rows: Type.Array(ImportRow, { maxItems: MAX_IMPORT_ROWS, description: 'Up to 5,000 test cases.' }),
        create_options: Type.Optional(CreateOptions),
      },
      {
        examples: [
          {
            rows: [
              { title: 'A customer pays by card', folder_path: ['Checkout', 'Payment'] },
              { id: 'WEB-12', priority: 'high' },
            ],
          },
        ],
      },
    ),
    response: {
      200: {
        ...Data(ImportResult),
        examples: [
          {
            data: {
              created: 1,
              updated: 1,
              folders_created: 2,
              rows: [
                { id: 'WEB-13', title: 'A customer pays by card', action: 'create', changed: [] },
                { id: 'WEB-12', title: 'A guest pays by invoice', action: 'update', changed: ['priority'] },
              ],
            },
          },
        ],
      },
      ...problems(400, 401, 403, 404, 413, 415, 429),
    },
  },
} as const satisfies Endpoint
