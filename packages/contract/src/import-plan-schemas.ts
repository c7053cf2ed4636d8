import { Type } from 'typebox'

import { RECORD_ACTIONS, RECORD_KINDS } from './import-kinds.ts'
import { Nullable, OneOf } from './schemas.ts'
import type { Static } from './static.ts'

/*
 * What the file of an import contains, what its plan does and loses, and what was stored.
 */

const count = (description: string) => Type.Integer({ minimum: 0, description })

const KindCount = Type.Object({
  kind: OneOf(RECORD_KINDS, { description: 'Kind of what was read.' }),
  count: count('How many.'),
})

export const ImportLoss = Type.Object({
  code: Type.String({ description: 'Stable code, such as `expected_not_split`. New ones may be added.' }),
  count: count('How often.'),
  sentence: Type.String({ description: 'What it means.' }),
  examples: Type.Array(
    Type.Object({
      key: Nullable(Type.String({ description: 'What the source calls it; null if it has no id.' })),
      title: Type.String({ description: 'Title; may be empty.' }),
      place: Type.String({ description: 'Where in the file; may be empty.' }),
    }),
    { description: 'The first of them, up to 5.' },
  ),
})
export type ImportLoss = Static<typeof ImportLoss>

export const ImportQuestion = Type.Object({
  id: Type.String({ description: 'What is asked, such as `encoding`.' }),
  sentence: Type.String({ description: 'The question.' }),
  options: Type.Array(Type.String(), { description: 'Possible answers; empty for any text.' }),
  default: Type.String({ description: 'What is done without an answer; empty for nothing.' }),
  answer: Nullable(Type.String({ description: 'The answer; null for none.' })),
})

const ImportField = Type.Object({
  name: Type.String({ description: 'Name in the source.' }),
  filled: count('Test cases with a value.'),
  distinct: count('Different values, counted up to 201.'),
  samples: Type.Array(Type.String(), { description: 'Up to 3 values.' }),
  to: Type.String({
    description:
      'What it becomes: `field:<key>` a custom field, `new:<key>` one that is created, `details` a value that is kept beside the test case, or `ignore`.',
  }),
})
export type ImportField = Static<typeof ImportField>

const ImportValue = Type.Object({
  field: OneOf(['priority', 'type', 'status'], { description: 'Where the value is.' }),
  from: Type.String({ description: 'Value in the source.' }),
  to: Type.String({ description: 'Value here.' }),
  count: count('Test cases or results with it.'),
  is_known: Type.Boolean({ description: 'Whether the value has a meaning that is known, or was chosen.' }),
})
export type ImportValue = Static<typeof ImportValue>

const ActionCount = Type.Object({
  kind: OneOf(RECORD_KINDS, { description: 'Kind of record.' }),
  action: OneOf(RECORD_ACTIONS, {
    description:
      'What happens: `conflict` if it was changed here and in the source, differently; it stays as it is here. `deleted_here` stays deleted.',
  }),
  count: count('How many.'),
})
export type ActionCount = Static<typeof ActionCount>

/** What a file contains. */
export const ImportReading = Type.Object({
  counts: Type.Array(KindCount, { description: 'What the file contains.' }),
  steps: count('Steps of all test cases.'),
  encoding: Nullable(Type.String({ description: 'Encoding of a text file.' })),
})

/** What applying an import does, and what gets lost. */
export const ImportPlanning = Type.Object({
  actions: Type.Array(ActionCount, { description: 'What applying does.' }),
  losses: Type.Array(ImportLoss, { description: 'What is not imported, or not as it was.' }),
  fields: Type.Array(ImportField, { description: 'Values without a place of their own, by the name of their field.' }),
  values: Type.Array(ImportValue, {
    description: 'Priorities and types of test cases and statuses of results in the source, and what they become.',
  }),
  questions: Type.Array(ImportQuestion, { description: 'What should be answered; each has a default.' }),
  needs_settings: Type.Boolean({
    description: 'Whether it creates custom fields or options, so that only an admin can apply it.',
  }),
  absent: count(
    'Test cases of earlier imports of this source that are not in the file. They stay as they are, unless `absent` says otherwise.',
  ),
  similar: Type.Optional(
    Type.Object(
      {
        count: count(
          'Test cases that would be created although the project has similar ones: `similar` of each says which.',
        ),
        not_compared: count('Test cases that would be created, and were not compared: 10,000 of an import are.'),
        is_complete: Type.Boolean({
          description:
            'Whether all test cases of the project were compared: its newest 50,000 are, and older ones with an equal title.',
        }),
      },
      { description: 'Missing in plans from before this was looked for.' },
    ),
  ),
})

/** What was read, compared with what is stored. */
export const ImportProof = Type.Object({
  is_equal: Type.Boolean({ description: 'Whether everything that was read is accounted for, and stored.' }),
  cases: Type.Object({ read: count('In the file.'), stored: count('Found in the project.') }),
  folders: Type.Object({ read: count('In the file.'), stored: count('Found in the project.') }),
  steps: Type.Object({ read: count('Of test cases that were created.'), stored: count('Found in the project.') }),
  shared_steps: Type.Optional(Type.Object({ read: count('In the file.'), stored: count('Found in the project.') })),
  configurations: Type.Optional(Type.Object({ read: count('In the file.'), stored: count('Found in the project.') })),
  milestones: Type.Optional(Type.Object({ read: count('In the file.'), stored: count('Found in the project.') })),
  runs: Type.Optional(Type.Object({ read: count('In the file.'), stored: count('Found in the project.') })),
  results: Type.Optional(
    Type.Object({ read: count('In the file, earlier ones as well.'), stored: count('Found in the project.') }),
  ),
  differences: Type.Array(Type.String(), { description: 'What is not equal.' }),
})
