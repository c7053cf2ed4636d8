import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { NamedTest, namedTestExample } from './insight-query.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Data, Id, Nullable, OneOf } from './schemas.ts'
import type { Static } from './static.ts'
import { ProjectTest, projectTestExample } from './tests.ts'

export const DRIFT_KINDS = ['gone', 'unmatched', 'twice', 'moved', 'title', 'by_hand'] as const
export type DriftKind = (typeof DRIFT_KINDS)[number]
export const MAX_DRIFT = 500
/** Earlier tests whose outcomes a test continues. */
export const MAX_CONTINUED = 5

const DriftCase = Type.Object({
  id: Type.String({ description: 'Test case id.' }),
  title: Type.String({ description: 'Title.' }),
})

export const DriftItem = Type.Object({
  tests: Type.Array(NamedTest, {
    description:
      'The test; of `twice` up to 10 that claim the test case; of `moved` the gone test and the new one; none for `by_hand`.',
  }),
  test_case: Nullable(
    Type.Object(DriftCase.properties, {
      description: 'The linked test case; of `unmatched` the one with the most similar title, if there is one.',
    }),
  ),
  last_seen_on: Nullable(Type.String({ description: 'Day (UTC) of the newest settled run with the first test.' })),
  series: Nullable(Type.String({ description: 'Suite of that run.' })),
  similarity: Nullable(Type.Number({ description: 'How similar the titles are, 0 to 1, where that was compared.' })),
  count: Nullable(
    Type.Integer({
      description: 'Of `twice`: places with tests of the test case. Of `by_hand`: times it was executed.',
    }),
  ),
})
export type DriftItem = Static<typeof DriftItem>

export const listDrift = {
  method: 'GET',
  url: '/v1/projects/:project_id/drift',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listDrift',
    tags: ['Insight'],
    summary: 'List what drifts apart',
    description: `Returns tests and test cases that do not fit together any more, up to ${MAX_DRIFT} of a kind. \`gone\`: a linked test that was in none of at least 10 settled runs of its suite, for more than 7 days. \`unmatched\`: a test without a test case, known for more than 7 days. \`twice\`: a test case whose id is in tests of different files or suites. \`moved\`: a gone test, and one that appeared then with the same title or a similar one. \`title\`: a test with the id of a test case, and another title. \`by_hand\`: a test case without a test that was executed in at least 5 of the newest 100 runs, the most often executed first. The others begin with the oldest.`,
    params: ProjectParams,
    querystring: Type.Object({
      kind: OneOf(DRIFT_KINDS, { description: 'What is listed.' }),
      after: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MAX_DRIFT,
          description: '`next_after` of the previous page; the first page without it.',
        }),
      ),
      per_page: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'Number of items per page.' }),
      ),
    }),
    response: {
      200: {
        ...Type.Object({
          data: Type.Array(DriftItem),
          meta: Type.Object({
            total: Type.Integer({ description: `Items of this kind; ${MAX_DRIFT} if there may be more.` }),
            next_after: Nullable(Type.Integer({ description: 'Cursor of the next page; null on the last.' })),
            too_early_since: Nullable(
              Type.String({
                description:
                  'Of `gone` and `moved`: the day (UTC) of the first settled run, if no suite has 10 of them yet, so that nothing can be said; null else.',
              }),
            ),
          }),
        }),
        examples: [
          {
            data: [
              {
                tests: [namedTestExample],
                test_case: { id: 'WEB-12', title: 'A customer pays by card' },
                last_seen_on: '2026-11-03',
                series: 'unit',
                similarity: null,
                count: null,
              },
            ],
            meta: { total: 1, next_after: null, too_early_since: null },
          },
        ],
      },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const continueTest = {
  method: 'POST',
  url: '/v1/projects/:project_id/tests/:test_id/continue',
  config: { permission: 'quarantine:manage', rateLimit: 'other' },
  schema: {
    operationId: 'continueTest',
    tags: ['Tests'],
    summary: 'Continue a test that was renamed or moved',
    description: `The test takes the link, flake events and quarantine of the earlier one, and its outcomes begin with those of it (over up to ${MAX_CONTINUED} earlier tests). If both were in one run of the last 7 days, they are two tests: 409 \`both_tests_run\`. A test continues one other, and is continued by one: 409 \`already_continued\`.`,
    params: Type.Object({ ...ProjectParams.properties, test_id: Type.String({ description: 'The newer test.' }) }),
    body: Type.Object(
      { from_test_id: Id('The earlier test.') },
      { examples: [{ from_test_id: '019aa5b9-0b1c-7d2e-8f3a-4b5c6d7e8f90' }] },
    ),
    response: {
      200: { ...Data(ProjectTest), examples: [{ data: projectTestExample }] },
      ...problems(400, 401, 403, 404, 409, 413, 415, 429),
    },
  },
} as const satisfies Endpoint
