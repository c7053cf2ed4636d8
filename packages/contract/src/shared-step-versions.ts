import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { Nullable, Timestamp } from './schemas.ts'
import { SharedStepParams, SHARED_STEP_URL } from './shared-steps.ts'
import type { Static } from './static.ts'

/** The number of earlier versions that are kept of a shared step. */
export const MAX_SHARED_STEP_VERSIONS = 1000

export const SHARED_STEP_VERSIONS_PER_PAGE = 50

export const SharedStepVersion = Type.Object({
  version: Type.Integer({ description: 'Number of the version.' }),
  title: Type.String({ description: 'Title.' }),
  step_count: Type.Integer({ description: 'Number of its steps.' }),
  changed_by: Nullable(Type.String({ description: 'User id of who made it; null if unknown.' })),
  changed_at: Timestamp('When it was made.'),
})
export type SharedStepVersion = Static<typeof SharedStepVersion>

export const listSharedStepVersions = {
  method: 'GET',
  url: `${SHARED_STEP_URL}/versions`,
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listSharedStepVersions',
    tags: ['Shared steps'],
    summary: 'List the versions of a shared step',
    description: `Returns the versions, the newest first, ${SHARED_STEP_VERSIONS_PER_PAGE} on a page. ${MAX_SHARED_STEP_VERSIONS.toLocaleString('en')} earlier versions are kept.`,
    params: SharedStepParams,
    querystring: Type.Object({
      after: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 2_147_483_647,
          description: '`next_after` of the previous page; the first page without it.',
        }),
      ),
    }),
    response: {
      200: {
        ...Type.Object({
          data: Type.Array(SharedStepVersion),
          meta: Type.Object({
            next_after: Nullable(Type.Integer({ description: 'Cursor of the next page; null on the last.' })),
          }),
        }),
        examples: [
          {
            data: [
              {
                version: 3,
                title: 'Sign in',
                step_count: 2,
                changed_by: '019aa5b0-11aa-7b7b-8c8c-9d9d0e0e1f1f',
                changed_at: '2026-11-21T09:30:00.000Z',
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
