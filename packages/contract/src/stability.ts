import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Data, Nullable, OneOf, Timestamp } from './schemas.ts'
import type { Static } from './static.ts'

export const STABILITIES = ['stable', 'suspect', 'flaky', 'broken'] as const
/** How reliable a test is. */
export type Stability = (typeof STABILITIES)[number]

export const FLAKE_KINDS = ['retry', 'rerun', 'commit'] as const
export type FlakeKind = (typeof FLAKE_KINDS)[number]

/** The most flake events of a test in one response: the newest. */
export const MAX_FLAKE_EVENTS = 100

const state = OneOf(STABILITIES, {
  description:
    '`suspect`: it passed and failed on one commit of the last 30 days. `flaky`: on two, until 30 days without one, or 14 days and 100 executions. `broken`: it failed in its 3 newest base runs of the default branch.',
})
const counts = {
  flake_commits: Type.Integer({ description: 'Commits of the last 30 days on which it flaked.' }),
  commits: Type.Integer({
    description: 'Commits of the last 30 days on which it was executed, over the newest 500 runs.',
  }),
  score: Type.Integer({ description: 'Order of flaky tests, 0 to 100: a lower bound of the share of commits.' }),
  last_flake_at: Nullable(Timestamp('When it flaked last; null if it did not.')),
}

/** How reliable a test is, in lists. */
export const TestStability = Type.Object(
  { state, since: Timestamp('When that began.'), ...counts },
  { description: 'How reliable the test is; null if nothing is known against it.' },
)
export type TestStability = Static<typeof TestStability>

/** The quarantine of a test that is in effect. */
export const TestQuarantine = Type.Object({
  id: Type.String({ description: 'Quarantine id.' }),
  reason: Type.String({ description: 'Why its failures do not block.' }),
  owner_id: Nullable(Type.String({ description: 'User id of who has to end it.' })),
  branches: Type.Array(Type.String(), { description: 'Patterns of the branches; empty for all.' }),
  expires_at: Timestamp('When it ends by itself.'),
})
export type TestQuarantine = Static<typeof TestQuarantine>

export const FlakeEvent = Type.Object({
  kind: OneOf(FLAKE_KINDS, {
    description:
      '`retry`: attempts in one execution differed. `rerun`: a later build attempt of the job turned it. `commit`: two runs of one commit ended differently.',
  }),
  commit: Nullable(Type.String({ description: 'The commit; null if the run has none.' })),
  run_ids: Type.Array(Type.String(), { description: 'The run, or the two runs, that show it.' }),
  at: Timestamp('When the run was created.'),
  signature: Nullable(Type.String({ description: 'Failure group of the failure; null if it has none.' })),
})
export type FlakeEvent = Static<typeof FlakeEvent>

export const TestStabilityDetail = Type.Object({
  state,
  since: Nullable(Timestamp('When that began; null for a test that nothing is known against.')),
  ...counts,
  consecutive_failures: Type.Integer({
    description: 'How many of its newest base runs of the default branch it failed in, in a row; up to 20.',
  }),
  first_failing_run_id: Nullable(Type.String({ description: 'The first run of these; null if the newest passed.' })),
  quarantine: Nullable(TestQuarantine),
  events: Type.Array(FlakeEvent, { description: `Its newest flake events, up to ${MAX_FLAKE_EVENTS}.` }),
})
export type TestStabilityDetail = Static<typeof TestStabilityDetail>

export const testStabilityExample = {
  state: 'flaky',
  since: '2026-11-19T08:10:00.000Z',
  flake_commits: 3,
  commits: 41,
  score: 4,
  last_flake_at: '2026-11-21T09:30:00.000Z',
} as const

export const testQuarantineExample = {
  id: '019aa5c1-2f30-7c4d-8e5f-6a7b8c9d0e1f',
  reason: 'Times out while the cart loads. SHOP-41',
  owner_id: '019aa5b4-6a10-7b3e-8c21-5d9f3e7a1b40',
  branches: [],
  expires_at: '2026-12-05T09:30:00.000Z',
}

export const getTestStability = {
  method: 'GET',
  url: '/v1/projects/:project_id/tests/:test_id/stability',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'getTestStability',
    tags: ['Tests'],
    summary: 'Get how reliable a test is',
    description:
      'Returns what a test is and why: the commits on which it both passed and failed. Only results of automation count, of trusted runs.',
    params: Type.Object({ ...ProjectParams.properties, test_id: Type.String({ description: 'Test id.' }) }),
    response: {
      200: {
        ...Data(TestStabilityDetail),
        examples: [
          {
            data: {
              ...testStabilityExample,
              consecutive_failures: 0,
              first_failing_run_id: null,
              quarantine: testQuarantineExample,
              events: [
                {
                  kind: 'retry',
                  commit: '8a006ed1b2c3d4e5f60718293a4b5c6d7e8f9012',
                  run_ids: ['019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01'],
                  at: '2026-11-21T09:30:00.000Z',
                  signature: '5f0c1d2e3f4a5b6c7d8e9f0011223344',
                },
              ],
            },
          },
        ],
      },
      ...problems(401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint
