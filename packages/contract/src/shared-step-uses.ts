import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { Data, Id, Nullable } from './schemas.ts'
import { MAX_SHARED_STEP_USES, SharedStepParams, testCaseIds, SHARED_STEP_URL } from './shared-steps.ts'
import type { Static } from './static.ts'

export const SHARED_STEP_USES_PER_PAGE = 1000

export const SharedStepUse = Type.Object({
  test_case_id: Type.String({ description: 'Test case id.' }),
  title: Type.String({ description: 'Title of the test case.' }),
  folder_id: Nullable(Type.String({ description: 'Folder of the test case; null at the top level.' })),
  version: Type.Integer({ description: 'The newest version of the shared step that the test case has.' }),
  follows: Type.Boolean({ description: 'Whether it changes with the shared step.' }),
})
export type SharedStepUse = Static<typeof SharedStepUse>

export const listSharedStepUses = {
  method: 'GET',
  url: `${SHARED_STEP_URL}/uses`,
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listSharedStepUses',
    tags: ['Shared steps'],
    summary: 'List the test cases that use a shared step',
    description: `Returns the test cases by number, ${SHARED_STEP_USES_PER_PAGE.toLocaleString('en')} on a page.`,
    params: SharedStepParams,
    querystring: Type.Object({
      after: Type.Optional(Id('`next_after` of the previous page; the first page without it.')),
    }),
    response: {
      200: {
        ...Type.Object({
          data: Type.Array(SharedStepUse),
          meta: Type.Object({
            next_after: Nullable(Type.String({ description: 'Cursor of the next page; null on the last.' })),
          }),
        }),
        examples: [
          {
            data: [
              { test_case_id: 'WEB-12', title: 'A customer pays by card', folder_id: null, version: 3, follows: true },
            ],
            meta: { next_after: null },
          },
        ],
      },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const detachSharedStep = {
  method: 'POST',
  url: `${SHARED_STEP_URL}/detach`,
  config: { permission: 'test-cases:edit', rateLimit: 'other' },
  schema: {
    operationId: 'detachSharedStep',
    tags: ['Shared steps'],
    summary: 'Detach test cases from a shared step',
    description:
      'The test cases keep the steps as their own and no longer change with the shared step. Each of them gets a new version. Those that do not use it stay as they are.',
    params: SharedStepParams,
    body: Type.Object(
      { test_case_ids: testCaseIds('Test cases, up to 10,000.', MAX_SHARED_STEP_USES) },
      { examples: [{ test_case_ids: ['WEB-12'] }] },
    ),
    response: {
      200: {
        ...Data(Type.Object({ detached: Type.Integer({ description: 'Number of test cases that changed.' }) })),
        examples: [{ data: { detached: 1 } }],
      },
      ...problems(400, 401, 403, 404, 413, 415, 429),
    },
  },
} as const satisfies Endpoint
