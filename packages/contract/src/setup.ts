import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { MeResponse } from './session.ts'
import { Data, Email, Name, NewPassword, Timestamp } from './schemas.ts'

export const SetupBody = Type.Object(
  {
    name: Name('What the first user is called.'),
    email: Email('Their e-mail address, by which they sign in.'),
    password: NewPassword('Their password, 8 to 1024 characters.'),
  },
  { examples: [{ name: 'Ada', email: 'ada@example.com', password: 'correct horse battery staple' }] },
)

const SetupParams = Type.Object({ secret: Type.String({ description: 'The last part of the link that was printed.' }) })

const SetupLink = Type.Object({ expires_at: Timestamp('Until when the link works: seven days from its making.') })

const tags = ['Session'] as const

export const getSetupLink = {
  method: 'GET',
  url: '/v1/setup/:secret',
  config: { permission: 'public', rateLimit: 'sign-in' },
  schema: {
    operationId: 'getSetupLink',
    tags,
    summary: 'Read whether a setup link works',
    description:
      'For whoever has the link that the service prints as long as nobody has an account. 410 once somebody has one, or the link is too old or never was.',
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
    summary: 'Set the service up',
    description:
      'Makes the first account and signs in, as `POST /v1/session` does. All setup links end with it: 410 from then on.',
    params: SetupParams,
    body: SetupBody,
    response: { 201: MeResponse, ...problems(400, 403, 404, 410, 413, 415, 429) },
  },
} as const satisfies Endpoint
