import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { EarlierFieldValues, fieldExample } from './field-values.ts'
import { Field, FieldParams, tags } from './fields.ts'
import { problems } from './problem.ts'
import { Data } from './schemas.ts'
import type { Static } from './static.ts'
import { TestCase } from './test-case-schemas.ts'

/*
 * Two options of a field that become one.
 */

/** Most test cases that one request changes. */
export const MAX_MERGED_VALUES = 10_000

const key = (description: string) => Type.String({ format: 'text', maxLength: 255, description })

export const MergeOptionsBody = Type.Object(
  {
    from: key('Key of the option that is replaced, and retired.'),
    into: key('Key of the option in its place, which is not retired.'),
  },
  { examples: [{ from: 'blocking', into: 'blocker' }] },
)
export type MergeOptionsBody = Static<typeof MergeOptionsBody>

export const MergedOptions = Type.Object({
  field: Field,
  updated: Type.Integer({ description: 'Number of test cases that have another value now.' }),
  remaining: Type.Integer({
    description: 'Number of test cases that still have the option: send the request again until it is 0.',
  }),
  before: Type.Array(
    Type.Object({
      id: TestCase.properties.id,
      fields: Type.Optional(EarlierFieldValues('The value of the field.')),
    }),
    {
      description:
        'The test cases that changed, with their earlier values. To undo the merge, restore the option, then send this as `restore` of a bulk update.',
    },
  ),
})
export type MergedOptions = Static<typeof MergedOptions>

export const mergeFieldOptions = {
  method: 'POST',
  url: '/v1/projects/:project_id/fields/:field_id/options/merge',
  config: { permission: 'project:settings', rateLimit: 'other' },
  schema: {
    operationId: 'mergeFieldOptions',
    tags,
    summary: 'Merge an option of a field into another one',
    description: `Retires the option \`from\`, also as the default, and gives the option \`into\` to the test cases that have it, with archived ones, each as a version. A request changes up to ${MAX_MERGED_VALUES.toLocaleString('en-US')} of them; \`remaining\` says how many are left for another one. Only for fields of test cases of type \`select\` or \`multi_select\`: others are 422 \`cannot_merge\`. A field of the instance is 409 \`instance_field\`.`,
    params: FieldParams,
    body: MergeOptionsBody,
    response: {
      200: {
        ...Data(MergedOptions),
        examples: [
          {
            data: {
              field: fieldExample,
              updated: 1,
              remaining: 0,
              before: [{ id: 'WEB-12', fields: { severity: 'blocking' } }],
            },
          },
        ],
      },
      ...problems(400, 401, 403, 404, 409, 413, 415, 422, 429),
    },
  },
} as const satisfies Endpoint
