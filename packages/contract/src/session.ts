import { Type } from 'typebox'

import { CONFIRMATION_NOTE, confirmationProblems } from './confirmation.ts'
import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { signInProblems } from './second-factor-proofs.ts'
import { Data, Name, NewPassword, Nullable, Timestamp } from './schemas.ts'
import type { Static } from './static.ts'

/** A password to check. It has no minimum, so that a wrong password is rejected as wrong rather than invalid. */
const Password = (description: string) => Type.String({ format: 'text', maxLength: 1024, description })

export const Me = Type.Object({
  id: Type.String({ description: 'User id.' }),
  email: Type.String({ description: 'Email address that the user signs in with.' }),
  name: Type.String({ description: 'Display name.' }),
  avatar_url: Nullable(Type.String({ description: 'URL of a picture; null for none.' })),
  has_password: Type.Boolean({ description: 'False if the user can only sign in with single sign-on.' }),
  has_second_factor: Type.Boolean({ description: 'Whether sign-in asks for a second factor.' }),
  can_have_password: Type.Boolean({
    description:
      'False if this server accepts only single sign-on: then nobody can sign in with a password, or set one.',
  }),
  is_instance_admin: Type.Boolean({ description: 'Whether the user administers this instance (`/v1/admin`).' }),
  review_since: Nullable(
    Timestamp(
      'Since when the user should check what someone else may have left in the account (`GET /v1/me/review`); null when there is nothing to check.',
    ),
  ),
  image_sources: Type.Array(Type.String(), {
    description:
      'Other servers whose images in Markdown this server lets browsers show, such as `https://wiki.example.org`; `https:` means every server, after a click.',
  }),
  trace_viewer_url: Nullable(
    Type.String({
      description:
        'Where this server has a viewer of Playwright traces, on another host name than the app; null if it has none, or browsers would not run it there.',
    }),
  ),
  mention_emails: Type.Boolean({ description: 'Whether an email says who has mentioned the user in a comment.' }),
  created_at: Timestamp('When the account was created.'),
  updated_at: Timestamp('When a field of the account last changed.'),
})
export type Me = Static<typeof Me>

export const SignInBody = Type.Object(
  {
    email: Type.String({
      format: 'text',
      'x-trim': true,
      maxLength: 320,
      description: 'Email address, case-insensitive.',
    }),
    password: Password('Password.'),
  },
  { examples: [{ email: 'ada@example.com', password: 'correct horse battery staple' }] },
)

export const DeleteMeBody = Type.Object(
  {
    email: Type.String({
      format: 'text',
      'x-trim': true,
      maxLength: 320,
      description: 'Email address of your account.',
    }),
  },
  { examples: [{ email: 'ada@example.com' }] },
)

export const UpdateMeBody = Type.Object(
  {
    name: Type.Optional(Name('Display name.')),
    avatar_url: Type.Optional(
      Nullable(
        Type.String({
          format: 'text',
          pattern: '^https?://[^\\s]+$',
          maxLength: 2048,
          description: 'URL of a picture, http:// or https://; null for none.',
        }),
      ),
    ),
    mention_emails: Type.Optional(
      Type.Boolean({ description: 'Whether an email says who has mentioned you in a comment.' }),
    ),
    password: Type.Optional(NewPassword('New password, 8 to 1024 characters. Requires `current_password`.')),
    current_password: Type.Optional(Password('Current password.')),
  },
  { examples: [{ name: 'Ada Lovelace' }] },
)
export type UpdateMeBody = Static<typeof UpdateMeBody>

export const Session = Type.Object({
  id: Type.String({ description: 'Session id.' }),
  current: Type.Boolean({ description: 'Whether this request uses the session.' }),
  user_agent: Type.String({ description: 'User-Agent header of the browser; empty if it sent none.' }),
  browser: Type.String({ description: 'What the User-Agent header says, for people.' }),
  created_at: Timestamp('When the user signed in.'),
  last_seen_at: Timestamp('When the session was last used, to the minute.'),
  expires_at: Timestamp('When the session ends, even if it is in use.'),
})
export type Session = Static<typeof Session>

const me = {
  id: '019aa5b7-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  avatar_url: null,
  has_password: true,
  has_second_factor: false,
  can_have_password: true,
  is_instance_admin: false,
  review_since: null,
  image_sources: [],
  trace_viewer_url: null,
  mention_emails: true,
  created_at: '2026-11-21T09:30:00.000Z',
  updated_at: '2026-11-21T09:30:00.000Z',
}
const session = {
  id: '019aa5b7-9a2b-7c3d-8e4f-5a6b7c8d9e0f',
  current: true,
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  browser: 'Firefox on Linux',
  created_at: '2026-11-21T09:30:00.000Z',
  last_seen_at: '2026-11-21T10:02:00.000Z',
  expires_at: '2027-02-19T09:30:00.000Z',
}

const tags = ['Session'] as const

/** The response of every endpoint that signs in. */
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
      'Creates a session and sets its HttpOnly cookie, which replaces the token in requests from pages of this service. An earlier session of the cookie ends. The response does not reveal whether the email address or the password is wrong. With the right password, a disabled account gets 403 `account_disabled`, and an account with a second factor 401 `second_factor_required` with a cookie for `POST /v1/session/second-factor`. Where only single sign-on is accepted, the response is 403 `single_sign_on_required`, which names where to sign in. Limited to 10 requests per minute for each IP address, and to 100 wrong passwords per hour for each account; the latter does not count for a browser in which the user has signed in before.',
    body: SignInBody,
    response: { 201: MeResponse, ...problems(400, 403, 413, 415, 429), ...signInProblems },
  },
} as const satisfies Endpoint

export const signOut = {
  method: 'DELETE',
  url: '/v1/session',
  config: { permission: 'own-account', rateLimit: 'other', allowsMissingSecondFactor: true },
  schema: {
    operationId: 'signOut',
    tags,
    summary: 'Sign out',
    description: 'Ends the session of the cookie. Returns 404 if the request uses a token, which has no session.',
    response: { 204: { ...Type.Null(), description: 'The session was ended.' }, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint

export const getMe = {
  method: 'GET',
  url: '/v1/me',
  config: { permission: 'own-account', rateLimit: 'other', allowsMissingSecondFactor: true },
  schema: {
    operationId: 'getMe',
    tags,
    summary: 'Get your account',
    description: 'Returns the user that the token or session belongs to.',
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
    summary: 'Update your account',
    description: `Updates only the fields in the request. A new password requires the current password and ends all other sessions; tokens remain valid. Where only single sign-on is accepted, a new password is 403 \`single_sign_on_required\`. Limited to 10 wrong passwords per minute for each session or token, and to 100 per hour for each account, separately from sign-in. A new password of an account with a second factor: ${CONFIRMATION_NOTE}`,
    body: UpdateMeBody,
    response: { 200: MeResponse, ...problems(400, 401, 413, 415, 429), ...confirmationProblems },
  },
} as const satisfies Endpoint

export const deleteMe = {
  method: 'DELETE',
  url: '/v1/me',
  config: { permission: 'own-account', rateLimit: 'other' },
  schema: {
    operationId: 'deleteMe',
    tags,
    summary: 'Delete your account',
    description:
      'Deletes your account: name, email address, picture, password, sign-in methods, sessions, personal tokens, memberships and pending invitations. What you did stays with an anonymous author. Requires a session (403 `session_required`) that was confirmed recently (403 `confirmation_required`), and the email address of the account as a safeguard. Returns 422 `last_admin` with `projects` if a project would have no admin, and 422 `last_instance_admin` if the instance would have no administrator.',
    body: DeleteMeBody,
    response: {
      204: { ...Type.Null(), description: 'The account was deleted, and the cookie of the session is cleared.' },
      ...problems(400, 401, 403, 404, 413, 415, 422, 429),
    },
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
    description: 'Returns your sessions, newest first.',
    response: {
      200: { ...Type.Object({ data: Type.Array(Session) }), examples: [{ data: [session] }] },
      ...problems(401, 403, 429),
    },
  },
} as const satisfies Endpoint

export const endOtherSessions = {
  method: 'DELETE',
  url: '/v1/sessions',
  config: { permission: 'own-account', rateLimit: 'other' },
  schema: {
    operationId: 'endOtherSessions',
    tags,
    summary: 'End all your other sessions',
    description:
      'Ends all your sessions within one second, except the one of this request. With a token, which has no session, it ends all.',
    response: { 204: { ...Type.Null(), description: 'The sessions were ended.' }, ...problems(401, 403, 429) },
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
    description: 'Ends the session within one second.',
    params: Type.Object({ session_id: Type.String({ description: 'Session id.' }) }),
    response: { 204: { ...Type.Null(), description: 'The session was ended.' }, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint
