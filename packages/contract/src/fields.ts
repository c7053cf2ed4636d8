import { Type, type Static } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { fieldExample, FieldType, FIELD_TYPES, MAX_ACTIVE_FIELDS, MAX_FIELDS, MAX_OPTIONS } from './field-values.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Data, LongText, Name, Nullable, OneOf, Timestamp } from './schemas.ts'
import { StoredFieldValue, FieldValue } from './field-values.ts'

/*
 * Custom fields of a project. How their values look is in `field-values.ts`.
 */

/** What has fields. Results and runs follow. */
export const FIELD_SUBJECTS = ['case'] as const

export const FIELD_KEY_PATTERN = '^[a-z][a-z0-9_]{0,39}$'
/** The longest label of an option. */
export const MAX_LABEL_LENGTH = 100
/** The most digits of a number. */
export const MAX_NUMBER = 999_999_999_999_999

const Subject = OneOf(FIELD_SUBJECTS, { description: 'What has the field: `case` for test cases.' })

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
    is_required: Type.Boolean({ description: 'Whether a new test case must have a value.' }),
    default: Type.Union([StoredFieldValue, Type.Null()], {
      description: 'The value of new test cases whose request does not contain the field; null for none.',
    }),
    options: Nullable(
      Type.Array(FieldOption, { description: 'The options of a select, in their order; null for other types.' }),
    ),
    min: Nullable(Type.Number({ description: 'Smallest value of a number; null for any.' })),
    max: Nullable(Type.Number({ description: 'Largest value of a number; null for any.' })),
    decimals: Nullable(Type.Integer({ description: 'Most decimal places of a number; null for any up to 6.' })),
    position: Type.Integer({ description: 'Place among the fields, from 1.' }),
    retired_at: Nullable(Timestamp('When the field was retired; null if it is in use.')),
  },
  { examples: [fieldExample] },
)
export type Field = Static<typeof Field>

const changeable = {
  description: Type.Optional(LongText('What the field is for.')),
  is_required: Type.Optional(
    Type.Boolean({
      description:
        'Whether a new test case must have a value. Test cases without one can still be changed; those that automation creates may lack it.',
    }),
  ),
  default: Type.Optional(
    Type.Unsafe<FieldValue>({
      ...FieldValue,
      description:
        'The value of new test cases whose request does not contain the field; null for none. A field of type `user` has none.',
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

export const CreateFieldBody = Type.Object(
  {
    subject: Type.Optional(OneOf(FIELD_SUBJECTS, { description: 'What has the field. `case` by default.' })),
    key,
    name: Name('Name, which people read.'),
    type: FieldType,
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
        description:
          'New place among the fields, from 1; the others make room. A larger one than the last is the last.',
      }),
    ),
    ...changeable,
  },
  { examples: [{ name: 'Severity of a failure' }, { position: 1 }] },
)
export type UpdateFieldBody = Static<typeof UpdateFieldBody>

export const FieldParams = Type.Object({
  project_id: ProjectParams.properties.project_id,
  field_id: Type.String({ description: 'Field id.' }),
})

const tags = ['Fields'] as const
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
    description: 'Returns the custom fields in their order, at most 200. Retired ones come last.',
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
    description: `Adds a custom field after the others. A project has up to ${MAX_ACTIVE_FIELDS} fields in use and ${MAX_FIELDS} with retired ones: 422 \`too_many_fields\`. Another field with the key is 409 \`key_taken\`. Test cases that exist have no value; set it with a bulk update.`,
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
      'Changes only what is in the request. No value of a test case changes: a new name of a field or option is shown everywhere at once, and values that new limits do not allow stay until they are changed.',
    params: FieldParams,
    body: UpdateFieldBody,
    response: { 200: one, ...problems(400, 401, 403, 404, 413, 415, 422, 429) },
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
      'Takes a field out of use: new test cases do not have it. The values that test cases have stay and are returned. Retiring it again changes nothing.',
    params: FieldParams,
    response: { 200: one, ...problems(401, 403, 404, 429) },
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
    description: `Brings a retired field back into use, after the others. 422 \`too_many_fields\` if ${MAX_ACTIVE_FIELDS} are in use.`,
    params: FieldParams,
    response: { 200: one, ...problems(401, 403, 404, 422, 429) },
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
      'Deletes a retired field and the values that test cases have. This cannot be undone. A field that is not retired is 409 `field_in_use`.',
    params: FieldParams,
    response: { 204: { ...Type.Null(), description: 'The field was deleted.' }, ...problems(401, 403, 404, 409, 429) },
  },
} as const satisfies Endpoint
