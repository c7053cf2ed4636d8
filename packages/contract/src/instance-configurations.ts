import { Type } from 'typebox'

import {
  Configuration,
  configurationExample,
  CreateConfigurationBody,
  listConfigurations,
  MAX_CONFIGURATION_GROUPS,
  MAX_GROUP_CONFIGURATIONS,
  UpdateConfigurationBody,
} from './configurations.ts'
import type { Endpoint } from './endpoint.ts'
import { INSTANCE_KEY_PREFIX } from './instance-fields.ts'
import { problems } from './problem.ts'
import { Data } from './schemas.ts'

/*
 * Configurations of the whole instance: its administrators define them, and the runs of every project can have them beside those
 * of the project.
 */

const example = { ...configurationExample, scope: 'instance', group_key: 'org_browser' }
const one = { ...Data(Configuration), examples: [{ data: example }] }
const params = Type.Object({ configuration_id: Type.String({ description: 'Configuration id.' }) })
const tags = ['Configurations'] as const
const config = { permission: 'instance:manage', rateLimit: 'other' } as const
const url = '/v1/admin/configurations'

export const listInstanceConfigurations = {
  method: 'GET',
  url,
  config,
  schema: {
    operationId: 'listInstanceConfigurations',
    tags,
    summary: 'List the configurations of the instance',
    description: 'Returns the configurations that every project can use, group by group. Retired ones come last.',
    querystring: listConfigurations.schema.querystring,
    response: {
      200: {
        ...Type.Object({
          data: Type.Array(Configuration),
          meta: Type.Object({ total: Type.Integer({ description: 'Number of configurations in the list.' }) }),
        }),
        examples: [{ data: [example], meta: { total: 1 } }],
      },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const createInstanceConfiguration = {
  method: 'POST',
  url,
  config,
  schema: {
    operationId: 'createInstanceConfiguration',
    tags,
    summary: 'Add a configuration of the instance',
    description: `Adds a configuration at the end of its group. The key of a group begins with \`${INSTANCE_KEY_PREFIX}\`, so that it is never that of a project's own group. There are up to ${MAX_CONFIGURATION_GROUPS} groups of ${MAX_GROUP_CONFIGURATIONS} configurations in use, beside those of each project: 422 \`too_many_configurations\`. A key in use is 409 \`key_taken\`.`,
    body: CreateConfigurationBody,
    response: { 201: one, ...problems(400, 401, 403, 404, 409, 413, 415, 422, 429) },
  },
} as const satisfies Endpoint

export const updateInstanceConfiguration = {
  method: 'PATCH',
  url: `${url}/:configuration_id`,
  config,
  schema: {
    operationId: 'updateInstanceConfiguration',
    tags,
    summary: 'Change a configuration of the instance',
    description:
      'Changes only what is in the request, for new runs of all projects. Runs have copies: theirs do not change.',
    params,
    body: UpdateConfigurationBody,
    response: { 200: one, ...problems(400, 401, 403, 404, 413, 415, 422, 429) },
  },
} as const satisfies Endpoint

export const deleteInstanceConfiguration = {
  method: 'DELETE',
  url: `${url}/:configuration_id`,
  config,
  schema: {
    operationId: 'deleteInstanceConfiguration',
    tags,
    summary: 'Delete a configuration of the instance',
    description: 'Deletes a configuration. Runs have copies: theirs and their results stay.',
    params,
    response: {
      204: { ...Type.Null(), description: 'The configuration was deleted.' },
      ...problems(401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint
