import { Type } from 'typebox'

import { BODY_LIMIT, type Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Id, Nullable, OneOf, Uuid } from './schemas.ts'
import type { Static } from './static.ts'
import { testCaseFields } from './test-case-fields.ts'
import { TestCase } from './test-case-schemas.ts'
import { MAX_TEST_IDS } from './tests.ts'

/*
 * Test cases that say the same. Nothing is merged or refused because of it.
 */

/** Most test cases of a response with similar ones. */
export const MAX_SIMILAR = 5
/** Most similar test cases for one of many new ones. */
export const MAX_SIMILAR_OF_MANY = 3
/** So many test cases of a project are compared with many new ones, the newest; older ones only if their title is equal. */
export const MAX_COMPARED_CASES = 50_000
/** So many tests are compared in one request. */
export const MAX_COMPARED_TESTS = 1000
/** The least similarity of titles. */
export const MIN_SIMILARITY = 0.6
/** Groups on a page. */
export const DUPLICATES_PER_PAGE = 50
/** Most test cases of a group that are listed. */
export const MAX_DUPLICATES = 20

/** What is the same: title and steps, the title, or most of the title. */
export const SIMILARITY_KINDS = ['content', 'title', 'similar'] as const

const { id, title, folder_id } = TestCase.properties

export const SimilarTestCase = Type.Object({
  id,
  title,
  folder_id,
  same: OneOf(SIMILARITY_KINDS, {
    description:
      'What is the same: title and steps (`content`), the `title`, or most of it (`similar`). Capitals and white space make no difference, nor do quotation marks in titles.',
  }),
  similarity: Type.Number({ description: 'Similarity of the titles by the groups of three letters in them, 0 to 1.' }),
})
export type SimilarTestCase = Static<typeof SimilarTestCase>

export const SimilarBody = Type.Object(
  { title: testCaseFields.title.input, steps: Type.Optional(testCaseFields.steps.input) },
  { examples: [{ title: 'A customer pays by card' }] },
)
export type SimilarBody = Static<typeof SimilarBody>

const example = { id: 'WEB-12', title: 'A customer pays by card', folder_id: null }

export const findSimilarTestCases = {
  method: 'POST',
  url: '/v1/projects/:project_id/test-cases/similar',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'findSimilarTestCases',
    tags: ['Test cases'],
    summary: 'Find test cases that are like a new one',
    description: `Returns up to ${MAX_SIMILAR} test cases with the same title, or one whose similarity is at least ${MIN_SIMILARITY}, the most similar first. In a project with more than 1,000 test cases, those with the same title are looked at, and those with two of the three longest words, up to 200 and for 50 milliseconds. \`is_complete\` says whether that was all. Changes nothing.`,
    params: ProjectParams,
    body: SimilarBody,
    response: {
      200: {
        ...Type.Object({
          data: Type.Array(SimilarTestCase),
          meta: Type.Object({
            is_complete: Type.Boolean({
              description: 'Whether all test cases with those words were looked at; else more may be similar.',
            }),
          }),
        }),
        examples: [{ data: [{ ...example, same: 'title', similarity: 1 }], meta: { is_complete: true } }],
      },
      ...problems(400, 401, 403, 404, 413, 415, 429),
    },
  },
} as const satisfies Endpoint

/** A test case that would be created for tests, and what is like it. */
export const SimilarForTests = Type.Object({
  title: Type.String({ description: 'Title of the test case that would be created.' }),
  tests: Type.Array(
    Type.Object({
      id: Type.String({ description: 'Test id.' }),
      name: Type.String({ description: 'Name of the test.' }),
    }),
    { description: 'The tests that would share it.' },
  ),
  similar: Type.Array(SimilarTestCase, {
    description: `Test cases that are like it, up to ${MAX_SIMILAR_OF_MANY}, the most similar first.`,
  }),
})
export type SimilarForTests = Static<typeof SimilarForTests>

export const SimilarForTestsBody = Type.Object(
  {
    test_ids: Type.Optional(
      Type.Array(Id('Test id.'), {
        maxItems: MAX_TEST_IDS,
        description: 'Tests to compare; linked ones are left out.',
      }),
    ),
    all_unmatched_of_run: Type.Optional(Id('Run id: compare all tests of this run that match no test case.')),
    after: Type.Optional(Uuid('`next_after` of the previous response; the first tests without it.')),
  },
  {
    description: 'Either `test_ids` or `all_unmatched_of_run` is required.',
    examples: [{ all_unmatched_of_run: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01' }],
  },
)
export type SimilarForTestsBody = Static<typeof SimilarForTestsBody>

export const findSimilarForTests = {
  method: 'POST',
  url: '/v1/projects/:project_id/tests/similar-test-cases',
  bodyLimit: BODY_LIMIT.upload,
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'findSimilarForTests',
    tags: ['Tests'],
    summary: 'Find test cases that are like those that tests would get',
    description: `Compares the titles of the test cases that \`create-test-cases\` would create for the same tests with those that exist, and returns those with a similar one. Up to ${MAX_COMPARED_TESTS.toLocaleString('en-US')} tests at a time; \`remaining\` says how many are left. Compared are the newest ${MAX_COMPARED_CASES.toLocaleString('en-US')} test cases of the project, and older ones with the same title. Changes nothing.`,
    params: ProjectParams,
    body: SimilarForTestsBody,
    response: {
      200: {
        ...Type.Object({
          data: Type.Array(SimilarForTests),
          meta: Type.Object({
            compared: Type.Integer({ description: 'Number of tests without a test case that were compared.' }),
            remaining: Type.Integer({ description: 'Number of tests that are left for another request.' }),
            next_after: Nullable(Type.String({ description: 'Cursor of the next request; null if nothing is left.' })),
            is_complete: Type.Boolean({
              description: 'Whether all test cases of the project were compared; else more may be similar.',
            }),
          }),
        }),
        examples: [
          {
            data: [
              {
                title: 'pays by card',
                tests: [{ id: '019aa5b9-0b1c-7d2e-8f3a-4b5c6d7e8f90', name: 'Checkout > pays by card' }],
                similar: [{ ...example, same: 'similar', similarity: 0.65 }],
              },
            ],
            meta: { compared: 12, remaining: 0, next_after: null, is_complete: true },
          },
        ],
      },
      ...problems(400, 401, 403, 404, 413, 415, 429),
    },
  },
} as const satisfies Endpoint

export const DuplicateTestCase = Type.Object({
  id,
  title,
  folder_id,
  updated_at: TestCase.properties.updated_at,
  content: Type.Integer({
    description: 'Those of a group with the same number have the same title and steps; the others only the same title.',
  }),
})
export type DuplicateTestCase = Static<typeof DuplicateTestCase>

export const DuplicateGroup = Type.Object({
  count: Type.Integer({ description: 'Number of test cases with this title.' }),
  test_cases: Type.Array(DuplicateTestCase, { description: `The test cases, up to ${MAX_DUPLICATES}.` }),
})
export type DuplicateGroup = Static<typeof DuplicateGroup>

const duplicate = { ...example, updated_at: '2026-11-21T09:30:00.000Z', content: 1 }

export const listDuplicates = {
  method: 'GET',
  url: '/v1/projects/:project_id/duplicates',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listDuplicates',
    tags: ['Test cases'],
    summary: 'List test cases with the same title',
    description: `Returns groups of test cases with the same title, and says which of them have the same steps, too. Capitals and white space make no difference, nor do quotation marks in titles. Up to ${DUPLICATES_PER_PAGE} groups on a page, in no particular order; in a large project a page can have fewer, or none, and still a \`next_after\`.`,
    params: ProjectParams,
    querystring: Type.Object({
      after: Type.Optional(
        Type.String({
          pattern: '^[0-9a-f]{16}$',
          description: '`next_after` of the previous page; the first page without it.',
        }),
      ),
    }),
    response: {
      200: {
        ...Type.Object({
          data: Type.Array(DuplicateGroup),
          meta: Type.Object({
            next_after: Nullable(Type.String({ description: 'Cursor of the next page; null on the last.' })),
            is_complete: Type.Boolean({
              description:
                'Whether all test cases are compared. False for some time after the update to a version of the service that compares them.',
            }),
          }),
        }),
        examples: [
          {
            data: [{ count: 2, test_cases: [duplicate, { ...duplicate, id: 'WEB-99' }] }],
            meta: { next_after: null, is_complete: true },
          },
        ],
      },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint
