import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { MeResponse } from './session.ts'
import { Data, Email, Name, NewPassword, Timestamp } from './schemas.ts'

export const SetupBody = Type.Object(
  {
    name: Name('Display name of the first user.'),
    email: Email('Email address of the first user, to sign in with.'),
    password: Type.Optional(
      NewPassword(
        'Password of the first user, 8 to 1024 characters. Required, unless the server accepts only single sign-on.',
      ),
    ),
  },
  { examples: [{ name: 'Ada', email: 'ada@example.com', password: 'correct horse battery staple' }] },
)

const SetupParams = Type.Object({ secret: Type.String({ description: 'Last part of the setup link.' }) })

const SetupLink = Type.Object({ expires_at: Timestamp('When the link expires: seven days after it was created.') })

const tags = ['Session'] as const

export const getSetupLink = {
  method: 'GET',
  url: '/v1/setup/:secret',
  config: { permission: 'public', rateLimit: 'sign-in' },
  schema: {
    operationId: 'getSetupLink',
    tags,
    summary: 'Get a setup link',
    description:
      'Checks a setup link, which the service prints on start until the first account exists. Does not require a token. Returns 410 if an account exists, or if the link is unknown or expired.',
    params: SetupParams,
    response: {
      200: { ...Data(SetupLink), examples: [{ data: { expires_at: '2026-11-28T09:30:00.000Z' } }] },
      ...problems(404, 410, 429),
    },
  },
} as const satisfies Endpoint

export const completeSetup = {
  method: 'POST',
  url: '/v1/setup/:secret',
  config: { permission: 'public', rateLimit: 'sign-in' },
  schema: {
    operationId: 'completeSetup',
    tags,
    summary: 'Create the first account',
    description:
      'Creates the first account and signs in like `POST /v1/session`. All setup links end: later requests return 410. Where only single sign-on is accepted, send no `password` (403 `single_sign_on_required`); the session lasts twelve hours, and the user then signs in at the provider with the same email address.',
    params: SetupParams,
    body: SetupBody,
    response: { 201: MeResponse, ...problems(400, 403, 404, 410, 413, 415, 429) },
  },
} as const satisfies Endpoint
