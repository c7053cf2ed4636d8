import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { MeResponse } from './session.ts'
import { Data, Email, NewPassword, Message, Timestamp } from './schemas.ts'

const ResetParams = Type.Object({ secret: Type.String({ description: 'The last part of the link in the mail.' }) })

const PasswordReset = Type.Object({
  email: Type.String({ description: 'Whose password it sets.' }),
  expires_at: Timestamp('Until when the link works: an hour from when it was asked for.'),
})

const tags = ['Session'] as const

export const requestPasswordReset = {
  method: 'POST',
  url: '/v1/password-resets',
  config: { permission: 'public', rateLimit: 'sign-in' },
  schema: {
    operationId: 'requestPasswordReset',
    tags,
    summary: 'Ask for a link to reset a password',
    description:
      'Sends a mail with a link that works once, for an hour. Links sent before go on until one of them is used. The answer, and the time that it takes, is the same whether or not there is an account of this address. Ten tries a minute for each address and account.',
    body: Type.Object(
      { email: Email('E-mail address of the account, in upper or lower case.') },
      { examples: [{ email: 'ada@example.com' }] },
    ),
    response: {
      200: {
        ...Message,
        examples: [{ message: 'If this address has an account, a mail with a link is on its way.' }],
      },
      ...problems(400, 403, 413, 415, 429),
    },
  },
} as const satisfies Endpoint

export const getPasswordReset = {
  method: 'GET',
  url: '/v1/password-resets/:secret',
  config: { permission: 'public', rateLimit: 'sign-in' },
  schema: {
    operationId: 'getPasswordReset',
    tags,
    summary: 'Read whose password a link resets',
    description:
      'For whoever has the link. 410 once it or another one of the account was used, it has expired, or never was.',
    params: ResetParams,
    response: {
      200: {
        ...Data(PasswordReset),
        examples: [{ data: { email: 'ada@example.com', expires_at: '2026-11-21T10:30:00.000Z' } }],
      },
      ...problems(404, 410, 429),
    },
  },
} as const satisfies Endpoint

export const resetPassword = {
  method: 'POST',
  url: '/v1/password-resets/:secret',
  config: { permission: 'public', rateLimit: 'sign-in' },
  schema: {
    operationId: 'resetPassword',
    tags,
    summary: 'Set a new password by a link',
    description:
      'All links end, and so do all sessions of the account; then it signs in, as `POST /v1/session` does. Tokens stay.',
    params: ResetParams,
    body: Type.Object(
      { password: NewPassword('The new password, 8 to 1024 characters.') },
      { examples: [{ password: 'correct horse battery staple' }] },
    ),
    response: { 200: MeResponse, ...problems(400, 403, 404, 410, 413, 415, 429) },
  },
} as const satisfies Endpoint
