import { Type } from 'typebox'

import { CONFIRMATION_NOTE, confirmationProblems } from './confirmation.ts'
import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { Timestamp } from './schemas.ts'
import type { Static } from './static.ts'

export const Identity = Type.Object({
  id: Type.String({ description: 'Id of the link.' }),
  issuer: Type.String({ description: 'URL of the sign-in provider, its claim `iss`.' }),
  created_at: Timestamp('When the account was linked.'),
})
export type Identity = Static<typeof Identity>

const identity = {
  id: '019aa5b8-2c4d-7e5f-8a6b-7c8d9e0f1a2b',
  issuer: 'https://login.example.com',
  created_at: '2026-11-21T09:30:00.000Z',
}

const tags = ['Session'] as const

export const listIdentities = {
  method: 'GET',
  url: '/v1/me/identities',
  config: { permission: 'own-account', rateLimit: 'other' },
  schema: {
    operationId: 'listIdentities',
    tags,
    summary: 'List your linked identities',
    description:
      'Returns the users of sign-in providers that your account is linked with, at most one for each provider. Each of them can sign in to your account.',
    response: {
      200: { ...Type.Object({ data: Type.Array(Identity) }), examples: [{ data: [identity] }] },
      ...problems(401, 403, 429),
    },
  },
} as const satisfies Endpoint

export const unlinkIdentity = {
  method: 'DELETE',
  url: '/v1/me/identities/:identity_id',
  config: { permission: 'own-account', rateLimit: 'other' },
  schema: {
    operationId: 'unlinkIdentity',
    tags,
    summary: 'Remove a linked identity',
    description: `Removes the link, so that this user of the provider can no longer sign in to your account. Your sessions stay valid. Returns 422 \`last_sign_in_method\` if your account has no password, or if this server accepts only single sign-on. ${CONFIRMATION_NOTE}`,
    params: Type.Object({ identity_id: Type.String({ description: 'Id of the link.' }) }),
    response: {
      204: { ...Type.Null(), description: 'The link was removed.' },
      ...problems(401, 404, 422, 429),
      ...confirmationProblems,
    },
  },
} as const satisfies Endpoint
