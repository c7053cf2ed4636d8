import { Type } from 'typebox'

import { BODY_LIMIT, type Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { RunParams } from './results.ts'
import { Run, StatusCounts } from './run-schemas.ts'
import { Data, Id } from './schemas.ts'
import type { Static } from './static.ts'

/** Most people who share results in turn. */
export const MAX_ASSIGNEES = 100
/** Most runs of the work of a user. */
export const MAX_WORK_RUNS = 200

export const assignResults = {
  method: 'POST',
  url: '/v1/runs/:run_id/results/assign',
  bodyLimit: BODY_LIMIT.upload,
  config: { permission: 'runs:execute', rateLimit: 'other' },
  schema: {
    operationId: 'assignResults',
    tags: ['Results'],
    summary: 'Assign results to people',
    description:
      'Says who is to test these test cases in the run. Several people share them in turn, in the order of the run. The people get an email, at most one in an hour each, unless they assign results to themselves.',
    params: RunParams,
    body: Type.Object(
      {
        result_ids: Type.Array(Id('Result id, or test case id such as `WEB-12`; it must be in the run.'), {
          minItems: 1,
          maxItems: 10_000,
          description: 'Up to 10,000 results.',
        }),
        user_ids: Type.Array(Id('User id of an admin or member of the project.'), {
          maxItems: MAX_ASSIGNEES,
          description: 'Who is to test them. If there is nobody, the results are assigned to nobody.',
        }),
        configurations: Type.Optional(
          Type.Array(Type.Integer({ minimum: 1, maximum: 32_767 }), {
            minItems: 1,
            maxItems: 101,
            description:
              'Places of configurations of the run: assigns the combinations of the results with these, instead of the results.',
          }),
        ),
      },
      { examples: [{ result_ids: ['WEB-12', 'WEB-13'], user_ids: ['019aa5b4-6a10-7b3e-8c21-5d9f3e7a1b40'] }] },
    ),
    response: {
      200: {
        ...Data(
          Type.Object({
            assigned: Type.Integer({
              description: 'Number of results, or combinations, that are now assigned as requested.',
            }),
          }),
        ),
        examples: [{ data: { assigned: 2 } }],
      },
      ...problems(400, 401, 403, 404, 409, 413, 415, 429),
    },
  },
} as const satisfies Endpoint

const { id, name, created_at } = Run.properties

/** The results of a run that are assigned to a user. */
export const WorkRun = Type.Object({
  id,
  project_id: Type.String({ description: 'Project of the run.' }),
  project_name: Type.String({ description: 'Name of the project.' }),
  name,
  created_at,
  stats: Type.Object(StatusCounts.properties, { description: 'Number of your results and combinations by status.' }),
})
export type WorkRun = Static<typeof WorkRun>

export const listMyWork = {
  method: 'GET',
  url: '/v1/me/work',
  config: { permission: 'own-account', rateLimit: 'other' },
  schema: {
    operationId: 'listMyWork',
    tags: ['Results'],
    summary: 'List the runs with results that are assigned to you',
    description: `Returns the runs in progress of all your projects that contain results assigned to you, the newest first: up to ${MAX_WORK_RUNS}.`,
    response: {
      200: {
        ...Type.Object({ data: Type.Array(WorkRun) }),
        examples: [
          {
            data: [
              {
                id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01',
                project_id: '019aa5b4-6f3e-7c11-9a52-0f6f3d1c8e77',
                project_name: 'Web shop',
                name: 'Regression 2.4',
                created_at: '2026-11-21T09:30:00.000Z',
                stats: { passed: 3, failed: 1, blocked: 0, retest: 0, not_tested: 8 },
              },
            ],
          },
        ],
      },
      ...problems(401, 403, 429),
    },
  },
} as const satisfies Endpoint
