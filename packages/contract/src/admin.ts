import { Type } from 'typebox'

import { CONFIRMATION_NOTE, confirmationProblems } from './confirmation.ts'
import type { Endpoint } from './endpoint.ts'
import { CursorPage, CursorQuery } from './pagination.ts'
import { problems } from './problem.ts'
import { Data, Nullable, OneOf, Timestamp } from './schemas.ts'
import type { Static } from './static.ts'

export const USER_STATUSES = ['active', 'disabled'] as const
export const PROJECT_CREATION = ['everyone', 'instance_admins'] as const

const example = {
  id: '019aa5c0-2b3c-7d4e-8f50-6b7c8d9e0f10',
  name: 'Mira',
  email: 'mira@example.com',
  is_instance_admin: false,
  has_second_factor: true,
  disabled_at: null,
  session_count: 2,
  token_count: 1,
  last_sign_in_at: '2026-11-20T08:00:00.000Z',
  last_seen_at: '2026-11-21T09:30:00.000Z',
  created_at: '2026-11-01T10:00:00.000Z',
}

export const InstanceUser = Type.Object(
  {
    id: Type.String({ description: 'User id.' }),
    name: Type.String({ description: 'Display name.' }),
    email: Type.String({ description: 'Email address.' }),
    is_instance_admin: Type.Boolean({ description: 'Whether the user administers this instance.' }),
    disabled_at: Nullable(Timestamp('When the user was disabled; null for an active user.')),
    has_second_factor: Type.Boolean({ description: 'Whether sign-in asks the user for a second factor.' }),
    session_count: Type.Integer({ description: 'Number of active sessions.' }),
    token_count: Type.Integer({ description: 'Number of personal tokens that have not expired.' }),
    last_sign_in_at: Nullable(Timestamp('When the user last signed in; null if never.')),
    last_seen_at: Nullable(Timestamp('When a session or personal token was last used, to the minute; null if never.')),
    created_at: Timestamp('When the account was created.'),
  },
  { examples: [example] },
)
export type InstanceUser = Static<typeof InstanceUser>

export const UpdateUserBody = Type.Object(
  {
    disabled: Type.Optional(
      Type.Boolean({
        description:
          'Disabling ends the sessions of the user, revokes their personal tokens and pending invitations, and refuses their sign-in. Memberships and everything that the user created are kept.',
      }),
    ),
    is_instance_admin: Type.Optional(Type.Boolean({ description: 'Grants or withdraws the administration.' })),
  },
  { examples: [{ disabled: true }] },
)
export type UpdateUserBody = Static<typeof UpdateUserBody>

const project_creation = OneOf(PROJECT_CREATION, {
  description: 'Who can create projects: every user, or only instance administrators.',
})

const quota = (description: string) =>
  Nullable(Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: `${description} Null is no limit.` }))
const quotas = {
  max_projects_per_user: quota('Most projects of which a user can be an admin and still create another.'),
  max_members_per_project: quota('Most members of a project.'),
  max_test_cases_per_project: quota('Most test cases of a project.'),
  max_runs_per_project: quota('Most runs of a project.'),
  max_file_bytes_per_project: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Most bytes that the files of a project take, each content once. Null is no limit.',
    }),
  ),
}
/** The names of the quotas. */
export const QUOTAS = [
  'max_projects_per_user',
  'max_members_per_project',
  'max_test_cases_per_project',
  'max_runs_per_project',
  'max_file_bytes_per_project',
] as const satisfies (keyof typeof quotas)[]

const settingsExample = {
  project_creation: 'everyone',
  require_second_factor: false,
  max_projects_per_user: null,
  max_members_per_project: null,
  max_test_cases_per_project: 100_000,
  max_runs_per_project: null,
  max_file_bytes_per_project: null,
}

const require_second_factor = Type.Boolean({
  description:
    'Whether the session of a user without a second factor may do nothing but set one up (403 `second_factor_setup_required`). Sessions that began with single sign-on are exempt: the provider asks for a second factor. Tokens are, too.',
})

export const InstanceSettings = Type.Object(
  { project_creation, require_second_factor, ...quotas },
  { examples: [settingsExample] },
)
export type InstanceSettings = Static<typeof InstanceSettings>

export const UpdateInstanceSettingsBody = Type.Object(
  {
    project_creation: Type.Optional(project_creation),
    require_second_factor: Type.Optional(require_second_factor),
    max_projects_per_user: Type.Optional(quotas.max_projects_per_user),
    max_members_per_project: Type.Optional(quotas.max_members_per_project),
    max_test_cases_per_project: Type.Optional(quotas.max_test_cases_per_project),
    max_runs_per_project: Type.Optional(quotas.max_runs_per_project),
    max_file_bytes_per_project: Type.Optional(quotas.max_file_bytes_per_project),
  },
  { examples: [{ project_creation: 'instance_admins' }] },
)

const UserParams = Type.Object({ user_id: Type.String({ description: 'User id.' }) })

const tags = ['Administration'] as const
const userResponse = { ...Data(InstanceUser), examples: [{ data: example }] }
const settingsResponse = { ...Data(InstanceSettings), examples: [{ data: settingsExample }] }

export const listUsers = {
  method: 'GET',
  url: '/v1/admin/users',
  config: { permission: 'instance:manage', rateLimit: 'other' },
  schema: {
    operationId: 'listUsers',
    tags,
    summary: 'List users',
    description: 'Returns all users of this instance, the newest account first.',
    querystring: Type.Object({
      q: Type.Optional(
        Type.String({
          format: 'text',
          maxLength: 255,
          description:
            'Part of a name or email address, case-insensitive. A text without three letters or digits in a row is found only at the start of the email address and of the words of the name.',
        }),
      ),
      status: Type.Optional(OneOf(USER_STATUSES, { description: 'Return only users with this status.' })),
      ...CursorQuery,
    }),
    response: {
      200: { ...CursorPage(InstanceUser), examples: [{ data: [example], meta: { next_after: null } }] },
      ...problems(400, 401, 403, 429),
    },
  },
} as const satisfies Endpoint

export const updateUser = {
  method: 'PATCH',
  url: '/v1/admin/users/:user_id',
  config: { permission: 'instance:manage', rateLimit: 'other' },
  schema: {
    operationId: 'updateUser',
    tags,
    summary: 'Update a user',
    description: `Disables or enables a user, and grants or withdraws the administration of this instance. Takes effect within one second. Returns 422 \`last_instance_admin\` if no active instance administrator would remain. Granting: ${CONFIRMATION_NOTE}`,
    params: UserParams,
    body: UpdateUserBody,
    response: { 200: userResponse, ...problems(400, 401, 404, 413, 415, 422, 429), ...confirmationProblems },
  },
} as const satisfies Endpoint

export const deleteUser = {
  method: 'DELETE',
  url: '/v1/admin/users/:user_id',
  config: { permission: 'instance:manage', rateLimit: 'other' },
  schema: {
    operationId: 'deleteUser',
    tags,
    summary: 'Delete a user',
    description:
      'Deletes the account of a user, as users can do themselves: everything personal is deleted, and what the user did stays with an anonymous author. A session must have been confirmed recently (403 `confirmation_required`). Returns 422 `last_admin` with `projects` if a project would have no admin, and 422 `last_instance_admin` for the last active instance administrator.',
    params: UserParams,
    response: {
      204: { ...Type.Null(), description: 'The account was deleted.' },
      ...problems(401, 403, 404, 422, 429),
    },
  },
} as const satisfies Endpoint

export const endUserSessions = {
  method: 'DELETE',
  url: '/v1/admin/users/:user_id/sessions',
  config: { permission: 'instance:manage', rateLimit: 'other' },
  schema: {
    operationId: 'endUserSessions',
    tags,
    summary: 'End all sessions of a user',
    description: 'Ends all sessions of the user within one second. The user can sign in again.',
    params: UserParams,
    response: { 204: { ...Type.Null(), description: 'The sessions were ended.' }, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint

export const revokeUserTokens = {
  method: 'DELETE',
  url: '/v1/admin/users/:user_id/tokens',
  config: { permission: 'instance:manage', rateLimit: 'other' },
  schema: {
    operationId: 'revokeUserTokens',
    tags,
    summary: 'Revoke all personal tokens of a user',
    description:
      'Revokes all personal tokens of the user within one second. CI tokens belong to their project and remain valid.',
    params: UserParams,
    response: { 204: { ...Type.Null(), description: 'The tokens were revoked.' }, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint

export const resetSecondFactors = {
  method: 'DELETE',
  url: '/v1/admin/users/:user_id/second-factors',
  config: { permission: 'instance:manage', rateLimit: 'other' },
  schema: {
    operationId: 'resetSecondFactors',
    tags,
    summary: 'Remove all second factors of a user',
    description: `For a user who has lost them: removes the authenticator apps, passkeys and recovery codes of the user, who can then sign in without a second factor. Make sure that it is the user who asks. ${CONFIRMATION_NOTE}`,
    params: UserParams,
    response: {
      204: { ...Type.Null(), description: 'The second factors were removed.' },
      ...problems(401, 404, 429),
      ...confirmationProblems,
    },
  },
} as const satisfies Endpoint

export const getInstanceSettings = {
  method: 'GET',
  url: '/v1/admin/settings',
  config: { permission: 'instance:manage', rateLimit: 'other' },
  schema: {
    operationId: 'getInstanceSettings',
    tags,
    summary: 'Get the settings of the instance',
    description: 'Returns the settings that instance administrators can change while the service runs.',
    response: { 200: settingsResponse, ...problems(401, 403, 429) },
  },
} as const satisfies Endpoint

export const updateInstanceSettings = {
  method: 'PATCH',
  url: '/v1/admin/settings',
  config: { permission: 'instance:manage', rateLimit: 'other' },
  schema: {
    operationId: 'updateInstanceSettings',
    tags,
    summary: 'Update the settings of the instance',
    description: `Updates only the settings in the request, for all servers within a second. Requiring a second factor returns 422 \`own_second_factor_required\` if you have none. No longer requiring it: ${CONFIRMATION_NOTE}`,
    body: UpdateInstanceSettingsBody,
    response: { 200: settingsResponse, ...problems(400, 401, 413, 415, 422, 429), ...confirmationProblems },
  },
} as const satisfies Endpoint
