import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { Member, memberExample, ROLES } from './members.ts'
import { Page, PageQuery } from './pagination.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Email, Name, NewPassword, OneOf, Timestamp } from './schemas.ts'
import type { Static } from './static.ts'

export const INVITATION_STATUSES = ['pending', 'accepted', 'revoked', 'expired'] as const

const role = OneOf(ROLES, { description: 'Role of the new member.' })
const expires_at = Timestamp('When the invitation expires: seven days after the last link was sent.')

const fields = {
  id: Type.String({ description: 'Invitation id.' }),
  email: Type.String({ description: 'Email address of the invited person.' }),
  role,
  status: OneOf(INVITATION_STATUSES, {
    description: '`pending` until the invitation is accepted, revoked or expired.',
  }),
  invited_by: Type.String({ description: 'User id of the member who sent the invitation.' }),
  expires_at,
  created_at: Timestamp('When the invitation was created.'),
}

export const Invitation = Type.Object(fields)
export type Invitation = Static<typeof Invitation>

const example = {
  id: '019aa5c1-3c4d-7e5f-9061-7c8d9e0f1021',
  email: 'mira@example.com',
  role: 'member',
  status: 'pending',
  invited_by: '019aa5b2-0a1b-7c2d-8e3f-4a5b6c7d8e9f',
  expires_at: '2026-11-28T09:30:00.000Z',
  created_at: '2026-11-21T09:30:00.000Z',
}

export const SentInvitation = Type.Object(
  {
    ...fields,
    join_url: Type.Optional(
      Type.String({
        description: 'Link to accept the invitation. Only present if no mail server is configured to send it.',
      }),
    ),
  },
  { examples: [example] },
)
export type SentInvitation = Static<typeof SentInvitation>

const project = Type.Object({
  id: Type.String({ description: 'Project id.' }),
  name: Type.String({ description: 'Display name.' }),
})

export const InvitationPreview = Type.Object(
  {
    project,
    email: fields.email,
    role,
    invited_by: Type.Object({ name: Type.String({ description: 'Name of the member who sent the invitation.' }) }),
    expires_at,
  },
  {
    examples: [
      {
        project: { id: '019aa5b4-6f3e-7c11-9a52-0f6f3d1c8e77', name: 'Web shop' },
        email: example.email,
        role: example.role,
        invited_by: { name: 'Ada' },
        expires_at: example.expires_at,
      },
    ],
  },
)
export type InvitationPreview = Static<typeof InvitationPreview>

export const AcceptedInvitation = Type.Object(
  { project, member: Member },
  { examples: [{ project: { id: '019aa5b4-6f3e-7c11-9a52-0f6f3d1c8e77', name: 'Web shop' }, member: memberExample }] },
)
export type AcceptedInvitation = Static<typeof AcceptedInvitation>

/** Required unless the caller is signed in. Null is an empty body. */
const AcceptBody = Type.Unsafe<{ name?: string; password?: string } | null>({
  ...Type.Object({
    name: Type.Optional(Name('Name of the new user. Required unless you are signed in.')),
    password: Type.Optional(
      NewPassword('Password of the new user, 8 to 1024 characters. Required unless you are signed in.'),
    ),
  }),
  type: ['object', 'null'],
  examples: [{ name: 'Mira', password: 'correct horse battery staple' }],
})

const InvitationParams = Type.Object({
  project_id: Type.String({ description: 'Project id.' }),
  invitation_id: Type.String({ description: 'Invitation id.' }),
})
const LinkParams = Type.Object({ secret: Type.String({ description: 'Last part of the link in the email.' }) })

const tags = ['Invitations'] as const

export const inviteMember = {
  method: 'POST',
  url: '/v1/projects/:project_id/members/invite',
  config: { permission: 'members:manage', rateLimit: 'members', returnsSecret: true },
  schema: {
    operationId: 'inviteMember',
    tags,
    summary: 'Invite a member',
    description:
      'Sends an email with an invitation link that is valid for seven days. Email addresses are compared case-insensitively. Returns 409 if the address belongs to a member or has a pending invitation; revoked and expired invitations do not count. Returns 429 `mail_limit` if the address got an invitation within the last five minutes, or if you have sent 50 emails within an hour.',
    params: ProjectParams,
    body: Type.Object(
      { email: Email('Email address to invite.'), role },
      { examples: [{ email: example.email, role: 'member' }] },
    ),
    response: { 201: SentInvitation, ...problems(400, 401, 403, 404, 409, 413, 415, 429) },
  },
} as const satisfies Endpoint

export const listInvitations = {
  method: 'GET',
  url: '/v1/projects/:project_id/invitations',
  config: { permission: 'members:manage', rateLimit: 'members' },
  schema: {
    operationId: 'listInvitations',
    tags,
    summary: 'List invitations',
    description: 'Returns the invitations of the project, newest first.',
    params: ProjectParams,
    querystring: Type.Object({
      status: Type.Optional(OneOf(INVITATION_STATUSES, { description: 'Return only invitations with this status.' })),
      ...PageQuery,
    }),
    response: {
      200: { ...Page(Invitation), examples: [{ data: [example], meta: { page: 1, per_page: 20, total: 1 } }] },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const revokeInvitation = {
  method: 'DELETE',
  url: '/v1/projects/:project_id/invitations/:invitation_id',
  config: { permission: 'members:manage', rateLimit: 'members' },
  schema: {
    operationId: 'revokeInvitation',
    tags,
    summary: 'Revoke an invitation',
    description:
      'Revokes the invitation and its links immediately. Returns 409 if it was accepted: remove the member instead.',
    params: InvitationParams,
    response: {
      204: { ...Type.Null(), description: 'The invitation was revoked.' },
      ...problems(401, 403, 404, 409, 429),
    },
  },
} as const satisfies Endpoint

export const resendInvitation = {
  method: 'POST',
  url: '/v1/projects/:project_id/invitations/:invitation_id/resend',
  config: { permission: 'members:manage', rateLimit: 'members', returnsSecret: true },
  schema: {
    operationId: 'resendInvitation',
    tags,
    summary: 'Send an invitation again',
    description:
      'Sends a new link that is valid for seven days; earlier links stop working. Returns 409 unless the invitation is pending or expired. Returns 429 `mail_limit` if the address got an invitation within the last five minutes, or if you have sent 50 emails within an hour. Then nothing is changed, and earlier links still work.',
    params: InvitationParams,
    response: { 200: SentInvitation, ...problems(401, 403, 404, 409, 429) },
  },
} as const satisfies Endpoint

export const getInvitationPreview = {
  method: 'GET',
  url: '/v1/invitations/:secret',
  config: { permission: 'public', rateLimit: 'invitation-links' },
  schema: {
    operationId: 'getInvitationPreview',
    tags,
    summary: 'Get the invitation of a link',
    description:
      'Returns the invitation for a link. Does not require a token. Returns 410 if the link was used or replaced, or if the invitation was revoked or expired.',
    params: LinkParams,
    response: { 200: InvitationPreview, ...problems(404, 410, 429) },
  },
} as const satisfies Endpoint

export const acceptInvitation = {
  method: 'POST',
  url: '/v1/invitations/:secret/accept',
  config: { permission: 'public-or-own-account', rateLimit: 'invitation-links' },
  schema: {
    operationId: 'acceptInvitation',
    tags,
    summary: 'Accept an invitation',
    description:
      'Adds a member to the project. If you are signed in, you join the project; the invitation must be for your email address, or the response is 403 `other_email`. If you are not signed in, a user is created with `name` and `password`; if the email address has an account already, the response is 409 `account_exists`: sign in first. Where only single sign-on is accepted, only signed-in users can accept (403 `single_sign_on_required`).',
    params: LinkParams,
    body: AcceptBody,
    response: { 200: AcceptedInvitation, ...problems(400, 401, 403, 404, 409, 410, 413, 415, 429) },
  },
} as const satisfies Endpoint
