import { Type } from 'typebox'

import { commentExample } from './comment-schemas.ts'
import type { Endpoint } from './endpoint.ts'
import { CursorQuery } from './pagination.ts'
import { problems } from './problem.ts'
import { Id, Nullable, OneOf, Timestamp } from './schemas.ts'
import type { Static } from './static.ts'

const example = {
  id: '019aa5b9-9c36-7a02-8d1e-6b5c4a3f2e10',
  project_id: '019aa5b4-6f3e-7c11-9a52-0f6f3d1c8e77',
  project_name: 'Web shop',
  comment_id: commentExample.id,
  test_case_id: 'WEB-12',
  run_id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01',
  result_id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a02',
  title: 'A customer pays by card',
  author_name: 'Bob',
  text: '@Ada Lovelace it only fails with the new card form:',
  created_at: '2026-11-21T09:30:00.000Z',
  read_at: null,
}

export const Mention = Type.Object(
  {
    id: Type.String({ description: 'Id of the mention.' }),
    project_id: Type.String({ description: 'Project of the comment.' }),
    project_name: Type.String({ description: 'Name of the project.' }),
    comment_id: Type.String({ description: 'The comment that mentions you.' }),
    test_case_id: Nullable(
      Type.String({ description: 'Test case of the comment or of its result; null for a run, or if it was deleted.' }),
    ),
    run_id: Nullable(Type.String({ description: 'Run of the comment or of its result; null for a test case.' })),
    result_id: Nullable(Type.String({ description: 'Result of the comment; null for others.' })),
    title: Type.String({ description: 'Title of the test case, or name of the run.' }),
    author_name: Type.String({ description: 'Name of the author.' }),
    text: Type.String({ description: 'First line of the comment, up to 200 characters.' }),
    created_at: Timestamp('When the comment mentioned you.'),
    read_at: Nullable(Timestamp('When you marked it as read; null if it is unread.')),
  },
  { examples: [example] },
)
export type Mention = Static<typeof Mention>

const tags = ['Comments'] as const

export const listMyMentions = {
  method: 'GET',
  url: '/v1/me/mentions',
  config: { permission: 'own-account', rateLimit: 'other' },
  schema: {
    operationId: 'listMyMentions',
    tags,
    summary: 'List the comments that mention you',
    description:
      'Returns the mentions of you in all your projects, the newest first. Those of projects that you leave end.',
    querystring: Type.Object({
      ...CursorQuery,
      unread: Type.Optional(OneOf(['true', 'false'], { description: '`true`: only those that are not read.' })),
    }),
    response: {
      200: {
        ...Type.Object({
          data: Type.Array(Mention),
          meta: Type.Object({
            next_after: Nullable(Type.String({ description: 'Cursor of the next page; null on the last.' })),
            unread_count: Type.Integer({ description: 'Number of all mentions that are not read.' }),
          }),
        }),
        examples: [{ data: [example], meta: { next_after: null, unread_count: 1 } }],
      },
      ...problems(400, 401, 403, 429),
    },
  },
} as const satisfies Endpoint

export const readMyMentions = {
  method: 'POST',
  url: '/v1/me/mentions/read',
  config: { permission: 'own-account', rateLimit: 'other' },
  schema: {
    operationId: 'readMyMentions',
    tags,
    summary: 'Mark mentions as read',
    description: 'Marks these mentions of you as read, or all. What is read already, or is not yours, stays as it is.',
    body: Type.Object(
      {
        ids: Type.Optional(
          Type.Array(Id('Id of a mention.'), { minItems: 1, maxItems: 100, description: 'Up to 100 mentions.' }),
        ),
        all: Type.Optional(Type.Boolean({ description: '`true`: all mentions, in place of `ids`.' })),
      },
      { examples: [{ all: true }] },
    ),
    response: {
      200: {
        ...Type.Object({
          data: Type.Object({
            read: Type.Integer({ description: 'Number of mentions that were unread before.' }),
          }),
        }),
        examples: [{ data: { read: 3 } }],
      },
      ...problems(400, 401, 403, 413, 415, 429),
    },
  },
} as const satisfies Endpoint
