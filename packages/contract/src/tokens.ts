import { Type, type Static } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Data, Name, Nullable, OneOf, Timestamp, TimestampInput } from './schemas.ts'

export const TOKEN_ACCESS = ['read', 'write'] as const

const fields = {
  id: Type.String({ description: 'Token id.' }),
  name: Type.String({ description: 'What it is for.' }),
  access: OneOf(TOKEN_ACCESS, { description: 'A read token changes nothing.' }),
  expires_at: Nullable(Timestamp('When it stops working; null for never.')),
  last_used_at: Nullable(Timestamp('When it was last used, to the minute.')),
  created_at: Timestamp('When it was made.'),
}

export const Token = Type.Object(fields)
export type Token = Static<typeof Token>

export const NewToken = Type.Object({
  ...fields,
  token: Type.String({ description: 'The secret. It is shown this once.' }),
})
export type NewToken = Static<typeof NewToken>

export const CreateTokenBody = Type.Object(
  {
    name: Name('What it is for.'),
    access: Type.Optional(OneOf(TOKEN_ACCESS, { description: 'A read token changes nothing.', default: 'write' })),
    expires_at: Type.Optional(Nullable(TimestampInput('When it stops working; null or left out for never.'))),
  },
  { examples: [{ name: 'GitHub Actions', access: 'write' }] },
)
export type CreateTokenBody = Static<typeof CreateTokenBody>

const listed = {
  id: '019aa5b7-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
  name: 'GitHub Actions',
  access: 'write',
  expires_at: null,
  last_used_at: null,
  created_at: '2026-11-21T09:30:00.000Z',
}
const created = { ...listed, token: 'cwc_… (shown this once)' }

const tags = ['Tokens'] as const
const list = { ...Type.Object({ data: Type.Array(Token) }), examples: [{ data: [listed] }] }
const one = { ...Data(NewToken), examples: [{ data: created }] }
const revoked = { ...Type.Null(), description: 'Revoked.' }

export const listPersonalTokens = {
  method: 'GET',
  url: '/v1/tokens',
  config: { permission: 'own-account', rateLimit: 'other' },
  schema: {
    operationId: 'listPersonalTokens',
    tags,
    summary: 'List your personal tokens',
    description: 'The newest first, never with their secrets.',
    response: { 200: list, ...problems(401, 403, 429) },
  },
} as const satisfies Endpoint

export const createPersonalToken = {
  method: 'POST',
  url: '/v1/tokens',
  config: { permission: 'own-account', rateLimit: 'other' },
  schema: {
    operationId: 'createPersonalToken',
    tags,
    summary: 'Make a personal token',
    description: 'It acts as you, in every project of yours. The secret is in this answer and nowhere else.',
    body: CreateTokenBody,
    response: { 201: one, ...problems(400, 401, 403, 413, 415, 429) },
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
    description: 'It stops working within a second.',
    params: Type.Object({ token_id: Type.String({ description: 'Token id.' }) }),
    response: { 204: revoked, ...problems(401, 403, 404, 429) },
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
    description: 'The newest first, never with their secrets.',
    params: ProjectParams,
    response: { 200: list, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint

export const createCiToken = {
  method: 'POST',
  url: '/v1/projects/:project_id/tokens',
  config: { permission: 'project:settings', rateLimit: 'other' },
  schema: {
    operationId: 'createCiToken',
    tags,
    summary: 'Make a CI token',
    description:
      'It acts as itself in this one project: it reads, and with write access also creates and closes runs and uploads results.',
    params: ProjectParams,
    body: CreateTokenBody,
    response: { 201: one, ...problems(400, 401, 403, 404, 413, 415, 429) },
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
    description: 'It stops working within a second.',
    params: Type.Object({
      project_id: Type.String({ description: 'Project id.' }),
      token_id: Type.String({ description: 'Token id.' }),
    }),
    response: { 204: revoked, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint
