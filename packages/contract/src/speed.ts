import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { BaseRunsQuery, NamedTest, namedTestExample } from './insight-query.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Nullable, OneOf } from './schemas.ts'
import type { Static } from './static.ts'

/** Base runs that are looked at, the newest. */
export const SPEED_RUNS = 20
/** The newest of these, which are compared with those before them. */
export const RECENT_SPEED_RUNS = 5
/** Fewer values say nothing: of the newest runs, and of those before. */
export const MIN_SPEED_VALUES = { recent: 3, before: 5 } as const
export const MAX_SPEED_OUTCOMES = 200_000
export const MAX_SLOW_TESTS = 100

export const SPEED_KINDS = ['slow', 'slower', 'faster'] as const
export type SpeedKind = (typeof SPEED_KINDS)[number]

const ms = (description: string) => Type.Integer({ description })

export const SlowTest = Type.Object({
  test: NamedTest,
  median_ms: ms('Median over all of these runs.'),
  p95_ms: ms('95th percentile over all of these runs.'),
  share: Type.Number({ description: 'Its share of the time of all tests, 0 to 1.' }),
  now_ms: Nullable(ms(`Median over the newest ${RECENT_SPEED_RUNS} runs; null if it did not pass in one of them.`)),
  before_ms: Nullable(ms('Median over the runs before these; null if it did not pass in one of them.')),
  runs: Type.Integer({ description: 'Runs in which it passed and its time is known.' }),
})
export type SlowTest = Static<typeof SlowTest>

export const listSlowTests = {
  method: 'GET',
  url: '/v1/projects/:project_id/slow-tests',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listSlowTests',
    tags: ['Insight'],
    summary: 'List slow tests',
    description: `Returns up to ${MAX_SLOW_TESTS} tests by how long they took when they passed in the newest ${SPEED_RUNS} base runs of a suite, up to ${MAX_SPEED_OUTCOMES.toLocaleString('en')} outcomes. \`slow\`: those with the longest median. \`slower\`: those whose median over the newest ${RECENT_SPEED_RUNS} runs is at least 1.5 times that before and 500 ms more, with at least ${MIN_SPEED_VALUES.recent} and ${MIN_SPEED_VALUES.before} values; \`faster\`: the reverse.`,
    params: ProjectParams,
    querystring: Type.Object({
      ...BaseRunsQuery,
      series: Type.Optional({
        ...BaseRunsQuery.series,
        description: 'Suite of the runs (`suite` in their metadata); that of the newest base run without it.',
      }),
      kind: Type.Optional(OneOf(SPEED_KINDS, { description: 'What is listed.', default: 'slow' })),
    }),
    response: {
      200: {
        ...Type.Object({
          data: Type.Array(SlowTest),
          meta: Type.Object({
            branch: Nullable(
              Type.String({ description: 'Branch of the runs; null if the default branch is unknown.' }),
            ),
            series: Nullable(Type.String({ description: 'Suite of the runs; null without a base run.' })),
            runs: Type.Integer({ description: 'Runs that were looked at.' }),
            since: Nullable(Type.String({ description: 'When the oldest of them was created; null without one.' })),
            is_cut: Type.Boolean({
              description: 'Whether older ones of them were left out, as they have too many outcomes.',
            }),
            total: Type.Integer({ description: 'Tests of this kind, of which those that come first are returned.' }),
          }),
        }),
        examples: [
          {
            data: [
              {
                test: namedTestExample,
                median_ms: 4200,
                p95_ms: 9100,
                share: 0.12,
                now_ms: 7300,
                before_ms: 4100,
                runs: 20,
              },
            ],
            meta: {
              branch: 'main',
              series: 'unit',
              runs: 20,
              since: '2026-11-02T05:30:00.000Z',
              is_cut: false,
              total: 1,
            },
          },
        ],
      },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint
