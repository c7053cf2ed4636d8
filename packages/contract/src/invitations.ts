import { Type, type Static } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { Member, memberExample, ROLES } from './members.ts'
import { Page, PageQuery } from './pagination.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Email, Name, NewPassword, OneOf, Timestamp } from './schemas.ts'

export const INVITATION_STATUSES = ['pending', 'accepted', 'revoked', 'expired'] as const

const role = OneOf(ROLES, { description: 'The role in the project that it gives.' })
const expires_at = Timestamp('Until when it can be accepted: seven days from the last link that was sent.')

const fields = {
  id: Type.String({ description: 'Invitation id.' }),
  email: Type.String({ description: 'Whom it is for.' }),
  role,
  status: OneOf(INVITATION_STATUSES, { description: 'Pending until it is accepted, revoked or expired.' }),
  invited_by: Type.String({ description: 'User id of the inviter.' }),
  expires_at,
  created_at: Timestamp('When it was made.'),
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
        description: 'The link to join by. Only there when the service has no mail server to send it with.',
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
    invited_by: Type.Object({ name: Type.String({ description: 'What the inviter is called.' }) }),
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

/** For who is not signed in. Null stands for no body at all. */
const AcceptBody = Type.Unsafe<{ name?: string; password?: string } | null>({
  ...Type.Object({
    name: Type.Optional(Name('What the new user is called. For those who are not signed in.')),
    password: Type.Optional(
      NewPassword('Password of the new user, 8 characters or more. For those who are not signed in.'),
    ),
  }),
  type: ['object', 'null'],
  examples: [{ name: 'Mira', password: 'correct horse battery staple' }],
})

const InvitationParams = Type.Object({
  project_id: Type.String({ description: 'Project id.' }),
  invitation_id: Type.String({ description: 'Invitation id.' }),
})
const LinkParams = Type.Object({ secret: Type.String({ description: 'The last part of the link in the mail.' }) })

const tags = ['Invitations'] as const

export const inviteMember = {
  method: 'POST',
  url: '/v1/projects/:project_id/members/invite',
  config: { permission: 'members:manage', rateLimit: 'members' },
  schema: {
    operationId: 'inviteMember',
    tags,
    summary: 'Invite somebody',
    description:
      'Sends a mail with a link to join, valid for seven days. Addresses compare without regard to case. 409 for a member and for whom an invitation is pending; one that is revoked or expired does not stand in the way.',
    params: ProjectParams,
    body: Type.Object(
      { email: Email('Whom to invite.'), role },
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
    description: 'The newest first.',
    params: ProjectParams,
    querystring: Type.Object({
      status: Type.Optional(OneOf(INVITATION_STATUSES, { description: 'Only invitations of this status.' })),
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
    description: 'Its links stop working at once. 409 when it has been accepted: remove the member instead.',
    params: InvitationParams,
    response: { 204: { ...Type.Null(), description: 'Revoked.' }, ...problems(401, 403, 404, 409, 429) },
  },
} as const satisfies Endpoint

export const resendInvitation = {
  method: 'POST',
  url: '/v1/projects/:project_id/invitations/:invitation_id/resend',
  config: { permission: 'members:manage', rateLimit: 'members' },
  schema: {
    operationId: 'resendInvitation',
    tags,
    summary: 'Send an invitation again',
    description:
      'Sends a new link, valid for seven days from now; earlier links stop working. For pending and expired invitations: 409 for others.',
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
    summary: 'Read what a link invites to',
    description: 'For whoever has the link. 410 once it was used or replaced, or the invitation revoked or expired.',
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
      'Signed in: joins the project, if the invitation is for your e-mail address (403 `other_email` if not). Not signed in: `name` and `password` make a new user, who joins; 409 `account_exists` when the address has an account, which must sign in first.',
    params: LinkParams,
    body: AcceptBody,
    response: { 200: AcceptedInvitation, ...problems(400, 401, 403, 404, 409, 410, 413, 415, 429) },
  },
} as const satisfies Endpoint
