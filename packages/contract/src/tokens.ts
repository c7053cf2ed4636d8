import { Type } from 'typebox'

import { CONFIRMATION_NOTE, confirmationProblems } from './confirmation.ts'
import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Data, Id, Name, Nullable, OneOf, Timestamp, TimestampInput } from './schemas.ts'
import type { Static } from './static.ts'

export const TOKEN_ACCESS = ['read', 'write'] as const

export const TOKEN_GRANTS = ['cases:create'] as const
const Grant = OneOf(TOKEN_GRANTS, { description: '`cases:create`: uploads may create test cases.' })

const fields = {
  id: Type.String({ description: 'Token id.' }),
  name: Type.String({ description: 'Display name.' }),
  access: OneOf(TOKEN_ACCESS, { description: '`read` tokens cannot change anything.' }),
  expires_at: Nullable(Timestamp('When the token expires; null for never.')),
  last_used_at: Nullable(Timestamp('When the token was last used, to the minute; null if never.')),
  created_by: Nullable(
    Type.String({ description: 'User id of the user who created the token; null if the account is gone.' }),
  ),
  created_with: Nullable(
    Type.String({
      description:
        'Id of the token with which this one was created, and with which it is revoked; null if it was created in a browser.',
    }),
  ),
  created_at: Timestamp('When the token was created.'),
}

export const Token = Type.Object(fields)
export type Token = Static<typeof Token>

/** Why a CI token should be replaced. */
export const REVIEW_REASONS = ['creator_left', 'creator_secured_account'] as const

export const CiToken = Type.Object({
  ...fields,
  grants: Type.Array(Grant, { description: 'What the token may do besides.' }),
  needs_review: Type.Boolean({
    description: 'Whether the token is valid although someone who should not may know it: replace it.',
  }),
  review_reason: Nullable(
    OneOf(REVIEW_REASONS, {
      description:
        '`creator_left`: the user who created it is no longer an admin of the project. `creator_secured_account`: the user has secured the account since, because someone else may have used it. Null if it needs no review.',
    }),
  ),
})
export type CiToken = Static<typeof CiToken>

export const NewToken = Type.Object({
  ...fields,
  grants: Type.Optional(Type.Array(Grant, { description: 'What a CI token may do besides.' })),
  token: Type.String({ description: 'The token itself. It is returned only once.' }),
})
export type NewToken = Static<typeof NewToken>

export const CreateTokenBody = Type.Object(
  {
    name: Name('Display name, such as what the token is used for.'),
    access: Type.Optional(
      OneOf(TOKEN_ACCESS, { description: '`read` tokens cannot change anything.', default: 'write' }),
    ),
    expires_at: Type.Optional(
      Nullable(
        TimestampInput(
          'When the token expires; null for never, which is the default. A token that is created with a token expires with it at the latest.',
        ),
      ),
    ),
  },
  { examples: [{ name: 'GitHub Actions', access: 'write' }] },
)
export type CreateTokenBody = Static<typeof CreateTokenBody>

export const CreateCiTokenBody = Type.Object(
  {
    ...CreateTokenBody.properties,
    grants: Type.Optional(
      Type.Array(Grant, {
        maxItems: TOKEN_GRANTS.length,
        description: 'What the token may do besides; requires write access.',
      }),
    ),
  },
  { examples: [{ name: 'GitHub Actions', access: 'write', grants: ['cases:create'] }] },
)
export type CreateCiTokenBody = Static<typeof CreateCiTokenBody>

const tokenExample = {
  id: '019aa5b7-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
  name: 'GitHub Actions',
  access: 'write',
  expires_at: null,
  last_used_at: null,
  created_by: '019aa5b2-0a1b-7c2d-8e3f-4a5b6c7d8e9f',
  created_with: null,
  created_at: '2026-11-21T09:30:00.000Z',
}
const newTokenExample = { ...tokenExample, token: 'cwc_… (returned only once)' }

const tags = ['Tokens'] as const
const listResponse = { ...Type.Object({ data: Type.Array(Token) }), examples: [{ data: [tokenExample] }] }
const ciListResponse = {
  ...Type.Object({ data: Type.Array(CiToken) }),
  examples: [{ data: [{ ...tokenExample, grants: ['cases:create'], needs_review: false, review_reason: null }] }],
}
const newTokenResponse = { ...Data(NewToken), examples: [{ data: newTokenExample }] }
const newCiTokenResponse = {
  ...Data(NewToken),
  examples: [{ data: { ...newTokenExample, grants: ['cases:create'] } }],
}
const createDescription =
  'The token is returned only once. If you send this request with a token, the new token expires with that token at the latest, and is revoked with it.'
const revokeDescription = 'Revokes the token, and all tokens that were created with it, within one second.'
const revokedResponse = { ...Type.Null(), description: 'The token was revoked.' }

export const listPersonalTokens = {
  method: 'GET',
  url: '/v1/tokens',
  config: { permission: 'own-account', rateLimit: 'other' },
  schema: {
    operationId: 'listPersonalTokens',
    tags,
    summary: 'List your personal tokens',
    description: 'Returns your personal tokens without the tokens themselves, newest first.',
    response: { 200: listResponse, ...problems(401, 403, 429) },
  },
} as const satisfies Endpoint

export const createPersonalToken = {
  method: 'POST',
  url: '/v1/tokens',
  config: { permission: 'own-account', rateLimit: 'other', returnsSecret: true },
  schema: {
    operationId: 'createPersonalToken',
    tags,
    summary: 'Create a personal token',
    description: `Creates a token that has your access to all of your projects. ${createDescription} Returns 422 \`token_limit\` if you have 100 valid tokens. ${CONFIRMATION_NOTE}`,
    body: CreateTokenBody,
    response: { 201: newTokenResponse, ...problems(400, 401, 413, 415, 422, 429), ...confirmationProblems },
  },
} as const satisfies Endpoint

export const revokePersonalTokens = {
  method: 'DELETE',
  url: '/v1/tokens',
  config: { permission: 'own-account', rateLimit: 'other' },
  schema: {
    operationId: 'revokePersonalTokens',
    tags,
    summary: 'Revoke all your personal tokens',
    description:
      'Revokes all your personal tokens, and all tokens that were created with them, within one second. A token that sends this request is one of them.',
    response: { 204: { ...Type.Null(), description: 'The tokens were revoked.' }, ...problems(401, 403, 429) },
  },
} as const satisfies Endpoint

export const revokePersonalToken = {
  method: 'DELETE',
  url: '/v1/tokens/:token_id',
  config: { permission: 'own-account', rateLimit: 'other' },
  schema: {
    operationId: 'revokePersonalToken',
    tags,
    summary: 'Revoke a personal token',
    description: revokeDescription,
    params: Type.Object({ token_id: Type.String({ description: 'Token id.' }) }),
    response: { 204: revokedResponse, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint

export const listCiTokens = {
  method: 'GET',
  url: '/v1/projects/:project_id/tokens',
  config: { permission: 'project:settings', rateLimit: 'other' },
  schema: {
    operationId: 'listCiTokens',
    tags,
    summary: "List a project's CI tokens",
    description:
      'Returns the CI tokens of the project without the tokens themselves, newest first. Tokens that should be replaced have `needs_review: true`, with the reason.',
    params: ProjectParams,
    querystring: Type.Object({
      created_by: Type.Optional(Id('Return only tokens that the user with this id created.')),
    }),
    response: { 200: ciListResponse, ...problems(400, 401, 403, 404, 429) },
  },
} as const satisfies Endpoint

export const createCiToken = {
  method: 'POST',
  url: '/v1/projects/:project_id/tokens',
  config: { permission: 'project:settings', rateLimit: 'other', returnsSecret: true },
  schema: {
    operationId: 'createCiToken',
    tags,
    summary: 'Create a CI token',
    description: `Creates a token for this project that can read everything and, with write access, create and close runs and upload results. ${createDescription} Returns 422 \`token_limit\` if the project has 100 valid tokens. ${CONFIRMATION_NOTE}`,
    params: ProjectParams,
    body: CreateCiTokenBody,
    response: { 201: newCiTokenResponse, ...problems(400, 401, 404, 413, 415, 422, 429), ...confirmationProblems },
  },
} as const satisfies Endpoint

export const keepCiToken = {
  method: 'PATCH',
  url: '/v1/projects/:project_id/tokens/:token_id',
  config: { permission: 'project:settings', rateLimit: 'other' },
  schema: {
    operationId: 'keepCiToken',
    tags,
    summary: 'Keep a CI token after its review',
    description:
      'Records that an admin knows what uses the token, so that it no longer needs review because its creator has secured the account. Returns 422 `creator_left` if the creator is no longer an admin of the project: replace the token then. Does nothing for a token that needs no review.',
    params: Type.Object({
      project_id: Type.String({ description: 'Project id.' }),
      token_id: Type.String({ description: 'Token id.' }),
    }),
    body: Type.Object(
      { needs_review: Type.Literal(false, { description: 'False, because it was reviewed.' }) },
      { examples: [{ needs_review: false }] },
    ),
    response: {
      200: {
        ...Data(CiToken),
        examples: [{ data: { ...tokenExample, grants: ['cases:create'], needs_review: false, review_reason: null } }],
      },
      ...problems(400, 401, 403, 404, 413, 415, 422, 429),
    },
  },
} as const satisfies Endpoint

export const revokeCiToken = {
  method: 'DELETE',
  url: '/v1/projects/:project_id/tokens/:token_id',
  config: { permission: 'project:settings', rateLimit: 'other' },
  schema: {
    operationId: 'revokeCiToken',
    tags,
    summary: 'Revoke a CI token',
    description: revokeDescription,
    params: Type.Object({
      project_id: Type.String({ description: 'Project id.' }),
      token_id: Type.String({ description: 'Token id.' }),
    }),
    response: { 204: revokedResponse, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint
