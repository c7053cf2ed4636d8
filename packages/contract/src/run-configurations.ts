import { Type } from 'typebox'

import { MAX_CONFIGURATION_GROUPS, MAX_GROUP_CONFIGURATIONS } from './configurations.ts'
import { FIELD_KEY_PATTERN } from './fields.ts'
import { Id, OneOf } from './schemas.ts'
import type { Static } from './static.ts'

/** Most configurations of a run. */
export const MAX_RUN_CONFIGURATIONS = 100
/** Most combinations of a run. */
export const MAX_RUN_COMBINATIONS = 200_000

/**
 * The place of the combination for automated tests whose variant is that of no configuration of the run. Those of a run are
 * below it.
 */
export const OTHER_TESTS_PLACE = 32_767

const keySchema = { type: 'string', pattern: FIELD_KEY_PATTERN } as const

/** Configurations by their group. */
const Groups = Type.Unsafe<Record<string, string[]>>({
  type: 'object',
  maxProperties: MAX_CONFIGURATION_GROUPS,
  propertyNames: keySchema,
  additionalProperties: { type: 'array', minItems: 1, maxItems: MAX_GROUP_CONFIGURATIONS, items: keySchema },
  description: 'Keys of configurations by the key of their group.',
})

const Values = Type.Unsafe<Record<string, string>>({
  type: 'object',
  minProperties: 1,
  maxProperties: MAX_CONFIGURATION_GROUPS,
  propertyNames: keySchema,
  additionalProperties: keySchema,
  description: 'Key of a configuration by the key of its group, such as `{"browser": "chrome", "system": "windows"}`.',
})

const Selection = Type.Object(
  {
    test_case_ids: Type.Optional(
      Type.Array(Id('Test case id.'), { maxItems: 100_000, description: 'These test cases.' }),
    ),
    folder_ids: Type.Optional(
      Type.Array(Id('Folder id.'), {
        maxItems: 10_000,
        description: 'The test cases in these folders and their subfolders.',
      }),
    ),
  },
  { description: 'Which test cases of the run are tested with it. All by default, also those that are added later.' },
)

export const NewRunConfigurations = Type.Object(
  {
    groups: Type.Optional(Groups),
    mode: Type.Optional(
      OneOf(['full', 'pairwise'], {
        description:
          'Which configurations of the `groups` are combined: `full`, the default, is each with each; in `pairwise`, every two stand together at least once.',
      }),
    ),
    list: Type.Optional(
      Type.Array(Type.Object({ values: Values, selection: Type.Optional(Selection) }), {
        maxItems: MAX_RUN_CONFIGURATIONS,
        description: 'Instead of `groups`, or beside them: each of these.',
      }),
    ),
    selection: Type.Optional(Selection),
  },
  {
    description: `What the test cases are tested with: each gets a result per combination, and its own status follows from them. At most ${MAX_RUN_CONFIGURATIONS} configurations and ${MAX_RUN_COMBINATIONS.toLocaleString('en')} combinations: 422 \`too_many_combinations\`.`,
  },
)
export type NewRunConfigurations = Static<typeof NewRunConfigurations>
