import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { fieldExample, MAX_ACTIVE_FIELDS, MAX_FIELDS } from './field-values.ts'
import { definition, Field, FIELD_SUBJECTS, newField, laterChanges, tags } from './fields.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { RESULT_STATUSES, ResultStatus } from './results.ts'
import { Data, OneOf } from './schemas.ts'
import type { Static } from './static.ts'

/*
 * Fields of the whole instance: its administrators define them, and each project switches on those that it needs. There they are
 * fields like its own, but for their definition.
 */

/** Keys of fields of the instance begin so; those of projects do not, so that the two never meet. */
export const INSTANCE_KEY_PREFIX = 'org_'

const example = {
  ...fieldExample,
  id: '019aa5c8-3c4d-7e5f-9a60-7c8d9e0f1a2b',
  key: 'org_severity',
  scope: 'instance',
  project_count: 12,
}

export const InstanceField = Type.Object(
  {
    ...Field.properties,
    project_count: Type.Integer({ description: 'Number of projects that have it switched on.' }),
  },
  { examples: [example] },
)
export type InstanceField = Static<typeof InstanceField>

export const CreateInstanceFieldBody = Type.Object(
  { ...newField, ...definition },
  { examples: [{ key: 'org_cost_center', name: 'Cost center', type: 'text' }] },
)
export type CreateInstanceFieldBody = Static<typeof CreateInstanceFieldBody>

export const UpdateInstanceFieldBody = Type.Object(
  { ...laterChanges, ...definition },
  { examples: [{ name: 'Cost center of the team' }] },
)
export type UpdateInstanceFieldBody = Static<typeof UpdateInstanceFieldBody>

const FieldParams = Type.Object({ field_id: Type.String({ description: 'Field id.' }) })
const subject = Type.Optional(OneOf(FIELD_SUBJECTS, { description: 'Return only fields of this. `case` by default.' }))
const total = Type.Object({ total: Type.Integer({ description: 'Number of fields in the list.' }) })
const oneOfInstance = { ...Data(InstanceField), examples: [{ data: example }] }
const url = '/v1/admin/fields'
const ofInstance = { permission: 'instance:manage', rateLimit: 'other' } as const

export const listInstanceFields = {
  method: 'GET',
  url,
  config: ofInstance,
  schema: {
    operationId: 'listInstanceFields',
    tags,
    summary: 'List the fields of the instance',
    description: 'Returns the fields of a subject that projects can switch on, at most 200. Retired ones come last.',
    querystring: Type.Object({ subject }),
    response: {
      200: {
        ...Type.Object({ data: Type.Array(InstanceField), meta: total }),
        examples: [{ data: [example], meta: { total: 1 } }],
      },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const createInstanceField = {
  method: 'POST',
  url,
  config: ofInstance,
  schema: {
    operationId: 'createInstanceField',
    tags,
    summary: 'Add a field of the instance',
    description: `Adds a field that no project has yet. Its key begins with \`${INSTANCE_KEY_PREFIX}\`; another one with it is 409 \`key_taken\`. Of each subject there are up to ${MAX_ACTIVE_FIELDS} in use and ${MAX_FIELDS} with retired ones: 422 \`too_many_fields\`. Whether a value is required is decided by each project.`,
    body: CreateInstanceFieldBody,
    response: { 201: oneOfInstance, ...problems(400, 401, 403, 404, 409, 413, 415, 422, 429) },
  },
} as const satisfies Endpoint

export const updateInstanceField = {
  method: 'PATCH',
  url: `${url}/:field_id`,
  config: ofInstance,
  schema: {
    operationId: 'updateInstanceField',
    tags,
    summary: 'Change a field of the instance',
    description:
      'Changes only what is in the request, in every project that has the field. No value changes. A new type for which a project has no room is 422 `too_many_fields`.',
    params: FieldParams,
    body: UpdateInstanceFieldBody,
    response: { 200: oneOfInstance, ...problems(400, 401, 403, 404, 413, 415, 422, 429) },
  },
} as const satisfies Endpoint

export const retireInstanceField = {
  method: 'POST',
  url: `${url}/:field_id/retire`,
  config: ofInstance,
  schema: {
    operationId: 'retireInstanceField',
    tags,
    summary: 'Retire a field of the instance',
    description:
      'Takes a field out of use in all projects. The values that exist stay and are returned. Retiring it again changes nothing.',
    params: FieldParams,
    response: { 200: oneOfInstance, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint

export const restoreInstanceField = {
  method: 'POST',
  url: `${url}/:field_id/restore`,
  config: ofInstance,
  schema: {
    operationId: 'restoreInstanceField',
    tags,
    summary: 'Restore a retired field of the instance',
    description:
      'Brings a retired field back into use, also in the projects that had it. 422 `too_many_fields` if the instance or one of these projects has no room for it.',
    params: FieldParams,
    response: { 200: oneOfInstance, ...problems(401, 403, 404, 422, 429) },
  },
} as const satisfies Endpoint

export const deleteInstanceField = {
  method: 'DELETE',
  url: `${url}/:field_id`,
  config: ofInstance,
  schema: {
    operationId: 'deleteInstanceField',
    tags,
    summary: 'Delete a retired field of the instance',
    description:
      'Deletes a retired field and its values in all projects. This cannot be undone. A field that is not retired is 409 `field_in_use`.',
    params: FieldParams,
    response: { 204: { ...Type.Null(), description: 'The field was deleted.' }, ...problems(401, 403, 404, 409, 429) },
  },
} as const satisfies Endpoint

const offeredExample = { ...fieldExample, id: example.id, key: example.key, scope: 'instance', is_used: false }

export const OfferedField = Type.Object(
  {
    ...Field.properties,
    is_used: Type.Boolean({ description: 'Whether this project has it switched on.' }),
  },
  { examples: [offeredExample] },
)
export type OfferedField = Static<typeof OfferedField>

export const listOfferedFields = {
  method: 'GET',
  url: '/v1/projects/:project_id/instance-fields',
  config: { permission: 'project:settings', rateLimit: 'other' },
  schema: {
    operationId: 'listOfferedFields',
    tags,
    summary: 'List the fields of the instance that a project can have',
    description: 'Returns the fields of the instance that are not retired, and whether the project has them.',
    params: ProjectParams,
    querystring: Type.Object({ subject }),
    response: {
      200: {
        ...Type.Object({ data: Type.Array(OfferedField), meta: total }),
        examples: [{ data: [offeredExample], meta: { total: 1 } }],
      },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const SetInstanceFieldBody = Type.Object(
  {
    is_used: Type.Boolean({
      description: 'Whether the project has the field. Switched off, it is like a retired one: its values stay.',
    }),
    is_required: Type.Optional(
      Type.Boolean({ description: 'Whether a new test case or run of this project must have a value.' }),
    ),
    required_on: Type.Optional(
      Type.Array(ResultStatus, {
        maxItems: RESULT_STATUSES.length,
        description: 'Of a field of results: the statuses that need a value before a run of this project is completed.',
      }),
    ),
    position: laterChanges.position,
  },
  { examples: [{ is_used: true }, { is_used: true, is_required: true, position: 1 }] },
)
export type SetInstanceFieldBody = Static<typeof SetInstanceFieldBody>

export const setInstanceField = {
  method: 'PUT',
  url: '/v1/projects/:project_id/instance-fields/:field_id',
  config: { permission: 'project:settings', rateLimit: 'other' },
  schema: {
    operationId: 'setInstanceField',
    tags,
    summary: 'Switch a field of the instance on or off',
    description: `Switches a field on for the project, after its others, or off, and decides what the project decides about it. What is not sent stays. 422 \`too_many_fields\` if ${MAX_ACTIVE_FIELDS} are in use; 409 \`key_taken\` if an older field of the project has its key; 409 \`field_retired\` if the instance has retired it.`,
    params: Type.Object({ ...ProjectParams.properties, ...FieldParams.properties }),
    body: SetInstanceFieldBody,
    response: {
      200: { ...Data(OfferedField), examples: [{ data: { ...offeredExample, is_used: true } }] },
      ...problems(400, 401, 403, 404, 409, 413, 415, 422, 429),
    },
  },
} as const satisfies Endpoint
