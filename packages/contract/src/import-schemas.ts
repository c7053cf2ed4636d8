import { Type, type Static } from 'typebox'

import { SimilarTestCase } from './duplicates.ts'
import { RESULT_STATUSES } from './results.ts'
import { Nullable, OneOf, Timestamp } from './schemas.ts'
import { PRIORITIES, TEST_CASE_TYPES } from './test-case-fields.ts'

/*
 * Imports of files from other tools: what was read, what would be stored, and what is not imported or not as it was.
 */

export const IMPORT_STATES = [
  'reading',
  'planning',
  'planned',
  'applying',
  'done',
  'differs',
  'cancelled',
  'failed',
  'undoing',
  'undone',
] as const
export type ImportState = (typeof IMPORT_STATES)[number]

export const RECORD_KINDS = [
  'folder',
  'case',
  'shared_steps',
  'shared_step_version',
  'person',
  'plan',
  'relation',
  'milestone',
  'configuration',
  'run',
  'result',
  'field',
  'attachment',
  'comment',
  'case_version',
  'test',
  'test_outcome',
  'suite_error',
  'quarantine',
] as const
export type RecordKind = (typeof RECORD_KINDS)[number]

export const RECORD_ACTIONS = ['create', 'update', 'unchanged', 'conflict', 'deleted_here', 'not_imported'] as const
export type RecordAction = (typeof RECORD_ACTIONS)[number]

/** The most characters of the name of a source. */
export const MAX_SOURCE_LENGTH = 100
/** The most choices of a kind in one request. */
export const MAX_CHOICES = 500

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

const ImportReading = Type.Object({
  counts: Type.Array(KindCount, { description: 'What the file contains.' }),
  steps: count('Steps of all test cases.'),
  encoding: Nullable(Type.String({ description: 'Encoding of a text file.' })),
})

const ImportPlanning = Type.Object({
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
  absent: count('Test cases of earlier imports of this source that are not in the file. They stay as they are.'),
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

const ImportProof = Type.Object({
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

export const importExample = {
  id: '019aa5d1-2b3c-7d4e-8f50-6b7c8d9e0f10',
  name: 'shop.xml',
  state: 'planned',
  system: 'testrail',
  source: 'TestRail',
  format: 'testrail-xml',
  files: [{ name: 'shop.xml', byte_count: 48_213 }],
  plan: 'b1946ac92492d2347c6235b4d2611184',
  progress: null,
  reading: { counts: [{ kind: 'case', count: 26 }], steps: 37, encoding: null },
  planning: {
    actions: [{ kind: 'case', action: 'create', count: 26 }],
    losses: [],
    fields: [{ name: 'severity', filled: 26, distinct: 2, samples: ['Major', 'Minor'], to: 'new:severity' }],
    values: [{ field: 'priority', from: 'High', to: 'high', count: 26, is_known: true }],
    questions: [],
    needs_settings: true,
    absent: 0,
    similar: { count: 0, not_compared: 0, is_complete: true },
  },
  proof: null,
  error: null,
  created_by: '019aa5b4-6a10-7b3e-8c21-5d9f3e7a1b40',
  created_at: '2026-11-21T09:30:00.000Z',
  planned_at: '2026-11-21T09:30:02.000Z',
  applied_at: null,
  undone_at: null,
}

export const Import = Type.Object(
  {
    id: Type.String({ description: 'Import id.' }),
    name: Type.String({ description: 'Name, that of the file.' }),
    state: OneOf(IMPORT_STATES, {
      description:
        '`reading` and `planning` change nothing in the project. `planned` waits to be applied. `differs` was applied, and the proof is not equal. `failed` and `cancelled` can be resumed.',
    }),
    system: Nullable(Type.String({ description: 'The tool, such as `testrail`; null until it is recognized.' })),
    source: Nullable(
      Type.String({
        description: 'Name of the project of the tool: objects of the same source are found again; null until read.',
      }),
    ),
    format: Nullable(Type.String({ description: 'Format of the file; null until it is recognized.' })),
    files: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Name of the file.' }),
        byte_count: Type.Integer({ description: 'Size in bytes.' }),
      }),
      { description: 'What was uploaded.' },
    ),
    plan: Nullable(Type.String({ description: 'Digest of the plan, to apply it; null without one.' })),
    progress: Nullable(
      Type.Object({
        stage: Type.String({ description: 'What is being done.' }),
        done: count('How much of it.'),
        total: count('Of how much; 0 if unknown.'),
      }),
    ),
    reading: Nullable(ImportReading),
    planning: Nullable(ImportPlanning),
    proof: Nullable(ImportProof),
    error: Nullable(
      Type.Object({
        code: Type.String({ description: 'Stable code, such as `legacy_excel`.' }),
        detail: Type.String({ description: 'Why it failed, and what to do.' }),
      }),
    ),
    created_by: Nullable(Type.String({ description: 'User id.' })),
    created_at: Timestamp('When the file was imported.'),
    planned_at: Nullable(Timestamp('When the plan was made.')),
    applied_at: Nullable(Timestamp('When it was applied.')),
    undone_at: Nullable(Timestamp('When it was undone.')),
  },
  { examples: [importExample] },
)
export type Import = Static<typeof Import>

export const recordExample = {
  seq: 3,
  kind: 'case',
  key: 'C11',
  title: 'Pays by card',
  action: 'create',
  target: null,
  losses: [],
  changed: [],
  before: null,
  after: { title: 'Pays by card', priority: 'high' },
  details: {},
  similar: [],
}

export const ImportedRecord = Type.Object({
  seq: Type.Integer({ description: 'Place in the file, from 1.' }),
  kind: OneOf(RECORD_KINDS, { description: 'Kind of record.' }),
  key: Nullable(Type.String({ description: 'What the source calls it; null if it has no id.' })),
  title: Type.String({ description: 'Title or name; may be empty.' }),
  action: Nullable(OneOf(RECORD_ACTIONS, { description: 'What happens to it; null before the plan.' })),
  target: Nullable(
    Type.String({
      description:
        'Id of the folder, shared step, test case, configuration, milestone, run, result or user; null if there is none yet.',
    }),
  ),
  losses: Type.Array(Type.String(), { description: 'Codes of what is not imported, or not as it was.' }),
  changed: Type.Array(Type.String(), { description: 'Fields that change; of a conflict, those that differ.' }),
  before: Nullable(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'What is here now of the fields that change; null unless there are any.',
    }),
  ),
  after: Nullable(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'What the test case or folder is afterwards; null for what is not imported.',
    }),
  ),
  details: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'Values without a place here, by name.',
  }),
  similar: Type.Array(SimilarTestCase, {
    description: 'Of a test case that is created: those that exist and are like it, when the plan was made. Up to 3.',
  }),
})
export type ImportedRecord = Static<typeof ImportedRecord>

const sourceName = Type.String({
  format: 'name',
  'x-trim': true,
  minLength: 1,
  maxLength: MAX_SOURCE_LENGTH,
  description: 'Name of the project of the tool. Files of the same source update what earlier ones have created.',
})

const sentText = (description: string, maxLength = 1000) => Type.String({ format: 'text', maxLength, description })

/** What the user chooses instead of what is suggested. */
export const ImportSettings = Type.Object(
  {
    source: Type.Optional(sourceName),
    encoding: Type.Optional(sentText('Encoding of a text file, such as `windows-1252`.', 40)),
    fields: Type.Optional(
      Type.Array(
        Type.Object({
          name: sentText('Name of the field in the source.'),
          to: sentText('`field:<key>`, `new`, `details` or `ignore`.', 60),
        }),
        { maxItems: MAX_CHOICES, description: 'What fields of the source become.' },
      ),
    ),
    priorities: Type.Optional(
      Type.Array(
        Type.Object({
          from: sentText('Priority in the source.'),
          to: OneOf(PRIORITIES, { description: 'Priority here.' }),
        }),
        { maxItems: MAX_CHOICES, description: 'What priorities become.' },
      ),
    ),
    types: Type.Optional(
      Type.Array(
        Type.Object({
          from: sentText('Type in the source.'),
          to: OneOf(TEST_CASE_TYPES, { description: 'Type here.' }),
        }),
        { maxItems: MAX_CHOICES, description: 'What types become.' },
      ),
    ),
    statuses: Type.Optional(
      Type.Array(
        Type.Object({
          from: sentText('Status of results in the source.'),
          to: OneOf(RESULT_STATUSES, { description: 'Status here.' }),
        }),
        { maxItems: MAX_CHOICES, description: 'What statuses of results become.' },
      ),
    ),
    id_pattern: Type.Optional(
      Nullable(
        sentText(
          'Address of an issue, with `{id}` for its id: `https://tracker.example/browse/{id}`; null for none.',
          2000,
        ),
      ),
    ),
    deprecated: Type.Optional(
      OneOf(['archive', 'keep'], {
        description: 'What becomes of deprecated and obsolete test cases: archived by default.',
      }),
    ),
  },
  { examples: [{ source: 'Web shop', priorities: [{ from: 'Showstopper', to: 'critical' }] }] },
)
export type ImportSettings = Static<typeof ImportSettings>

export const CreateImportBody = Type.Object(
  {
    file_id: Type.String({ format: 'text', maxLength: 255, description: 'File, received by `POST …/file-uploads`.' }),
    name: Type.String({
      format: 'text',
      'x-clean': true,
      'x-trim': true,
      minLength: 1,
      maxLength: 255,
      description: 'Name of the file.',
    }),
    source: Type.Optional(sourceName),
  },
  { examples: [{ file_id: '019aa5c0-2222-7b5d-9a6f-3a1f9d4a6b13', name: 'shop.xml' }] },
)
export type CreateImportBody = Static<typeof CreateImportBody>

/** Where a test case comes from. */
export const CaseSource = Type.Object(
  {
    system: Type.String({ description: 'The tool, such as `testrail`.' }),
    source: Type.String({ description: 'Name of the project of the tool.' }),
    key: Type.String({ description: 'What the tool calls it; without an id there, its path and title.' }),
    imported_at: Timestamp('When it was last imported.'),
    details: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'Values that have no place in a test case, by name.',
    }),
  },
  {
    examples: [
      {
        system: 'testrail',
        source: 'TestRail',
        key: 'C11',
        imported_at: '2026-11-21T09:30:00.000Z',
        details: { created_by: 'Ada' },
      },
    ],
  },
)
export type CaseSource = Static<typeof CaseSource>
