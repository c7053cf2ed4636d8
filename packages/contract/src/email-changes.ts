import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { Data, Email, Nullable, Timestamp } from './schemas.ts'

const OwnEmail = Type.Object({
  email: Type.String({ description: 'Email address of the account.' }),
  pending: Nullable(
    Type.Object(
      {
        email: Type.String({ description: 'Address that the account gets when it is confirmed.' }),
        expires_at: Timestamp('Until when it can be confirmed.'),
      },
      { description: 'The change that waits for a confirmation; null for none.' },
    ),
  ),
})

const tags = ['Session'] as const

const response = {
  ...Data(OwnEmail),
  examples: [
    {
      data: {
        email: 'ada@example.com',
        pending: { email: 'ada@example.org', expires_at: '2026-11-21T10:30:00.000Z' },
      },
    },
  ],
}

export const getEmail = {
  method: 'GET',
  url: '/v1/me/email',
  config: { permission: 'own-account', rateLimit: 'other' },
  schema: {
    operationId: 'getEmail',
    tags,
    summary: 'Get your email address',
    description: 'Returns the email address of your account, and the change of it that waits for a confirmation.',
    response: { 200: response, ...problems(401, 403, 429) },
  },
} as const satisfies Endpoint

export const requestEmailChange = {
  method: 'POST',
  url: '/v1/me/email',
  config: { permission: 'own-account', rateLimit: 'other' },
  schema: {
    operationId: 'requestEmailChange',
    tags,
    summary: 'Request a change of your email address',
    description:
      'Sends a link to the new address, which changes the address of your account when it is confirmed within an hour, and a notice to the former address. A new request replaces the former one. The response is the same whether or not another account has the address. Requires a session (403 `session_required`) that was confirmed recently (403 `confirmation_required`). At most one email is sent to an address in five minutes, and 50 in an hour for each user (429 `mail_limit`).',
    body: Type.Object({ email: Email('New email address.') }, { examples: [{ email: 'ada@example.org' }] }),
    response: { 200: response, ...problems(400, 401, 403, 413, 415, 429) },
  },
} as const satisfies Endpoint

export const cancelEmailChange = {
  method: 'DELETE',
  url: '/v1/me/email',
  config: { permission: 'own-account', rateLimit: 'other' },
  schema: {
    operationId: 'cancelEmailChange',
    tags,
    summary: 'Cancel the change of your email address',
    description: 'The link in the email is no longer valid. Returns 404 if no change is pending.',
    response: { 204: { ...Type.Null(), description: 'The change was canceled.' }, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint
