import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { fieldExample, FieldType, FIELD_TYPES, MAX_ACTIVE_FIELDS, MAX_FIELDS, MAX_OPTIONS } from './field-values.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { RESULT_STATUSES, ResultStatus } from './results.ts'
import { Data, LongText, Name, Nullable, OneOf, Timestamp } from './schemas.ts'
import { StoredFieldValue, FieldValue } from './field-values.ts'
import type { Static } from './static.ts'

/*
 * Custom fields of a project. How their values look is in `field-values.ts`.
 */

/** What has fields. */
export const FIELD_SUBJECTS = ['case', 'result', 'run'] as const
export type FieldSubject = (typeof FIELD_SUBJECTS)[number]

/** Whose a field is: of one project, or of the whole instance. */
export const FIELD_SCOPES = ['project', 'instance'] as const
export type FieldScope = (typeof FIELD_SCOPES)[number]

export const FIELD_KEY_PATTERN = '^[a-z][a-z0-9_]{0,39}$'
/** The longest label of an option. */
export const MAX_LABEL_LENGTH = 100
/** The most digits of a number. */
export const MAX_NUMBER = 999_999_999_999_999

const Subject = OneOf(FIELD_SUBJECTS, { description: 'What has the field: test cases (`case`), results or runs.' })

const optionFields = {
  key: Type.String({ description: 'Key, which values contain. It never changes.' }),
  label: Type.String({ description: 'What people read.' }),
  is_retired: Type.Boolean({ description: 'Whether it can no longer be chosen. Values that have it stay.' }),
}
const FieldOption = Type.Object(optionFields)

const key = Type.String({
  pattern: FIELD_KEY_PATTERN,
  description: 'Up to 40 lower-case letters, digits and underscores, beginning with a letter. It never changes.',
})

const NewOption = Type.Object({
  key,
  label: Type.String({
    format: 'name',
    'x-trim': true,
    minLength: 1,
    maxLength: MAX_LABEL_LENGTH,
    description: 'What people read, different for each option.',
  }),
  is_retired: Type.Optional(Type.Boolean({ description: 'Whether it can no longer be chosen. False by default.' })),
})

export const Field = Type.Object(
  {
    id: Type.String({ description: 'Field id.' }),
    subject: Subject,
    key: Type.String({ description: 'Key, by which requests and responses name the field. It never changes.' }),
    name: Type.String({ description: 'Name, which people read.' }),
    description: Type.String({ description: 'What the field is for; may be empty.' }),
    type: FieldType,
    is_required: Type.Boolean({ description: 'Whether a new test case or run must have a value.' }),
    required_on: Type.Array(ResultStatus, {
      description: 'Of a field of results: the statuses that need a value before the run is completed; else empty.',
    }),
    default: Type.Union([StoredFieldValue, Type.Null()], {
      description: 'The value of new test cases or runs whose request does not contain the field; null for none.',
    }),
    options: Nullable(
      Type.Array(FieldOption, { description: 'The options of a select, in their order; null for other types.' }),
    ),
    min: Nullable(Type.Number({ description: 'Smallest value of a number; null for any.' })),
    max: Nullable(Type.Number({ description: 'Largest value of a number; null for any.' })),
    decimals: Nullable(Type.Integer({ description: 'Most decimal places of a number; null for any up to 6.' })),
    position: Type.Integer({ description: 'Place among the fields, from 1.' }),
    scope: OneOf(FIELD_SCOPES, {
      description: 'Whose the field is. Those of the instance are the same in each project that has switched them on.',
    }),
    retired_at: Nullable(Timestamp('When the field was retired, or switched off; null if it is in use.')),
  },
  { examples: [fieldExample] },
)
export type Field = Static<typeof Field>

/** What a definition says, wherever the field is used. */
export const definition = {
  description: Type.Optional(LongText('What the field is for.')),
  default: Type.Optional(
    Type.Unsafe<FieldValue>({
      ...FieldValue,
      description:
        'The value of new test cases or runs whose request does not contain the field; null for none. Fields of results and of type `user` have none.',
    }),
  ),
  options: Type.Optional(
    Type.Array(NewOption, {
      maxItems: MAX_OPTIONS,
      description: `Of a select: 1 to ${MAX_OPTIONS} options in their order. A change must contain every option that exists; retire those that are no longer needed.`,
    }),
  ),
  min: Type.Optional(Nullable(Type.Number({ description: 'Smallest value of a number; null for any.' }))),
  max: Type.Optional(Nullable(Type.Number({ description: 'Largest value of a number; null for any.' }))),
  decimals: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 0,
        maximum: 6,
        description: 'Most decimal places of a number; null for any up to 6.',
      }),
    ),
  ),
}

const changeable = {
  ...definition,
  is_required: Type.Optional(
    Type.Boolean({
      description:
        'Whether a new test case or run must have a value. Those without one can still be changed; those that automation creates may lack it. Results have `required_on` instead.',
    }),
  ),
  required_on: Type.Optional(
    Type.Array(ResultStatus, {
      maxItems: RESULT_STATUSES.length,
      description:
        'Only for fields of results: the statuses that need a value. Setting a status never asks for it; completing the run does.',
    }),
  ),
}

/** What a field begins with. */
export const newField = {
  subject: Type.Optional(OneOf(FIELD_SUBJECTS, { description: 'What has the field. `case` by default.' })),
  key,
  name: Name('Name, which people read.'),
  type: FieldType,
}

/** What can change later, besides what a definition says. */
export const laterChanges = {
  name: Type.Optional(Name('Name, which people read.')),
  type: Type.Optional(
    OneOf(FIELD_TYPES, {
      description:
        'Only `text` can become `long_text`, and `select` can become `multi_select`. No value has to change for it.',
    }),
  ),
  position: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_FIELDS,
      description: 'New place among the fields, from 1; the others make room. A larger one than the last is the last.',
    }),
  ),
}

export const CreateFieldBody = Type.Object(
  {
    ...newField,
    ...changeable,
  },
  {
    examples: [
      {
        key: 'severity',
        name: 'Severity',
        type: 'select',
        options: [
          { key: 'blocker', label: 'Blocker' },
          { key: 'minor', label: 'Minor' },
        ],
      },
      { key: 'risk', name: 'Risk', type: 'number', min: 0, max: 10, decimals: 1 },
    ],
  },
)
export type CreateFieldBody = Static<typeof CreateFieldBody>

export const UpdateFieldBody = Type.Object(
  {
    ...laterChanges,
    ...changeable,
  },
  { examples: [{ name: 'Severity of a failure' }, { position: 1 }] },
)
export type UpdateFieldBody = Static<typeof UpdateFieldBody>

export const FieldParams = Type.Object({
  project_id: ProjectParams.properties.project_id,
  field_id: Type.String({ description: 'Field id.' }),
})

export const tags = ['Fields'] as const
const one = { ...Data(Field), examples: [{ data: fieldExample }] }
const url = '/v1/projects/:project_id/fields'

export const listFields = {
  method: 'GET',
  url,
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listFields',
    tags,
    summary: 'List the fields of a project',
    description: 'Returns the custom fields of a subject in their order, at most 200. Retired ones come last.',
    params: ProjectParams,
    querystring: Type.Object({
      subject: Type.Optional(OneOf(FIELD_SUBJECTS, { description: 'Return only fields of this. `case` by default.' })),
      retired: Type.Optional(
        OneOf(['true', 'false', 'any'], { description: 'Which fields to return: `any` by default.' }),
      ),
    }),
    response: {
      200: {
        ...Type.Object({
          data: Type.Array(Field),
          meta: Type.Object({ total: Type.Integer({ description: 'Number of fields in the list.' }) }),
        }),
        examples: [{ data: [fieldExample], meta: { total: 1 } }],
      },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const createField = {
  method: 'POST',
  url,
  config: { permission: 'project:settings', rateLimit: 'other' },
  schema: {
    operationId: 'createField',
    tags,
    summary: 'Add a field',
    description: `Adds a custom field after the others of its subject. Of each subject, a project has up to ${MAX_ACTIVE_FIELDS} fields in use and ${MAX_FIELDS} with retired ones: 422 \`too_many_fields\`. Another field of the subject with the key is 409 \`key_taken\`. What exists has no value; set that of test cases with a bulk update.`,
    params: ProjectParams,
    body: CreateFieldBody,
    response: { 201: one, ...problems(400, 401, 403, 404, 409, 413, 415, 422, 429) },
  },
} as const satisfies Endpoint

export const updateField = {
  method: 'PATCH',
  url: `${url}/:field_id`,
  config: { permission: 'project:settings', rateLimit: 'other' },
  schema: {
    operationId: 'updateField',
    tags,
    summary: 'Change a field',
    description:
      'Changes only what is in the request. No value changes: a new name of a field or option is shown everywhere at once, and values that new limits do not allow stay until they are changed. A field of the instance is 409 `instance_field`.',
    params: FieldParams,
    body: UpdateFieldBody,
    response: { 200: one, ...problems(400, 401, 403, 404, 409, 413, 415, 422, 429) },
  },
} as const satisfies Endpoint

export const retireField = {
  method: 'POST',
  url: `${url}/:field_id/retire`,
  config: { permission: 'project:settings', rateLimit: 'other' },
  schema: {
    operationId: 'retireField',
    tags,
    summary: 'Retire a field',
    description:
      'Takes a field out of use: what is created from now on does not have it. The values that exist stay and are returned. Retiring it again changes nothing. A field of the instance is 409 `instance_field`.',
    params: FieldParams,
    response: { 200: one, ...problems(401, 403, 404, 409, 429) },
  },
} as const satisfies Endpoint

export const restoreField = {
  method: 'POST',
  url: `${url}/:field_id/restore`,
  config: { permission: 'project:settings', rateLimit: 'other' },
  schema: {
    operationId: 'restoreField',
    tags,
    summary: 'Restore a retired field',
    description: `Brings a retired field back into use, after the others. 422 \`too_many_fields\` if ${MAX_ACTIVE_FIELDS} are in use. A field of the instance is 409 \`instance_field\`.`,
    params: FieldParams,
    response: { 200: one, ...problems(401, 403, 404, 409, 422, 429) },
  },
} as const satisfies Endpoint

export const deleteField = {
  method: 'DELETE',
  url: `${url}/:field_id`,
  config: { permission: 'project:settings', rateLimit: 'other' },
  schema: {
    operationId: 'deleteField',
    tags,
    summary: 'Delete a retired field',
    description:
      'Deletes a retired field and its values. This cannot be undone. A field that is not retired is 409 `field_in_use`.',
    params: FieldParams,
    response: { 204: { ...Type.Null(), description: 'The field was deleted.' }, ...problems(401, 403, 404, 409, 429) },
  },
} as const satisfies Endpoint
