import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { Page, PageQuery } from './pagination.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Nullable, OneOf, Timestamp } from './schemas.ts'
import type { Static } from './static.ts'

export const ROLES = ['admin', 'member', 'viewer'] as const

const fields = {
  id: Type.String({ description: 'User id.' }),
  email: Type.String({ description: 'Email address.' }),
  name: Type.String({ description: 'Display name.' }),
  avatar_url: Nullable(Type.String({ description: 'URL of a picture; null for none.' })),
  role: OneOf(ROLES, { description: 'Role in the project.' }),
  joined_at: Timestamp('When the user joined the project.'),
}

export const Member = Type.Object(fields)
export type Member = Static<typeof Member>

export const memberExample = {
  id: '019aa5c0-2b3c-7d4e-8f50-6b7c8d9e0f10',
  email: 'mira@example.com',
  name: 'Mira',
  avatar_url: null,
  role: 'member',
  joined_at: '2026-11-21T09:30:00.000Z',
}

export const ChangedMember = Type.Object(
  { ...fields, updated_at: Timestamp('When the role last changed.') },
  { examples: [{ ...memberExample, updated_at: '2026-11-21T10:00:00.000Z' }] },
)
export type ChangedMember = Static<typeof ChangedMember>

const MemberParams = Type.Object({
  project_id: Type.String({ description: 'Project id.' }),
  user_id: Type.String({ description: 'User id of the member.' }),
})

/** Most people of one response. */
export const MAX_PEOPLE = 5000

export const Person = Type.Object({
  id: fields.id,
  name: fields.name,
  avatar_url: fields.avatar_url,
  is_member: Type.Boolean({ description: 'Whether the user is a member now.' }),
  role: Nullable(OneOf(ROLES, { description: 'Role in the project; null for a former member.' })),
})
export type Person = Static<typeof Person>

const tags = ['Members'] as const

export const listMembers = {
  method: 'GET',
  url: '/v1/projects/:project_id/members',
  config: { permission: 'members:view', rateLimit: 'members' },
  schema: {
    operationId: 'listMembers',
    tags,
    summary: 'List members',
    description: 'Returns the members of the project in the order in which they joined.',
    params: ProjectParams,
    querystring: Type.Object({
      role: Type.Optional(OneOf(ROLES, { description: 'Return only members with this role.' })),
      ...PageQuery,
    }),
    response: {
      200: { ...Page(Member), examples: [{ data: [memberExample], meta: { page: 1, per_page: 20, total: 1 } }] },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const listPeople = {
  method: 'GET',
  url: '/v1/projects/:project_id/people',
  config: { permission: 'members:view', rateLimit: 'other' },
  schema: {
    operationId: 'listPeople',
    tags,
    summary: 'List members and former members',
    description: `Returns everybody who is or was a member of the project, and those who tested in another tool before results were imported, to show the names of those who set results. Up to ${MAX_PEOPLE.toLocaleString('en')}: members first, then by name.`,
    params: ProjectParams,
    response: {
      200: {
        ...Type.Object({ data: Type.Array(Person) }),
        examples: [
          {
            data: [
              { id: memberExample.id, name: memberExample.name, avatar_url: null, is_member: true, role: 'member' },
            ],
          },
        ],
      },
      ...problems(401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const changeMemberRole = {
  method: 'PATCH',
  url: '/v1/projects/:project_id/members/:user_id',
  config: { permission: 'members:change-role', rateLimit: 'members' },
  schema: {
    operationId: 'changeMemberRole',
    tags,
    summary: "Change a member's role",
    description:
      'Changes the role of a member. If the member was an admin, their pending invitations to the project are revoked, and if they created CI tokens of the project that are still valid, the header `Link` contains the URL of a list of them: review these tokens. Returns 422 `last_admin` for the only admin of the project: make another member an admin first. Returns 422 `role_from_group` for a role weaker than the one that a group of the sign-in provider gives the member.',
    params: MemberParams,
    body: Type.Object({ role: OneOf(ROLES, { description: 'New role.' }) }, { examples: [{ role: 'viewer' }] }),
    response: { 200: ChangedMember, ...problems(400, 401, 403, 404, 413, 415, 422, 429) },
  },
} as const satisfies Endpoint

export const leaveProject = {
  method: 'DELETE',
  url: '/v1/projects/:project_id/members/me',
  config: { permission: 'members:view', rateLimit: 'members' },
  schema: {
    operationId: 'leaveProject',
    tags,
    summary: 'Leave a project',
    description:
      'Ends your own membership, whatever your role. Everything that you created is kept, except for your pending invitations, which are revoked. CI tokens that you created stay valid and are marked for review by the admins. The only admin of a project cannot leave (422 `last_admin`): make another member an admin first.',
    params: ProjectParams,
    response: {
      204: { ...Type.Null(), description: 'You are no longer a member.' },
      ...problems(401, 403, 404, 422, 429),
    },
  },
} as const satisfies Endpoint

export const removeMember = {
  method: 'DELETE',
  url: '/v1/projects/:project_id/members/:user_id',
  config: { permission: 'members:manage', rateLimit: 'members' },
  schema: {
    operationId: 'removeMember',
    tags,
    summary: 'Remove a member',
    description:
      'Removes the member from the project. Everything that the member created is kept, except for pending invitations, which are revoked. If the member created CI tokens of the project that are still valid, the header `Link` contains the URL of a list of them: review these tokens. Admins can remove themselves; the only admin of the project cannot be removed (422 `last_admin`). A member by a group of the sign-in provider is added again at the next sign-on.',
    params: MemberParams,
    response: { 204: { ...Type.Null(), description: 'The member was removed.' }, ...problems(401, 403, 404, 422, 429) },
  },
} as const satisfies Endpoint
