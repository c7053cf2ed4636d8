import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { ExtendedProblem, problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Data, Id, Nullable, OneOf } from './schemas.ts'
import type { Static } from './static.ts'
import { TestCase } from './test-case-schemas.ts'
import { TestCaseParams } from './test-cases.ts'

/*
 * Copies of test cases, in their project or in another one.
 */

/** Most copies of one test case that a request makes. */
export const MAX_COPIES = 50
/** Most test cases that one request copies once. */
export const MAX_COPIED_CASES = 100
/** Most bytes that the texts of all copies of a request take. */
export const MAX_COPIED_TEXT_BYTES = 10 * 1024 * 1024
/** Most bytes of files that one request brings into another project. */
export const MAX_COPIED_FILE_BYTES = 100 * 1024 * 1024

/** Why a copy lacks something of its original. */
export const COPY_SKIP_REASONS = [
  'not_found',
  'other_type',
  'retired',
  'invalid',
  'not_a_member',
  'other_project',
  'shortened',
  'lost',
  'too_large',
  'quota',
] as const
export type CopySkipReason = (typeof COPY_SKIP_REASONS)[number]

const { id, title } = TestCase.properties

const place = {
  folder_id: Type.Optional(
    Nullable(
      Id(
        'Folder of the copies; null for the top level. Without it, a copy is in the folder of its original, and in another project at the top level.',
      ),
    ),
  ),
  project_id: Type.Optional(
    Id('Project of the copies, which requires the same permission there. Without it, the project of the original.'),
  ),
}

export const CopyTestCaseBody = Type.Object(
  {
    count: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_COPIES,
        description: `Number of copies, 1 to ${MAX_COPIES}. 1 by default.`,
      }),
    ),
    ...place,
  },
  { examples: [{ count: 3 }, { project_id: '019aa5b1-2d3e-7f40-8a51-6b7c8d9e0f11', folder_id: null }] },
)
export type CopyTestCaseBody = Static<typeof CopyTestCaseBody>

export const CopyTestCasesBody = Type.Object(
  {
    test_case_ids: Type.Array(Id('Test case id.'), {
      minItems: 1,
      maxItems: MAX_COPIED_CASES,
      description: `Test cases to copy, up to ${MAX_COPIED_CASES}; one copy of each, in this order.`,
    }),
    ...place,
  },
  { examples: [{ test_case_ids: ['WEB-12', 'WEB-13'], folder_id: '019aa5b5-02aa-7d0e-b0a4-6c1d8b7f2a10' }] },
)
export type CopyTestCasesBody = Static<typeof CopyTestCasesBody>

export const SkippedPart = Type.Object({
  test_case_id: Type.String({ description: 'The original.' }),
  field: Type.String({
    description:
      'What the copies lack: `owner_id`, `step_groups`, `attachments`, `title`, or a field such as `fields.severity`.',
  }),
  reason: OneOf(COPY_SKIP_REASONS, {
    description:
      "`not_found`: the other project has no such field or option. `other_type`: its field has another type. `retired`: the field or option is retired. `invalid`: the field has other limits. `not_a_member`: the person is no member there who edits. `other_project`: steps of a shared step (`step_groups`) are steps of the copy's own. `shortened`: the title with a number would be too long. Of files: `lost`: the content is gone; `too_large`: more than 100 MB for one request; `quota`: the other project has no room.",
  }),
  value: Type.Optional(Type.String({ description: 'Which of several: key of an option, or name of a file.' })),
})
export type SkippedPart = Static<typeof SkippedPart>

export const Copies = Type.Object({
  created: Type.Integer({ description: 'Number of copies.' }),
  project_id: Type.String({ description: 'Project of the copies.' }),
  test_cases: Type.Array(
    Type.Object({ id, title, copy_of: Type.String({ description: 'Test case id of the original.' }) }),
    { description: 'The copies, in their order.' },
  ),
  skipped: Type.Array(SkippedPart, { description: 'What the copies lack because it has no place there.' }),
})
export type Copies = Static<typeof Copies>

const RefusedProblem = {
  ...ExtendedProblem({
    missing: Type.Optional(
      Type.Array(
        Type.Object({
          test_case_id: Type.String({ description: 'The original.' }),
          fields: Type.Array(Type.String(), { description: 'Keys of the fields.' }),
        }),
        {
          description:
            'Test cases without a value that a new test case must have there; only with the code `required_fields_missing`.',
        },
      ),
    ),
  }),
  description: 'Cannot be copied; nothing was created.',
}

const COPIED =
  'A copy has the title, texts, steps, priority, type, tags, template, estimate, owner, values of custom fields, links of kind `requirement` and files of its original, and is active. It has no automation keys, aliases, other links, results, comments or versions. Within a project, steps stay those of shared steps. In another project they become steps of the copy, values are given to the fields with the same key and type, options to those with the same key, and fields without a value get their default. What has no place there is in `skipped`. A required field without a value is 422 `required_fields_missing`. Texts of more than 10 MB in all are 422 `copies_too_large`.'

const example = {
  created: 1,
  project_id: '019aa5b1-2d3e-7f40-8a51-6b7c8d9e0f10',
  test_cases: [{ id: 'WEB-14', title: 'A customer pays by card', copy_of: 'WEB-12' }],
  skipped: [],
}
const response = {
  201: { ...Data(Copies), examples: [{ data: example }] },
  ...problems(400, 401, 403, 404, 413, 415, 429, 507),
  422: RefusedProblem,
}

export const copyTestCase = {
  method: 'POST',
  url: '/v1/projects/:project_id/test-cases/:test_case_id/copies',
  config: { permission: 'test-cases:edit', rateLimit: 'other' },
  schema: {
    operationId: 'copyTestCase',
    tags: ['Test cases'],
    summary: 'Copy a test case',
    description: `Creates up to ${MAX_COPIES} copies of a test case, all or none. A single copy has the title of its original; several have a number after it: “Pays by card (1)”, “Pays by card (2)”. ${COPIED}`,
    params: TestCaseParams,
    body: CopyTestCaseBody,
    response,
  },
} as const satisfies Endpoint

export const copyTestCases = {
  method: 'POST',
  url: '/v1/projects/:project_id/test-cases/bulk-copy',
  config: { permission: 'test-cases:edit', rateLimit: 'other' },
  schema: {
    operationId: 'copyTestCases',
    tags: ['Test cases'],
    summary: `Copy up to ${MAX_COPIED_CASES} test cases`,
    description: `Creates one copy of each test case with the same title, all or none. ${COPIED}`,
    params: ProjectParams,
    body: CopyTestCasesBody,
    response,
  },
} as const satisfies Endpoint
