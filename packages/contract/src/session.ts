import { Type, type Static } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { Data, Name, NewPassword, Nullable, Timestamp } from './schemas.ts'

/** A password as somebody types it to be checked: whatever it is, so that a wrong one is just wrong. */
const Password = (description: string) => Type.String({ format: 'text', maxLength: 1024, description })

export const Me = Type.Object({
  id: Type.String({ description: 'User id.' }),
  email: Type.String({ description: 'E-mail address, by which you sign in.' }),
  name: Type.String({ description: 'Name that others see.' }),
  avatar_url: Nullable(Type.String({ description: 'Address of a picture; null for none.' })),
  has_password: Type.Boolean({ description: 'False for who has only ever signed in by single sign-on.' }),
  created_at: Timestamp('When the account was made.'),
  updated_at: Timestamp('When your fields last changed.'),
})
export type Me = Static<typeof Me>

export const SignInBody = Type.Object(
  {
    email: Type.String({
      format: 'text',
      'x-trim': true,
      maxLength: 320,
      description: 'E-mail address, in upper or lower case.',
    }),
    password: Password('Password.'),
  },
  { examples: [{ email: 'ada@example.com', password: 'correct horse battery staple' }] },
)

export const UpdateMeBody = Type.Object(
  {
    name: Type.Optional(Name('Name that others see.')),
    avatar_url: Type.Optional(
      Nullable(
        Type.String({
          format: 'text',
          pattern: '^https?://[^\\s]+$',
          maxLength: 2048,
          description: 'An http:// or https:// address of a picture; null for none.',
        }),
      ),
    ),
    password: Type.Optional(NewPassword('A new password, 8 to 1024 characters. Needs `current_password`.')),
    current_password: Type.Optional(Password('Your password as it is now.')),
  },
  { examples: [{ name: 'Ada Lovelace' }] },
)
export type UpdateMeBody = Static<typeof UpdateMeBody>

export const Session = Type.Object({
  id: Type.String({ description: 'Session id.' }),
  current: Type.Boolean({ description: 'Whether this very request comes from it.' }),
  user_agent: Type.String({ description: 'What the browser said of itself; empty when it said nothing.' }),
  created_at: Timestamp('When it was signed in.'),
  last_seen_at: Timestamp('When it was last used, to the minute.'),
  expires_at: Timestamp('When it ends, even if it is used.'),
})
export type Session = Static<typeof Session>

const me = {
  id: '019aa5b7-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  avatar_url: null,
  has_password: true,
  created_at: '2026-11-21T09:30:00.000Z',
  updated_at: '2026-11-21T09:30:00.000Z',
}
const session = {
  id: '019aa5b7-9a2b-7c3d-8e4f-5a6b7c8d9e0f',
  current: true,
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  created_at: '2026-11-21T09:30:00.000Z',
  last_seen_at: '2026-11-21T10:02:00.000Z',
  expires_at: '2027-02-19T09:30:00.000Z',
}

const tags = ['Session'] as const

/** The account, as everything answers that signs in. */
export const MeResponse = { ...Data(Me), examples: [{ data: me }] }

export const signIn = {
  method: 'POST',
  url: '/v1/session',
  config: { permission: 'public', rateLimit: 'sign-in' },
  schema: {
    operationId: 'signIn',
    tags,
    summary: 'Sign in',
    description:
      'Sets an HttpOnly session cookie, which takes the place of a token in requests from the service’s own pages. A session that the cookie held before ends. A wrong address and a wrong password are answered alike. Ten tries a minute for each address and account.',
    body: SignInBody,
    response: { 201: MeResponse, ...problems(400, 401, 403, 413, 415, 429) },
  },
} as const satisfies Endpoint

export const signOut = {
  method: 'DELETE',
  url: '/v1/session',
  config: { permission: 'own-account', rateLimit: 'other' },
  schema: {
    operationId: 'signOut',
    tags,
    summary: 'Sign out',
    description: 'Ends the session of the cookie. A token has none: 404.',
    response: { 204: { ...Type.Null(), description: 'Signed out.' }, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint

export const getMe = {
  method: 'GET',
  url: '/v1/me',
  config: { permission: 'own-account', rateLimit: 'other' },
  schema: {
    operationId: 'getMe',
    tags,
    summary: 'Read your account',
    description: 'Whom this token or session belongs to.',
    response: { 200: MeResponse, ...problems(401, 403, 429) },
  },
} as const satisfies Endpoint

export const updateMe = {
  method: 'PATCH',
  url: '/v1/me',
  config: { permission: 'own-account', rateLimit: 'other' },
  schema: {
    operationId: 'updateMe',
    tags,
    summary: 'Change your account',
    description:
      'Only the fields sent change. A new password needs the current one, and ends all other sessions; tokens stay.',
    body: UpdateMeBody,
    response: { 200: MeResponse, ...problems(400, 401, 403, 413, 415, 429) },
  },
} as const satisfies Endpoint

export const listSessions = {
  method: 'GET',
  url: '/v1/sessions',
  config: { permission: 'own-account', rateLimit: 'other' },
  schema: {
    operationId: 'listSessions',
    tags,
    summary: 'List your sessions',
    description: 'Where you are signed in, the newest first.',
    response: {
      200: { ...Type.Object({ data: Type.Array(Session) }), examples: [{ data: [session] }] },
      ...problems(401, 403, 429),
    },
  },
} as const satisfies Endpoint

export const revokeSession = {
  method: 'DELETE',
  url: '/v1/sessions/:session_id',
  config: { permission: 'own-account', rateLimit: 'other' },
  schema: {
    operationId: 'revokeSession',
    tags,
    summary: 'End one of your sessions',
    description: 'It stops working within a second.',
    params: Type.Object({ session_id: Type.String({ description: 'Session id.' }) }),
    response: { 204: { ...Type.Null(), description: 'Ended.' }, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint
