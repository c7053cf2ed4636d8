import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { ROLES } from './members.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Nullable, OneOf } from './schemas.ts'
import type { Static } from './static.ts'

/** Most groups with a role in one project. */
export const MAX_GROUP_ROLES = 100
export const MAX_GROUP_LENGTH = 255

const role = OneOf(ROLES, { description: 'Role of the members of the group.' })

export const GroupRoleInput = Type.Object({
  group: Type.String({
    format: 'text',
    minLength: 1,
    maxLength: MAX_GROUP_LENGTH,
    description: 'Name or id of the group, exactly as the sign-in provider returns it.',
  }),
  role,
})
export type GroupRoleInput = Static<typeof GroupRoleInput>

export const GroupRole = Type.Object({
  group: Type.String({ description: 'Name or id of the group.' }),
  role,
  user_ids: Type.Array(Type.String(), {
    description: 'Members of the project who had the group at their last sign-on; at most 1,000.',
  }),
})
export type GroupRole = Static<typeof GroupRole>

const response = {
  ...Type.Object({
    data: Type.Array(GroupRole),
    meta: Type.Object({
      groups_claim: Nullable(
        Type.String({ description: 'Claim from which this server reads groups; null if it reads none.' }),
      ),
    }),
  }),
  examples: [
    {
      data: [{ group: 'qa-team', role: 'member', user_ids: ['019aa5c0-2b3c-7d4e-8f50-6b7c8d9e0f10'] }],
      meta: { groups_claim: 'groups' },
    },
  ],
}

const tags = ['Members'] as const

export const listGroupRoles = {
  method: 'GET',
  url: '/v1/projects/:project_id/group-roles',
  config: { permission: 'members:manage', rateLimit: 'members' },
  schema: {
    operationId: 'listGroupRoles',
    tags,
    summary: 'List roles of groups',
    description: 'Returns the groups of the sign-in provider that have a role in the project, by name.',
    params: ProjectParams,
    response: { 200: response, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint

export const replaceGroupRoles = {
  method: 'PUT',
  url: '/v1/projects/:project_id/group-roles',
  config: { permission: 'members:manage', rateLimit: 'members' },
  schema: {
    operationId: 'replaceGroupRoles',
    tags,
    summary: 'Set roles of groups',
    description:
      'Replaces the groups that have a role in the project. A user gets the role at the next sign-on, and the strongest of several roles counts; a role that a person gave is never lowered. Members who have a group already change at once: when a group is removed, those whom only it made a member are removed. Returns 422 `groups_not_configured` if the server reads no groups, so that groups can only be removed, and `last_admin` if the project would have no admin.',
    params: ProjectParams,
    body: Type.Object(
      {
        group_roles: Type.Array(GroupRoleInput, { maxItems: MAX_GROUP_ROLES, description: 'All groups with a role.' }),
      },
      { examples: [{ group_roles: [{ group: 'qa-team', role: 'member' }] }] },
    ),
    response: { 200: response, ...problems(400, 401, 403, 404, 413, 415, 422, 429) },
  },
} as const satisfies Endpoint
