import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Data, Nullable, OneOf, Timestamp, TimestampInput } from './schemas.ts'
import type { Static } from './static.ts'

/** Most runs in which unstable test cases are looked for. */
export const MAX_UNSTABLE_RUNS = 100
/** Most results that are looked at, so that the cost is the same in large projects. */
export const MAX_UNSTABLE_RESULTS = 50_000
/** Latest results of an unstable test case. */
export const UNSTABLE_STATUSES = 10

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const UnstableTestCase = Type.Object({
  test_case_id: Type.String({ description: 'Test case id.' }),
  title: Type.String({ description: 'Title of the test case.' }),
  statuses: Type.Array(OneOf(['passed', 'failed'], { description: 'Passed or failed.' }), {
    description: `Its latest results, up to ${UNSTABLE_STATUSES}, the oldest first. Other statuses are left out.`,
  }),
  failing_runs: count('The number of its latest runs in a row in which it failed.'),
  changes: count('How often it changed between passed and failed from one run to the next.'),
  flaky_runs: count('The number of runs in which one of its automated tests failed and then passed.'),
})
export type UnstableTestCase = Static<typeof UnstableTestCase>

const unstableExample = {
  test_case_id: 'WEB-12',
  title: 'A customer pays by card',
  statuses: ['passed', 'passed', 'failed'],
  failing_runs: 1,
  changes: 1,
  flaky_runs: 0,
}

const list = (description: string) => Type.Array(UnstableTestCase, { description })

export const UnstableTestCases = Type.Object(
  {
    newly_failing: list(
      'Test cases that fail, and did not before: in the newest base run of the default branch (insight), if one of their tests ran there; otherwise, when they were tested last.',
    ),
    failing: list(
      'Test cases that failed the last two times or more, of any branch or of the default one, the longest first.',
    ),
    flaky: list(
      'Test cases with a flaky test, those with most evidence first. Results that people set make none flaky.',
    ),
    totals: Type.Object(
      { newly_failing: count('All newly failing.'), failing: count('All failing.'), flaky: count('All flaky.') },
      { description: 'The length of the whole lists.' },
    ),
    runs: count('The number of runs that were looked at.'),
  },
  {
    examples: [
      {
        newly_failing: [unstableExample],
        failing: [],
        flaky: [],
        totals: { newly_failing: 1, failing: 0, flaky: 0 },
        runs: 30,
      },
    ],
  },
)
export type UnstableTestCases = Static<typeof UnstableTestCases>

export const listUnstableTestCases = {
  method: 'GET',
  url: '/v1/projects/:project_id/unstable-test-cases',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listUnstableTestCases',
    tags: ['Test cases'],
    summary: 'List failing and flaky test cases',
    description: `Looks at the newest runs in which something was tested, with up to ${MAX_UNSTABLE_RESULTS.toLocaleString('en')} results and tests together.`,
    params: ProjectParams,
    querystring: Type.Object({
      runs: Type.Optional(
        Type.Integer({ minimum: 1, maximum: MAX_UNSTABLE_RUNS, default: 30, description: 'Number of runs.' }),
      ),
      per_page: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'Test cases in each list.' }),
      ),
    }),
    response: { 200: Data(UnstableTestCases), ...problems(400, 401, 403, 404, 429) },
  },
} as const satisfies Endpoint

export const ACTIVITY_KINDS = [
  'run.created',
  'run.completed',
  'test_cases.created',
  'milestone.created',
  'member.joined',
] as const
/** Entries of one page of the activity. */
export const ACTIVITY_PAGE = 20

export const ActivityEntry = Type.Object({
  at: Timestamp('When it happened; of several test cases, when the last one was created.'),
  kind: OneOf(ACTIVITY_KINDS, { description: 'What happened.' }),
  actor: Nullable(
    Type.Object(
      { id: Type.String({ description: 'User id.' }), name: Type.String({ description: 'Name.' }) },
      { description: 'Who did it; null for CI, and if it is not known.' },
    ),
  ),
  subject: Type.Object({
    id: Type.String({ description: 'Id of the run, milestone or user, or of the test case that was created last.' }),
    name: Type.String({ description: 'Its name or title.' }),
    count: Type.Integer({ description: 'Number of test cases that one person created within an hour; otherwise 1.' }),
  }),
})
export type ActivityEntry = Static<typeof ActivityEntry>

export const listActivity = {
  method: 'GET',
  url: '/v1/projects/:project_id/activity',
  config: { permission: 'members:view', rateLimit: 'other' },
  schema: {
    operationId: 'listActivity',
    tags: ['Projects'],
    summary: 'List what happened in a project',
    description:
      'Returns runs, milestones and test cases that were created, runs that were completed, and members who joined, the newest first. The audit log has what matters for security.',
    params: ProjectParams,
    querystring: Type.Object({
      after: Type.Optional(
        TimestampInput('The `next_after` of the page before: returns what happened before this time.'),
      ),
    }),
    response: {
      200: {
        ...Type.Object({
          data: Type.Array(ActivityEntry),
          meta: Type.Object({
            next_after: Nullable(Type.String({ description: 'The `after` of the next page; null on the last one.' })),
          }),
        }),
        examples: [
          {
            data: [
              {
                at: '2026-11-21T09:30:00.000Z',
                kind: 'run.created',
                actor: { id: '019aa5b0-11aa-7b7b-8c8c-9d9d0e0e1f1f', name: 'Ada Lovelace' },
                subject: { id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01', name: 'Regression 2.4', count: 1 },
              },
            ],
            meta: { next_after: null },
          },
        ],
      },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint
