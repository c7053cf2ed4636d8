import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { Health } from './health-schemas.ts'
import { BaseRunsQuery, namedTestExample, time_zone } from './insight-query.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Data, OneOf } from './schemas.ts'

export const MAX_HEALTH_DAYS = 90

export const getHealth = {
  method: 'GET',
  url: '/v1/projects/:project_id/health',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'getHealth',
    tags: ['Insight'],
    summary: 'Get the health of a branch',
    description:
      'Returns whether a branch was green, its runs and days, what fails, and what flaky tests cost. Days begin at midnight in the time zone; the last one is today.',
    params: ProjectParams,
    querystring: Type.Object({
      ...BaseRunsQuery,
      days: Type.Optional(
        Type.Integer({ minimum: 1, maximum: MAX_HEALTH_DAYS, default: 30, description: 'Number of days, with today.' }),
      ),
      time_zone,
      fields: Type.Optional(
        OneOf(['all', 'band'], {
          default: 'all',
          description: '`band`: return only whether the branch was green, which is less work.',
        }),
      ),
    }),
    response: {
      200: {
        ...Data(Health),
        examples: [
          {
            data: {
              branch: 'main',
              from: '2026-11-20T23:00:00.000Z',
              to: '2026-11-21T09:30:00.000Z',
              is_cut: false,
              band: [
                {
                  series: 'unit',
                  segments: [
                    {
                      from: '2026-11-21T08:00:00.000Z',
                      to: '2026-11-21T09:30:00.000Z',
                      state: 'green',
                      run_id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01',
                    },
                  ],
                  current: { state: 'green', since: '2026-11-21T08:00:00.000Z', blocking_count: 0 },
                  green_ms: 5_400_000,
                  red_ms: 0,
                  recoveries: 0,
                  median_recovery_ms: null,
                  longest_recovery_ms: null,
                },
              ],
              newly_failing: {
                total: 1,
                items: [
                  {
                    test: namedTestExample,
                    run_id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01',
                    runs: 1,
                    since: '2026-11-21T08:00:00.000Z',
                    cause: { signature: '5f1b6c9a4d2e4f7081a3b5c7d9e0f123', title: 'Error: expected 200, got 500' },
                    owner_name: null,
                  },
                ],
              },
              failing_longest: { total: 0, items: [] },
              runs: [
                {
                  id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01',
                  name: 'Build 812',
                  series: 'unit',
                  commit: '8a006ed1b2c3d4e5f60718293a4b5c6d7e8f9012',
                  at: '2026-11-21T08:00:00.000Z',
                  state: 'green',
                  executed: 1204,
                  passed: 1204,
                  blocking_count: 0,
                  test_ms: 840_000,
                  clock_ms: 240_000,
                },
              ],
              days: [
                {
                  day: '2026-11-21',
                  base_runs: 1,
                  executed: 1204,
                  passed: 1204,
                  failed: 0,
                  pass_rate: 1,
                  median_ms: 840_000,
                  p95_ms: 840_000,
                  flaky: 14,
                  quarantined: 6,
                  is_limited: false,
                },
              ],
              weeks: [{ week: '2026-11-16', build_attempts: 3, machine_ms: 1_260_000 }],
              matrix: {
                tests: [namedTestExample],
                runs: ['019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01'],
                cells: [['flaked']],
              },
              automation: [{ folder_id: null, name: '', passing: 120, failing: 0, not_run: 3, by_hand: 17 }],
              causes: [],
            },
          },
        ],
      },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint
