import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { Nullable, OneOf } from './schemas.ts'
import type { Static } from './static.ts'

export const SEARCH_KINDS = ['test_case', 'run', 'milestone', 'project'] as const
/** How many hits a search returns. */
export const MAX_HITS = 20
/** The most recently updated projects are searched. */
export const MAX_SEARCHED_PROJECTS = 100

export const SearchHit = Type.Object({
  kind: OneOf(SEARCH_KINDS, { description: 'What was found.' }),
  id: Type.String({ description: 'Id of the test case, run, milestone or project.' }),
  project_id: Type.String({ description: 'Its project.' }),
  title: Type.String({ description: 'Title or name.' }),
  detail: Nullable(Type.String({ description: 'Status of a run or milestone; prefix of a project.' })),
})
export type SearchHit = Static<typeof SearchHit>

export const search = {
  method: 'GET',
  url: '/v1/search',
  config: { permission: 'own-account', rateLimit: 'other' },
  schema: {
    operationId: 'search',
    tags: ['Projects'],
    summary: 'Search all your projects',
    description: `Finds test cases by id, ids in other tools and title, and runs, milestones and projects by name, in your ${MAX_SEARCHED_PROJECTS} most recently updated projects: up to ${MAX_HITS} hits, the test case with the searched id first. Titles of test cases are searched for three letters or digits in a row, or more. Of each project, the 500 newest runs are searched.`,
    querystring: Type.Object({
      q: Type.String({ format: 'text', minLength: 1, maxLength: 255, description: 'What the id or name contains.' }),
      project_id: Type.Optional(Type.String({ description: 'Searches only this project.' })),
      kind: Type.Optional(OneOf(SEARCH_KINDS, { description: 'Finds only these.' })),
    }),
    response: {
      200: {
        ...Type.Object({ data: Type.Array(SearchHit) }),
        examples: [
          {
            data: [
              {
                kind: 'test_case',
                id: 'WEB-12',
                project_id: '019aa5b6-2f10-7c1e-9b51-8a3d6c0c7f11',
                title: 'A customer pays by card',
                detail: null,
              },
            ],
          },
        ],
      },
      ...problems(400, 401, 403, 429),
    },
  },
} as const satisfies Endpoint
