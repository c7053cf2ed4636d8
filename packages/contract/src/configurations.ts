import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { FIELD_KEY_PATTERN } from './fields.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Data, Name, Nullable, OneOf, Timestamp } from './schemas.ts'
import type { Static } from './static.ts'

/** Most groups of configurations in use. */
export const MAX_CONFIGURATION_GROUPS = 20
/** Most configurations of a group in use. */
export const MAX_GROUP_CONFIGURATIONS = 50
/** Most configurations of a project, with retired ones. */
export const MAX_CONFIGURATIONS = 2000
/** Most variants of a configuration. */
const MAX_VARIANTS = 20

/** Whose configuration it is. */
export const CONFIGURATION_SCOPES = ['project', 'instance'] as const
export type ConfigurationScope = (typeof CONFIGURATION_SCOPES)[number]

export const configurationExample = {
  id: '019aa5b4-9c0d-7e1f-8a2b-3c4d5e6f7a8b',
  scope: 'project',
  group_key: 'browser',
  group_name: 'Browser',
  key: 'chrome',
  name: 'Chrome',
  variants: ['chromium', 'chrome*'],
  position: 1,
  retired_at: null,
}

const key = (description: string) =>
  Type.String({
    pattern: FIELD_KEY_PATTERN,
    description: `${description} Up to 40 lower-case letters, digits and underscores, beginning with a letter. It never changes.`,
  })

export const Configuration = Type.Object(
  {
    id: Type.String({ description: 'Configuration id.' }),
    scope: OneOf(CONFIGURATION_SCOPES, {
      description: 'Whether it is one of the project, or of the whole instance: its administrators change it.',
    }),
    group_key: Type.String({ description: 'Key of its group.' }),
    group_name: Type.String({ description: 'Name of its group, such as Browser.' }),
    key: Type.String({ description: 'Key within its group. It never changes.' }),
    name: Type.String({ description: 'Name, such as Chrome.' }),
    variants: Type.Array(Type.String(), { description: 'Variants of automated tests that are results of it.' }),
    position: Type.Integer({ description: 'Place within its group, from 1; 0 if it is retired.' }),
    retired_at: Nullable(Timestamp('When it was retired; null if it is in use.')),
  },
  { examples: [configurationExample] },
)
export type Configuration = Static<typeof Configuration>

const groupName = Name('Name of the group, which all its configurations share.')
const name = Name('Name, different for each configuration of the group.')
const variants = Type.Optional(
  Type.Array(Type.String({ format: 'name', 'x-trim': true, minLength: 1, maxLength: 255 }), {
    maxItems: MAX_VARIANTS,
    description: `Up to ${MAX_VARIANTS} variants of automated tests, such as the name of a Playwright project: their results are results of this configuration. Case and white space do not matter, and \`*\` at the end stands for anything.`,
  }),
)

export const CreateConfigurationBody = Type.Object(
  {
    group_key: key('Key of the group, which is created with its first configuration.'),
    group_name: Type.Optional(
      Name('Name of the group: required for its first configuration. Of a group that exists, it is renamed.'),
    ),
    key: key('Key, different for each configuration of the group.'),
    name,
    variants,
  },
  {
    examples: [{ group_key: 'browser', group_name: 'Browser', key: 'chrome', name: 'Chrome', variants: ['chromium'] }],
  },
)
export type CreateConfigurationBody = Static<typeof CreateConfigurationBody>

export const UpdateConfigurationBody = Type.Object(
  {
    name: Type.Optional(name),
    group_name: Type.Optional(groupName),
    variants,
    position: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_GROUP_CONFIGURATIONS,
        description:
          'New place within its group, from 1; the others make room. A larger one than the last is the last.',
      }),
    ),
    retired: Type.Optional(
      Type.Boolean({
        description: 'Whether it is taken out of use: new runs cannot have it. Runs that have it keep it.',
      }),
    ),
  },
  { examples: [{ variants: ['chromium', 'chrome*'] }, { retired: true }] },
)
export type UpdateConfigurationBody = Static<typeof UpdateConfigurationBody>

export const ConfigurationParams = Type.Object({
  project_id: ProjectParams.properties.project_id,
  configuration_id: Type.String({ description: 'Configuration id.' }),
})

const tags = ['Configurations'] as const
const one = { ...Data(Configuration), examples: [{ data: configurationExample }] }
const url = '/v1/projects/:project_id/configurations'
const limits = `A project has up to ${MAX_CONFIGURATION_GROUPS} groups of ${MAX_GROUP_CONFIGURATIONS} configurations in use: 422 \`too_many_configurations\`.`

export const listConfigurations = {
  method: 'GET',
  url,
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listConfigurations',
    tags,
    summary: 'List the configurations of a project',
    description:
      'Returns what test cases can be tested with, such as browsers and systems: those of the project, then those of the whole instance, group by group, each in its order. Retired ones come last.',
    params: ProjectParams,
    querystring: Type.Object({
      retired: Type.Optional(
        OneOf(['true', 'false', 'any'], { description: 'Which configurations to return: `any` by default.' }),
      ),
    }),
    response: {
      200: {
        ...Type.Object({
          data: Type.Array(Configuration),
          meta: Type.Object({ total: Type.Integer({ description: 'Number of configurations in the list.' }) }),
        }),
        examples: [{ data: [configurationExample], meta: { total: 1 } }],
      },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const createConfiguration = {
  method: 'POST',
  url,
  config: { permission: 'project:settings', rateLimit: 'other' },
  schema: {
    operationId: 'createConfiguration',
    tags,
    summary: 'Add a configuration',
    description: `Adds a configuration at the end of its group. The key of a new group must not begin with \`org_\`: such groups are those of the instance. ${limits} A key in use is 409 \`key_taken\`.`,
    params: ProjectParams,
    body: CreateConfigurationBody,
    response: { 201: one, ...problems(400, 401, 403, 404, 409, 413, 415, 422, 429) },
  },
} as const satisfies Endpoint

export const updateConfiguration = {
  method: 'PATCH',
  url: `${url}/:configuration_id`,
  config: { permission: 'project:settings', rateLimit: 'other' },
  schema: {
    operationId: 'updateConfiguration',
    tags,
    summary: 'Change a configuration',
    description: `Changes only what is in the request. Runs have copies: theirs do not change. ${limits} One of the instance is 409 \`instance_configuration\`.`,
    params: ConfigurationParams,
    body: UpdateConfigurationBody,
    response: { 200: one, ...problems(400, 401, 403, 404, 409, 413, 415, 422, 429) },
  },
} as const satisfies Endpoint

export const deleteConfiguration = {
  method: 'DELETE',
  url: `${url}/:configuration_id`,
  config: { permission: 'project:settings', rateLimit: 'other' },
  schema: {
    operationId: 'deleteConfiguration',
    tags,
    summary: 'Delete a configuration',
    description:
      'Deletes a configuration. Runs have copies: theirs and their results stay. One of the instance is 409 `instance_configuration`.',
    params: ConfigurationParams,
    response: {
      204: { ...Type.Null(), description: 'The configuration was deleted.' },
      ...problems(401, 403, 404, 409, 429),
    },
  },
} as const satisfies Endpoint
