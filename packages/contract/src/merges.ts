import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { ExtendedProblem, problems } from './problem.ts'
import { Data, OneOf, Uuid } from './schemas.ts'
import type { Static } from './static.ts'
import { TestCase } from './test-case-schemas.ts'
import { TestCaseParams } from './test-cases.ts'

/*
 * Test cases that become one. Nothing is merged by itself.
 */

/** Most test cases that one request merges into another one. */
export const MAX_MERGED = 20
/** Hours in which a merge can be undone. */
export const MERGE_HOURS = 24

/** Why test cases cannot be merged. */
export const MERGE_REFUSALS = [
  'same_test_case',
  'target_archived',
  'already_merged',
  'too_many_automation_keys',
  'too_many_links',
  'too_many_attachments',
  'too_many_comments',
] as const
export type MergeRefusal = (typeof MERGE_REFUSALS)[number]

const CannotMergeProblem = {
  ...ExtendedProblem({
    reason: Type.Optional(
      OneOf(MERGE_REFUSALS, { description: 'What stands in the way of the merge, with the code `cannot_merge`.' }),
    ),
  }),
  description: 'Cannot be merged; nothing was changed.',
}

const { id } = TestCase.properties

export const MergeBody = Type.Object(
  {
    from_ids: Type.Array(id, {
      minItems: 1,
      maxItems: MAX_MERGED,
      description: `Ids of the test cases that become part of the one in the path, 1 to ${MAX_MERGED}.`,
    }),
  },
  { examples: [{ from_ids: ['WEB-99'] }] },
)
export type MergeBody = Static<typeof MergeBody>

const count = (description: string) => Type.Integer({ description })

/** What has come to the target of a merge. */
const MovedCounts = Type.Object({
  automation_keys: count('Number of automation keys.'),
  tests: count('Number of tests whose results now go to the target.'),
  links: count('Number of links. A link to an address that the target has, too, stays where it is.'),
  attachments: count('Number of files, with those of comments.'),
  comments: count('Number of comments.'),
})
export type MovedCounts = Static<typeof MovedCounts>

export const Merge = Type.Object({
  id: Type.String({ description: 'Merge id, to undo the merge.' }),
  test_case_id: Type.String({ description: 'The test case that is left.' }),
  merged_ids: Type.Array(id, { description: 'The test cases that were archived.' }),
  moved: MovedCounts,
})
export type Merge = Static<typeof Merge>

export const mergeTestCases = {
  method: 'POST',
  url: '/v1/projects/:project_id/test-cases/:test_case_id/merge',
  config: { permission: 'test-cases:edit', rateLimit: 'other' },
  schema: {
    operationId: 'mergeTestCases',
    tags: ['Test cases'],
    summary: 'Merge test cases into another one',
    description: `Moves automation keys, linked tests, links, files and comments of \`from_ids\` to the test case in the path, and archives them with \`merged_into\`; all or nothing. What they say, their results and their versions stay with them; the results of the target list theirs, too. Later uploads that name one of their ids or keys count for the target. A file at a step becomes one of the whole test case. With 422 and the code \`cannot_merge\`, \`reason\` says what stands in the way. The merge can be undone for ${MERGE_HOURS} hours.`,
    params: TestCaseParams,
    body: MergeBody,
    response: {
      200: {
        ...Data(Merge),
        examples: [
          {
            data: {
              id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a09',
              test_case_id: 'WEB-12',
              merged_ids: ['WEB-99'],
              moved: { automation_keys: 1, tests: 2, links: 1, attachments: 0, comments: 3 },
            },
          },
        ],
      },
      ...problems(400, 401, 403, 404, 413, 415, 429),
      422: CannotMergeProblem,
    },
  },
} as const satisfies Endpoint

export const undoMerge = {
  method: 'POST',
  url: '/v1/projects/:project_id/test-cases/:test_case_id/merge/undo',
  config: { permission: 'test-cases:edit', rateLimit: 'other' },
  schema: {
    operationId: 'undoMerge',
    tags: ['Test cases'],
    summary: 'Undo a merge of test cases',
    description: `Gives back what a merge has moved to the test case in the path, and restores the test cases that it has archived, for ${MERGE_HOURS} hours. What was deleted or moved on meanwhile stays as it is, and what was added to the target stays there. If one of the test cases was deleted, restored or merged again meanwhile, the response is 409 with the code \`changed_meanwhile\`, and nothing is changed.`,
    params: TestCaseParams,
    body: Type.Object(
      { merge_id: Uuid('`id` of the merge.') },
      { examples: [{ merge_id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a09' }] },
    ),
    response: {
      200: {
        ...Data(
          Type.Object({
            test_case_id: Type.String({ description: 'The test case in the path.' }),
            restored_ids: Type.Array(id, { description: 'The test cases that are of their own again.' }),
          }),
        ),
        examples: [{ data: { test_case_id: 'WEB-12', restored_ids: ['WEB-99'] } }],
      },
      ...problems(400, 401, 403, 404, 409, 413, 415, 429),
    },
  },
} as const satisfies Endpoint
