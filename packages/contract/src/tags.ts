import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'

/** Most tags that one response contains. */
export const MAX_LISTED_TAGS = 10_000

export const listTags = {
  method: 'GET',
  url: '/v1/projects/:project_id/tags',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listTags',
    tags: ['Test cases'],
    summary: 'List the tags of a project',
    description:
      'Returns the tags of the test cases with the number of test cases that have each, in alphabetical order. If there are more than 10,000 tags, the most used ones are returned.',
    params: ProjectParams,
    response: {
      200: {
        ...Type.Object({
          data: Type.Array(
            Type.Object({
              tag: Type.String({ description: 'Tag.' }),
              test_case_count: Type.Integer({ description: 'Number of test cases with this tag.' }),
            }),
          ),
        }),
        examples: [{ data: [{ tag: 'payment', test_case_count: 12 }] }],
      },
      ...problems(401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint
