import { Type } from 'typebox'

import {
  Comment,
  commentExample,
  MAX_COMMENT_LENGTH,
  MAX_COMMENT_VERSIONS,
  MAX_COMMENTS,
  MAX_MENTIONS,
} from './comment-schemas.ts'
import type { Endpoint } from './endpoint.ts'
import { CursorPage, CursorQuery } from './pagination.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { ResultParams, RunParams } from './results.ts'
import { Data, Id, Timestamp } from './schemas.ts'
import type { Static } from './static.ts'
import { TestCaseParams } from './test-cases.ts'

export const CommentBody = Type.Object(
  {
    body: Type.String({
      format: 'text',
      'x-trim': true,
      minLength: 1,
      maxLength: MAX_COMMENT_LENGTH,
      description: `The text, in Markdown. \`@[Ada Lovelace](user:<id>)\` mentions a member of the project, up to ${MAX_MENTIONS} of them.`,
    }),
    attachment_ids: Type.Optional(
      Type.Array(Id('Attachment id.'), {
        maxItems: 50,
        description:
          'What the caller has attached to the same test case, run or result for this comment. It is deleted with the comment.',
      }),
    ),
  },
  { examples: [{ body: 'It only fails with the new card form.' }] },
)
export type CommentBody = Static<typeof CommentBody>

/** An earlier text of a comment. */
export const CommentVersion = Type.Object({
  body: Type.String({ description: 'The text, in Markdown.' }),
  replaced_at: Timestamp('When the author changed it.'),
})
export type CommentVersion = Static<typeof CommentVersion>

const tags = ['Comments'] as const
const page = {
  200: { ...CursorPage(Comment), examples: [{ data: [commentExample], meta: { next_after: null } }] },
  ...problems(400, 401, 403, 404, 429),
}
const commented = { ...Data(Comment), examples: [{ data: commentExample }] }
const created = { 201: commented, ...problems(400, 401, 403, 404, 413, 415, 422, 429) }
const ORDER = 'Returns the comments, the newest first. Deleted ones stay in the list without a text.'
const ADDITION = `Adds a comment, up to ${MAX_COMMENTS.toLocaleString('en')}. Mentioned members find it in \`GET /v1/me/mentions\`, and get an email, at most one in five minutes with all that is new.`
const querystring = Type.Object(CursorQuery)
const caseUrl = '/v1/projects/:project_id/test-cases/:test_case_id/comments'
const runUrl = '/v1/runs/:run_id/comments'
const resultUrl = '/v1/runs/:run_id/results/:result_id/comments'
const view = { permission: 'project:view', rateLimit: 'other' } as const
const write = { permission: 'comments:write', rateLimit: 'other' } as const

export const listTestCaseComments = {
  method: 'GET',
  url: caseUrl,
  config: view,
  schema: {
    operationId: 'listTestCaseComments',
    tags,
    summary: 'List the comments on a test case',
    description: ORDER,
    params: TestCaseParams,
    querystring,
    response: page,
  },
} as const satisfies Endpoint

export const createTestCaseComment = {
  method: 'POST',
  url: caseUrl,
  config: write,
  schema: {
    operationId: 'createTestCaseComment',
    tags,
    summary: 'Comment on a test case',
    description: ADDITION,
    params: TestCaseParams,
    body: CommentBody,
    response: created,
  },
} as const satisfies Endpoint

export const listRunComments = {
  method: 'GET',
  url: runUrl,
  config: view,
  schema: {
    operationId: 'listRunComments',
    tags,
    summary: 'List the comments on a run',
    description: `${ORDER} Those on its results are not among them.`,
    params: RunParams,
    querystring,
    response: page,
  },
} as const satisfies Endpoint

export const createRunComment = {
  method: 'POST',
  url: runUrl,
  config: write,
  schema: {
    operationId: 'createRunComment',
    tags,
    summary: 'Comment on a run',
    description: `${ADDITION} The run may be completed.`,
    params: RunParams,
    body: CommentBody,
    response: created,
  },
} as const satisfies Endpoint

export const listResultComments = {
  method: 'GET',
  url: resultUrl,
  config: view,
  schema: {
    operationId: 'listResultComments',
    tags,
    summary: 'List the comments on a result',
    description: ORDER,
    params: ResultParams,
    querystring,
    response: page,
  },
} as const satisfies Endpoint

export const createResultComment = {
  method: 'POST',
  url: resultUrl,
  config: write,
  schema: {
    operationId: 'createResultComment',
    tags,
    summary: 'Comment on a result',
    description: `${ADDITION} The run may be completed.`,
    params: ResultParams,
    body: CommentBody,
    response: created,
  },
} as const satisfies Endpoint

const CommentParams = Type.Object({
  ...ProjectParams.properties,
  comment_id: Type.String({ description: 'Comment id.' }),
})
const commentUrl = '/v1/projects/:project_id/comments/:comment_id'

export const updateComment = {
  method: 'PATCH',
  url: commentUrl,
  config: write,
  schema: {
    operationId: 'updateComment',
    tags,
    summary: 'Change a comment',
    description: `Changes the text of your own comment; the one of someone else returns 403 \`not_yours\`. The earlier text can still be read, as up to ${MAX_COMMENT_VERSIONS} of them. Members whom only the new text mentions are told.`,
    params: CommentParams,
    body: CommentBody,
    response: { 200: commented, ...problems(400, 401, 403, 404, 413, 415, 429) },
  },
} as const satisfies Endpoint

export const deleteComment = {
  method: 'DELETE',
  url: commentUrl,
  config: write,
  schema: {
    operationId: 'deleteComment',
    tags,
    summary: 'Delete a comment',
    description:
      'Deletes the text of a comment, its earlier texts and what was attached for it. That there was one, and who deleted it, stays in the list. Only its author and admins of the project may: for others, the response is 403 `not_yours`.',
    params: CommentParams,
    response: { 204: { ...Type.Null(), description: 'The comment was deleted.' }, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint

export const listCommentVersions = {
  method: 'GET',
  url: `${commentUrl}/versions`,
  config: view,
  schema: {
    operationId: 'listCommentVersions',
    tags,
    summary: 'List the earlier texts of a comment',
    description: `Returns what the comment was before its author changed it, the newest first, up to ${MAX_COMMENT_VERSIONS}.`,
    params: CommentParams,
    response: {
      200: {
        ...Type.Object({ data: Type.Array(CommentVersion) }),
        examples: [{ data: [{ body: 'It only fails with the new form.', replaced_at: '2026-11-21T09:32:00.000Z' }] }],
      },
      ...problems(401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint
