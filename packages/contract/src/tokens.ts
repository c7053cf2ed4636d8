import { Type, type Static } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Data, Name, Nullable, OneOf, Timestamp, TimestampInput } from './schemas.ts'

export const TOKEN_ACCESS = ['read', 'write'] as const

const fields = {
  id: Type.String({ description: 'Token id.' }),
  name: Type.String({ description: 'Display name.' }),
  access: OneOf(TOKEN_ACCESS, { description: '`read` tokens cannot change anything.' }),
  expires_at: Nullable(Timestamp('When the token expires; null for never.')),
  last_used_at: Nullable(Timestamp('When the token was last used, to the minute; null if never.')),
  created_at: Timestamp('When the token was created.'),
}

export const Token = Type.Object(fields)
export type Token = Static<typeof Token>

export const NewToken = Type.Object({
  ...fields,
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
      Nullable(TimestampInput('When the token expires; null for never, which is the default.')),
    ),
  },
  { examples: [{ name: 'GitHub Actions', access: 'write' }] },
)
export type CreateTokenBody = Static<typeof CreateTokenBody>

const tokenExample = {
  id: '019aa5b7-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
  name: 'GitHub Actions',
  access: 'write',
  expires_at: null,
  last_used_at: null,
  created_at: '2026-11-21T09:30:00.000Z',
}
const newTokenExample = { ...tokenExample, token: 'cwc_… (returned only once)' }

const tags = ['Tokens'] as const
const listResponse = { ...Type.Object({ data: Type.Array(Token) }), examples: [{ data: [tokenExample] }] }
const newTokenResponse = { ...Data(NewToken), examples: [{ data: newTokenExample }] }
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
  config: { permission: 'own-account', rateLimit: 'other' },
  schema: {
    operationId: 'createPersonalToken',
    tags,
    summary: 'Create a personal token',
    description: 'Creates a token that has your access to all of your projects. The token is returned only once.',
    body: CreateTokenBody,
    response: { 201: newTokenResponse, ...problems(400, 401, 403, 413, 415, 429) },
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
    description: 'Revokes the token within one second.',
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
    description: 'Returns the CI tokens of the project without the tokens themselves, newest first.',
    params: ProjectParams,
    response: { 200: listResponse, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint

export const createCiToken = {
  method: 'POST',
  url: '/v1/projects/:project_id/tokens',
  config: { permission: 'project:settings', rateLimit: 'other' },
  schema: {
    operationId: 'createCiToken',
    tags,
    summary: 'Create a CI token',
    description:
      'Creates a token for this project that can read everything and, with write access, create and close runs and upload results. The token is returned only once.',
    params: ProjectParams,
    body: CreateTokenBody,
    response: { 201: newTokenResponse, ...problems(400, 401, 403, 404, 413, 415, 429) },
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
    description: 'Revokes the token within one second.',
    params: Type.Object({
      project_id: Type.String({ description: 'Project id.' }),
      token_id: Type.String({ description: 'Token id.' }),
    }),
    response: { 204: revokedResponse, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint
