import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { ResultStatus } from './results.ts'
import { Id, Nullable, Repeatable, Timestamp, Uuid } from './schemas.ts'
import type { Static } from './static.ts'

export const RecentResult = Type.Object({
  run_id: Type.String({ description: 'Run id.' }),
  run_name: Type.String({ description: 'Display name of the run.' }),
  status: ResultStatus,
  tested_at: Nullable(Timestamp('When the result was set, or the `finished_at` of its upload.')),
})
export type RecentResult = Static<typeof RecentResult>

export const RecentResults = Type.Object({
  test_case_id: Type.String({ description: 'Test case id.' }),
  results: Type.Array(RecentResult, { description: 'The newest run first.' }),
})
export type RecentResults = Static<typeof RecentResults>

export const listRecentResults = {
  method: 'GET',
  url: '/v1/projects/:project_id/recent-results',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listRecentResults',
    tags: ['Results'],
    summary: 'List the recent results of several test cases',
    description:
      'Returns the results of each test case in the newest runs that contain it, among the last 1,000 runs of the project. There is one item for each different test case id in the request, in the same order; it has no results if no such run contains the test case, and if there is no such test case. For a test case that was in none of them, it has what its automated tests did in the last 30 runs with tests, before they had a test case.',
    params: ProjectParams,
    querystring: Type.Object({
      test_case_ids: Repeatable(
        Id('Test case id, such as `WEB-12`.'),
        'Up to 200 test case ids; repeat the parameter.',
        200,
      ),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 10, default: 10, description: 'Number of results per test case.' }),
      ),
      before_run: Type.Optional(Uuid('Return only results of runs that were created before this one.')),
    }),
    response: {
      200: {
        ...Type.Object({ data: Type.Array(RecentResults) }),
        examples: [
          {
            data: [
              {
                test_case_id: 'WEB-12',
                results: [
                  {
                    run_id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01',
                    run_name: 'Nightly',
                    status: 'passed',
                    tested_at: '2026-11-21T09:30:00.000Z',
                  },
                ],
              },
            ],
          },
        ],
      },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint
