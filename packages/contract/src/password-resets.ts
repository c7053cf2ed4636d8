import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { signInProblems } from './second-factor-proofs.ts'
import { MeResponse } from './session.ts'
import { Data, Email, NewPassword, Message, Timestamp } from './schemas.ts'

const ResetParams = Type.Object({ secret: Type.String({ description: 'Last part of the link in the email.' }) })

const PasswordReset = Type.Object({
  email: Type.String({ description: 'Email address of the account.' }),
  expires_at: Timestamp('When the link expires: one hour after it was requested.'),
})

const tags = ['Session'] as const

export const requestPasswordReset = {
  method: 'POST',
  url: '/v1/password-resets',
  config: { permission: 'public', rateLimit: 'password-resets' },
  schema: {
    operationId: 'requestPasswordReset',
    tags,
    summary: 'Request a password reset link',
    description:
      'Sends an email with a link that can be used once and expires after one hour. Earlier links remain valid until one of them is used. At most one email is sent to an address in five minutes. The response and its timing are the same whether or not an account exists. Limited to 10 requests per minute for each IP address, separately from sign-in. Where only single sign-on is accepted, this and the next requests return 403 `single_sign_on_required`.',
    body: Type.Object(
      { email: Email('Email address of the account, case-insensitive.') },
      { examples: [{ email: 'ada@example.com' }] },
    ),
    response: {
      200: {
        ...Message,
        examples: [{ message: 'If this address has an account, an email with a link is on its way.' }],
      },
      ...problems(400, 403, 413, 415, 429),
    },
  },
} as const satisfies Endpoint

export const getPasswordReset = {
  method: 'GET',
  url: '/v1/password-resets/:secret',
  config: { permission: 'public', rateLimit: 'password-resets' },
  schema: {
    operationId: 'getPasswordReset',
    tags,
    summary: 'Get the account of a password reset link',
    description:
      'Returns the account of a password reset link. Does not require a token. Returns 410 if the link is unknown or expired, or if it or another link of the account was used; 403 `single_sign_on_required` where only single sign-on is accepted.',
    params: ResetParams,
    response: {
      200: {
        ...Data(PasswordReset),
        examples: [{ data: { email: 'ada@example.com', expires_at: '2026-11-21T10:30:00.000Z' } }],
      },
      ...problems(403, 404, 410, 429),
    },
  },
} as const satisfies Endpoint

export const resetPassword = {
  method: 'POST',
  url: '/v1/password-resets/:secret',
  config: { permission: 'public', rateLimit: 'password-resets' },
  schema: {
    operationId: 'resetPassword',
    tags,
    summary: 'Set a new password with a link',
    description:
      'Sets the password of the account, ends all of its links and sessions, and signs in like `POST /v1/session`: for an account with a second factor, the response is 401 `second_factor_required`, and the password is set. Tokens and invitations remain valid, unless `revoke_tokens` is true or the email address was never confirmed: then the personal tokens and the pending invitations end, the CI tokens that the user created are marked for review, and `GET /v1/me/review` lists what else another person may have left. Returns 403 `single_sign_on_required` where only single sign-on is accepted.',
    params: ResetParams,
    body: Type.Object(
      {
        password: NewPassword('New password, 8 to 1024 characters.'),
        revoke_tokens: Type.Optional(
          Type.Boolean({
            description:
              'Use this if someone else may have used the account. Also revokes all personal tokens of the account with all tokens that were created with them, and its pending invitations, and marks the CI tokens that it created for review.',
            default: false,
          }),
        ),
      },
      { examples: [{ password: 'correct horse battery staple', revoke_tokens: true }] },
    ),
    response: { 200: MeResponse, ...problems(400, 403, 404, 410, 413, 415, 429), ...signInProblems },
  },
} as const satisfies Endpoint
