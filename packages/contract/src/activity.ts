import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { ResultParams, RESULT_STATUSES, RunParams } from './results.ts'
import { Nullable, OneOf, Timestamp } from './schemas.ts'
import type { Static } from './static.ts'
import { TestCaseParams } from './test-cases.ts'

/** What an entry tells of. */
export const TIMELINE_KINDS = [
  'created',
  'updated',
  'completed',
  'result',
  'comment',
  'attachment',
  'link',
  'run',
  'rerun',
] as const

/** The most entries of a page. */
export const MAX_TIMELINE_ENTRIES = 50

const example = {
  at: '2026-11-21T09:30:00.000Z',
  kind: 'result',
  actor: '019aa5b4-6a10-7b3e-8c21-5d9f3e7a1b40',
  detail: { id: null, text: 'The total is wrong', status: 'failed' },
}

export const TimelineEntry = Type.Object(
  {
    at: Timestamp('When it happened.'),
    kind: OneOf(TIMELINE_KINDS, {
      description:
        '`created` and `updated`: the test case or run was created, and last changed. `completed`: the run was. `result`: a status or note was set. `comment`, `attachment` and `link` were added. `run`: a run with the test case was created. `rerun`: a run that repeats this one was.',
    }),
    actor: Nullable(Type.String({ description: 'User id; null for automation.' })),
    detail: Type.Object({
      id: Nullable(Type.String({ description: 'Id of the comment, attachment, link or run.' })),
      text: Nullable(
        Type.String({
          description:
            'First line of the note or comment, name of the attachment or run, or label of the link; null for none, and for a comment that was deleted.',
        }),
      ),
      status: Nullable(
        OneOf(RESULT_STATUSES, { description: 'Of a `result`, and of the test case in a `run`; null for others.' }),
      ),
    }),
  },
  { examples: [example] },
)
export type TimelineEntry = Static<typeof TimelineEntry>

/** The place of an entry in the list: its time, and what tells it from others of the same time. */
export const ACTIVITY_CURSOR_PATTERN = String.raw`^[0-9]{13}~[a-z]+:[0-9a-f-]{0,36}$`

const querystring = Type.Object({
  after: Type.Optional(
    Type.String({
      pattern: ACTIVITY_CURSOR_PATTERN,
      description: '`next_after` of the previous page; the first page without it.',
    }),
  ),
  per_page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_TIMELINE_ENTRIES,
      default: 20,
      description: `Number of entries per page, up to ${MAX_TIMELINE_ENTRIES}.`,
    }),
  ),
})
const response = {
  200: {
    ...Type.Object({
      data: Type.Array(TimelineEntry),
      meta: Type.Object({
        next_after: Nullable(Type.String({ description: 'Cursor of the next page; null on the last.' })),
      }),
    }),
    examples: [{ data: [example], meta: { next_after: null } }],
  },
  ...problems(400, 401, 403, 404, 429),
}
const tags = ['Comments'] as const
const config = { permission: 'project:view', rateLimit: 'other' } as const

export const listTestCaseActivity = {
  method: 'GET',
  url: '/v1/projects/:project_id/test-cases/:test_case_id/activity',
  config,
  schema: {
    operationId: 'listTestCaseActivity',
    tags,
    summary: 'List what happened to a test case',
    description:
      'Returns when the test case was created and last changed, its comments, attachments and links, and the runs that contain it, the newest first. For each page, the last 1,000 runs are searched.',
    params: TestCaseParams,
    querystring,
    response,
  },
} as const satisfies Endpoint

export const listRunActivity = {
  method: 'GET',
  url: '/v1/runs/:run_id/activity',
  config,
  schema: {
    operationId: 'listRunActivity',
    tags,
    summary: 'List what happened to a run',
    description:
      'Returns when the run was created and completed, and its comments, attachments and reruns, the newest first. What happened to its results is listed with these.',
    params: RunParams,
    querystring,
    response,
  },
} as const satisfies Endpoint

export const listResultActivity = {
  method: 'GET',
  url: '/v1/runs/:run_id/results/:result_id/activity',
  config,
  schema: {
    operationId: 'listResultActivity',
    tags,
    summary: 'List what happened to a result',
    description:
      'Returns the statuses and notes that the result has and had, and its comments, attachments and links, the newest first.',
    params: ResultParams,
    querystring,
    response,
  },
} as const satisfies Endpoint
