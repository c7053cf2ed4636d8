import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { MilestoneParams } from './milestones.ts'
import { Page, PageQuery } from './pagination.ts'
import { problems } from './problem.ts'
import { Nullable, OneOf, Repeatable } from './schemas.ts'
import type { Static } from './static.ts'
import { PRIORITIES } from './test-case-fields.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

/** How far the runs of a milestone are, those of its sub-milestones included. */
export const MilestoneReadiness = Type.Object(
  {
    tested: count('Results that have a status other than `not_tested`.'),
    total: count('All results.'),
    failed: count('Failed results.'),
    failed_critical: count('Failed results of test cases with priority `critical`.'),
    blocked: count('Blocked results.'),
    pace_per_day: Type.Number({
      minimum: 0,
      description:
        'Results tested per day over the last seven days, or since the first run if that is later, with one decimal.',
    }),
    expected_on: Nullable(
      Type.String({
        description:
          'Day (UTC, `YYYY-MM-DD`) on which all results are tested at this pace. Null if nothing is left, if there is no pace, or if it is more than ten years away.',
      }),
    ),
  },
  {
    examples: [
      {
        tested: 71,
        total: 100,
        failed: 12,
        failed_critical: 2,
        blocked: 3,
        pace_per_day: 5.8,
        expected_on: '2026-11-28',
      },
    ],
  },
)
export type MilestoneReadiness = Static<typeof MilestoneReadiness>

/** Days of a burn-up. What was tested before them counts on the first one. */
export const MAX_BURN_UP_DAYS = 400

export const BurnUp = Type.Object(
  {
    total: count('All results of the linked runs, those of sub-milestones included.'),
    days: Type.Array(
      Type.Object({
        day: Type.String({ description: 'Day in the time zone, `YYYY-MM-DD`.' }),
        executed: count('Results that were tested until the end of the day, by when they were tested last.'),
        failed: count('Of these, those that are failed.'),
      }),
      { description: `Every day from the first result until today, the oldest first: up to ${MAX_BURN_UP_DAYS}.` },
    ),
  },
  { examples: [{ total: 100, days: [{ day: '2026-11-21', executed: 71, failed: 12 }] }] },
)
export type BurnUp = Static<typeof BurnUp>

export const BLOCKER_STATUSES = ['failed', 'blocked'] as const

/** Values of the filter by priority; `any` includes results whose test case was deleted. */
export const BLOCKER_PRIORITIES = [...PRIORITIES, 'any'] as const

export const Blocker = Type.Object({
  run_id: Type.String({ description: 'Run of the result.' }),
  run_name: Type.String({ description: 'Name of the run.' }),
  result_id: Type.String({ description: 'Result id.' }),
  test_case_id: Nullable(Type.String({ description: 'Test case id; null if the test case was deleted.' })),
  title: Type.String({ description: 'Title of the test case.' }),
  priority: Nullable(
    OneOf(PRIORITIES, { description: 'Priority of the test case; null if the test case was deleted.' }),
  ),
  status: OneOf(BLOCKER_STATUSES, { description: 'Status of the result.' }),
  note_line: Nullable(Type.String({ description: 'First line of the note, up to 200 characters.' })),
})
export type Blocker = Static<typeof Blocker>

const tags = ['Milestones'] as const

export const getMilestoneReadiness = {
  method: 'GET',
  url: '/v1/projects/:project_id/milestones/:milestone_id/readiness',
  config: { permission: 'project:view', rateLimit: 'milestones' },
  schema: {
    operationId: 'getMilestoneReadiness',
    tags,
    summary: 'Get the readiness of a milestone',
    description: 'Returns how far the linked runs of the milestone and of its sub-milestones are, and their pace.',
    params: MilestoneParams,
    response: { 200: Type.Object({ data: MilestoneReadiness }), ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint

export const getMilestoneBurnUp = {
  method: 'GET',
  url: '/v1/projects/:project_id/milestones/:milestone_id/burn-up',
  config: { permission: 'project:view', rateLimit: 'milestones' },
  schema: {
    operationId: 'getMilestoneBurnUp',
    tags,
    summary: 'Get the burn-up of a milestone',
    description: 'Returns how many results were tested until the end of each day.',
    params: MilestoneParams,
    querystring: Type.Object({
      time_zone: Type.Optional(
        Type.String({
          format: 'text',
          maxLength: 64,
          description: 'Time zone of the days, such as `Europe/Berlin`; UTC by default.',
        }),
      ),
    }),
    response: { 200: Type.Object({ data: BurnUp }), ...problems(400, 401, 403, 404, 429) },
  },
} as const satisfies Endpoint

export const listMilestoneBlockers = {
  method: 'GET',
  url: '/v1/projects/:project_id/milestones/:milestone_id/blockers',
  config: { permission: 'project:view', rateLimit: 'milestones' },
  schema: {
    operationId: 'listMilestoneBlockers',
    tags,
    summary: 'List the blockers of a milestone',
    description:
      'Returns the failed and blocked results of test cases with critical or high priority in the linked runs of the milestone and of its sub-milestones, critical ones first. With `status` and `priority`, it returns exactly the results that the readiness counts.',
    params: MilestoneParams,
    querystring: Type.Object({
      status: Type.Optional(
        Repeatable(
          OneOf(BLOCKER_STATUSES, { description: 'Status.' }),
          'Return only results with this status, or with one of these statuses if the parameter is repeated.',
          BLOCKER_STATUSES.length,
        ),
      ),
      priority: Type.Optional(
        Repeatable(
          OneOf(BLOCKER_PRIORITIES, { description: 'Priority.' }),
          'Return results of test cases with this priority, or with one of these priorities if the parameter is repeated; `critical` and `high` by default. `any` returns all, also those whose test case was deleted.',
          BLOCKER_PRIORITIES.length,
        ),
      ),
      page: PageQuery.page,
      per_page: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 100, default: 100, description: 'Blockers on a page.' }),
      ),
    }),
    response: {
      200: {
        ...Page(Blocker),
        examples: [
          {
            data: [
              {
                run_id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01',
                run_name: 'Regression 2.4',
                result_id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a02',
                test_case_id: 'WEB-12',
                title: 'A customer pays by card',
                priority: 'critical',
                status: 'failed',
                note_line: 'The total is wrong',
              },
            ],
            meta: { page: 1, per_page: 100, total: 1 },
          },
        ],
      },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint
