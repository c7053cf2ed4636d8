import { Type } from 'typebox'

import { type Endpoint } from './endpoint.ts'
import { CursorPage } from './pagination.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { RunParams } from './results.ts'
import { Data, Nullable, OneOf, Timestamp } from './schemas.ts'
import type { Static } from './static.ts'
import { issues, VERDICTS } from './verdicts.ts'

/** The most days back that failure groups are counted. */
export const MAX_GROUP_DAYS = 90
/** Runs of these days that are looked at, the newest. */
export const MAX_GROUP_RUNS = 1000
export const MAX_GROUP_TESTS = 100

const GroupTest = Type.Object({
  id: Type.String({ description: 'Test id.' }),
  suite: Type.String({ description: 'File, class or blocks around the test.' }),
  name: Type.String({ description: 'Name.' }),
  variant: Type.String({ description: 'Variant; empty if there is only one.' }),
  file: Type.String({ description: 'File; empty if unknown.' }),
})

const group = {
  signature: Type.String({ description: 'What identifies the group: 32 hexadecimal digits.' }),
  title: Type.String({ description: 'Kind and message of its newest failure, without secrets.' }),
  kind: Type.String({ description: 'Kind of error, such as `TypeError`; empty if unknown.' }),
  test_count: Type.Integer({ description: 'Number of tests that failed with it.' }),
  run_count: Type.Integer({ description: 'Number of runs in which it occurred.' }),
  first_seen: Timestamp('When the first run with it was created.'),
  last_seen: Timestamp('When the newest run with it was created.'),
  verdicts: Type.Unsafe<Record<string, number>>({
    type: 'object',
    propertyNames: { type: 'string', enum: [...VERDICTS] },
    additionalProperties: { type: 'integer' },
    description: 'Number of its failures by verdict; verdicts that none has are absent.',
  }),
  tests: Type.Array(GroupTest, { description: 'Up to 5 of the tests.' }),
  issues,
}

const groupDays = (description: string) =>
  Type.Array(
    Type.Object({
      day: Type.String({ description: 'Day in the time zone of the request: `2026-11-21`.' }),
      tests: Type.Integer({ description: 'Number of tests that failed with it in runs of that day.' }),
    }),
    { description },
  )

/** Failures with one cause, as far as their texts tell. */
export const FailureGroup = Type.Object({
  ...group,
  days: Type.Optional(groupDays('With `fields=days`: the days on which it occurred, the oldest first.')),
})
export type FailureGroup = Static<typeof FailureGroup>

export const FailureGroupDetail = Type.Object({
  ...group,
  tests: Type.Array(GroupTest, { description: `Up to ${MAX_GROUP_TESTS} of the tests.` }),
  message: Type.String({
    description: 'Message, with what differs from run to run replaced: `connect ECONNREFUSED <addr>`.',
  }),
  frame: Type.String({ description: 'Function where it happened; empty if unknown.' }),
  days: groupDays('The days on which it occurred, the oldest first.'),
  sample: Nullable(
    Type.Object(
      {
        run_id: Type.String({ description: 'Run id.' }),
        test_id: Type.String({ description: 'Test id.' }),
        message: Type.String({ description: 'Message of the failed attempt.' }),
        details: Type.String({ description: 'Stack trace, difference or output.' }),
      },
      { description: 'The newest failure; null if its run is deleted.' },
    ),
  ),
})
export type FailureGroupDetail = Static<typeof FailureGroupDetail>

const groupExample = {
  signature: '5f1b6c9a4d2e4f7081a3b5c7d9e0f123',
  title: 'Error: connect ECONNREFUSED 127.0.0.1:5432',
  kind: 'Error',
  test_count: 3,
  run_count: 12,
  first_seen: '2026-11-03T02:10:00.000Z',
  last_seen: '2026-11-21T09:30:00.000Z',
  verdicts: { already_red: 2, new: 1 },
  tests: [
    {
      id: '019aa5b9-0b1c-7d2e-8f3a-4b5c6d7e8f90',
      suite: 'src/checkout.spec.ts',
      name: 'Checkout > pays by card',
      variant: 'chromium',
      file: 'src/checkout.spec.ts',
    },
  ],
  issues: [],
}

export const GROUP_SORTS = ['tests', 'newest'] as const
export type GroupSort = (typeof GROUP_SORTS)[number]

/** A cursor: what the list is sorted by of the last group of the previous page (tests, or microseconds), and its signature. */
const after = Type.Optional(
  Type.String({
    pattern: String.raw`^[0-9]{1,18}\.[0-9a-f]{32}$`,
    description: '`next_after` of the previous page; the first page without it.',
  }),
)
const per_page = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Number of groups per page.' }),
)
const days = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: MAX_GROUP_DAYS,
    default: 30,
    description: `Count failures in runs of so many days, of the newest ${MAX_GROUP_RUNS} of them.`,
  }),
)

/** Which of these runs are counted. */
const runFilters = {
  branch: Type.Optional(
    Type.String({ format: 'text', maxLength: 255, description: 'Count only runs of this branch.' }),
  ),
  series: Type.Optional(
    Type.String({
      format: 'text',
      maxLength: 100,
      description: 'Count only runs of this suite (`suite` in their metadata); empty for those without one.',
    }),
  ),
}
const time_zone = Type.Optional(
  Type.String({
    format: 'text',
    maxLength: 100,
    default: 'UTC',
    description: 'IANA time zone of `days`, such as `Europe/Berlin`.',
  }),
)

const tags = ['Insight'] as const

export const listRunFailureGroups = {
  method: 'GET',
  url: '/v1/runs/:run_id/failure-groups',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listRunFailureGroups',
    tags,
    summary: 'List the failure groups of a run',
    description:
      'Returns the failures of the run, those with one cause together: equal kind, message and place, without what differs from run to run. Those that block and were not there before come first, then those with most tests that block, then those with most tests. `test_count` and `verdicts` count this run; `run_count` and `last_seen` the last 90 days.',
    params: RunParams,
    querystring: Type.Object({ after, per_page }),
    response: {
      200: { ...CursorPage(FailureGroup), examples: [{ data: [groupExample], meta: { next_after: null } }] },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const listFailureGroups = {
  method: 'GET',
  url: '/v1/projects/:project_id/failure-groups',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listFailureGroups',
    tags,
    summary: 'List the failure groups of a project',
    description: 'Returns the failures of the runs of the last days, those with one cause together.',
    params: ProjectParams,
    querystring: Type.Object({
      days,
      ...runFilters,
      sort: Type.Optional(
        OneOf(GROUP_SORTS, {
          default: 'tests',
          description: '`tests`: those with most tests first. `newest`: those that were seen first most recently.',
        }),
      ),
      fields: Type.Optional(OneOf(['days'], { description: '`days`: also return the days of each group.' })),
      time_zone,
      search: Type.Optional(
        Type.String({
          format: 'text',
          maxLength: 255,
          description: 'Return only groups whose title contains this text, case-insensitive.',
        }),
      ),
      after,
      per_page,
    }),
    response: {
      200: { ...CursorPage(FailureGroup), examples: [{ data: [groupExample], meta: { next_after: null } }] },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const getFailureGroup = {
  method: 'GET',
  url: '/v1/projects/:project_id/failure-groups/:signature',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'getFailureGroup',
    tags,
    summary: 'Get a failure group',
    description: 'Returns the group with its days, tests and newest failure.',
    params: Type.Object({
      ...ProjectParams.properties,
      signature: Type.String({ description: 'Signature of the group.' }),
    }),
    querystring: Type.Object({
      days,
      ...runFilters,
      time_zone,
    }),
    response: {
      200: {
        ...Data(FailureGroupDetail),
        examples: [
          {
            data: {
              ...groupExample,
              message: 'connect ECONNREFUSED <addr>',
              frame: '',
              days: [{ day: '2026-11-21', tests: 3 }],
              sample: {
                run_id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01',
                test_id: '019aa5b9-0b1c-7d2e-8f3a-4b5c6d7e8f90',
                message: 'connect ECONNREFUSED 127.0.0.1:5432',
                details: '',
              },
            },
          },
        ],
      },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint
