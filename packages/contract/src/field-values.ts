import { Type } from 'typebox'

import { OneOf } from './schemas.ts'
import type { Static } from './static.ts'

/*
 * The values of custom fields in requests and responses: by the key of the field, and options by theirs.
 */

export const FIELD_TYPES = [
  'text',
  'long_text',
  'number',
  'date',
  'checkbox',
  'select',
  'multi_select',
  'user',
  'url',
] as const
export type FieldTypeName = (typeof FIELD_TYPES)[number]

/** The most fields in use of a subject, and the most with retired ones. */
export const MAX_ACTIVE_FIELDS = 30
export const MAX_FIELDS = 200
/** The most options of a field, and the most of them that a value has. */
export const MAX_OPTIONS = 200
export const MAX_CHOSEN_OPTIONS = 50

export const FieldType = OneOf(FIELD_TYPES, {
  description:
    'Type of the values: `text` (one line of up to 1,000 characters), `long_text` (Markdown, up to 65,536), `number`, `date` (`"2026-11-21"`), `checkbox` (true or false; absent is not false), `select` (key of an option), `multi_select` (list of keys), `user` (id of an admin or member) or `url` (http or https, up to 2,048 characters).',
})

export const fieldExample = {
  id: '019aa5c8-2b3c-7d4e-8f50-6b7c8d9e0f10',
  subject: 'case',
  key: 'severity',
  name: 'Severity',
  description: '',
  type: 'select',
  is_required: false,
  required_on: [],
  default: null,
  options: [
    { key: 'blocker', label: 'Blocker', is_retired: false },
    { key: 'minor', label: 'Minor', is_retired: false },
  ],
  min: null,
  max: null,
  decimals: null,
  position: 1,
  scope: 'project',
  retired_at: null,
}

/** A value in a response. */
export const StoredFieldValue = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Array(Type.String())], {
  description: 'A value, as the type of the field says.',
})
export type StoredFieldValue = Static<typeof StoredFieldValue>

/** A value in a request. What the type of the field requires is checked against the fields of the project. */
export type FieldValue = StoredFieldValue | null
export const FieldValue = Type.Unsafe<FieldValue>({
  type: ['string', 'number', 'boolean', 'array', 'null'],
  items: { type: 'string', maxLength: 255 },
  maxItems: MAX_CHOSEN_OPTIONS,
  maxLength: 65_536,
  format: 'text',
})

/** `create_options` of a request, and `options_created` of its response. */
export const CreateOptions = Type.Boolean({
  description:
    'Whether options of selects can be named by their labels, and those that a field does not have are added to it, each with a key like its label. Only for admins of the project. False by default.',
})
export const OptionsCreated = Type.Array(
  Type.Object({
    field: Type.String({ description: 'Key of the field.' }),
    key: Type.String({ description: 'Key of the option.' }),
    label: Type.String({ description: 'Label of the option.' }),
  }),
  { description: 'With `create_options`: the options that were added, or in a dry run would be.' },
)

/** Values of fields by their keys in a request. */
export const FieldValues = (description: string) =>
  Type.Unsafe<Record<string, FieldValue>>({
    type: 'object',
    maxProperties: MAX_FIELDS,
    additionalProperties: FieldValue,
    description,
  })

/** Values of fields by their keys in a response that says which fields have none. */
export const EarlierFieldValues = (description: string) =>
  Type.Unsafe<Record<string, FieldValue>>({
    type: 'object',
    // Not a list of types, which would be serialized as the first that a value can be converted to.
    additionalProperties: Type.Union([StoredFieldValue, Type.Null()]),
    description,
  })

/** Values of fields by their keys in a response. */
export const StoredFieldValues = (description: string) =>
  Type.Unsafe<Record<string, StoredFieldValue>>({
    type: 'object',
    additionalProperties: StoredFieldValue,
    description,
  })

/** Values that automation sent and that could not be stored. */
export const IgnoredFields = Type.Object(
  {
    count: Type.Integer({ description: 'Number of values that were not stored.' }),
    fields: Type.Array(
      Type.Object({
        key: Type.String({ description: 'Key as it was sent, cut at 100 characters.' }),
        value: Type.String({ description: 'The first such value as it was sent, as text, cut at 100 characters.' }),
        code: OneOf(['unknown_field', 'invalid_field_value', 'unknown_option', 'result_not_stored'], {
          description:
            'The reason, for programs. `unknown_field`: there is no such field, or it is retired. `invalid_field_value`: it is no value of the field. `unknown_option`: the field has no such option. `result_not_stored`: the test has no test case, or its result was not stored.',
        }),
        error: Type.String({ description: 'What is wrong.' }),
        count: Type.Integer({ description: 'Number of values with this key and reason.' }),
      }),
      { description: 'The first 100 keys and reasons.' },
    ),
  },
  { description: 'Values of custom fields that were not stored. Everything else was. Absent if there are none.' },
)
export type IgnoredFields = Static<typeof IgnoredFields>

/** Values of fields by their keys in what automation sends: nothing in them refuses the request. */
export const ReportedFieldValues = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description })
