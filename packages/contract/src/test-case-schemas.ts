import { Type, type Static } from 'typebox'

import { ExtendedProblem } from './problem.ts'
import { CleanedName, Id, LongText, Name, Nullable, OneOf, Timestamp } from './schemas.ts'

export const PRIORITIES = ['critical', 'high', 'medium', 'low'] as const
export const TEST_CASE_TYPES = [
  'functional',
  'smoke',
  'regression',
  'integration',
  'end_to_end',
  'acceptance',
  'performance',
  'security',
  'usability',
  'accessibility',
  'compatibility',
  'exploratory',
  'unit',
  'api',
  'other',
] as const

/** Maximum length of an automation key in characters. */
export const MAX_AUTOMATION_KEY_LENGTH = 2000
/** The maximum number of automation keys of a test case. */
export const MAX_AUTOMATION_KEYS = 20

const Priority = OneOf(PRIORITIES, { description: 'Priority.' })
const TestCaseType = OneOf(TEST_CASE_TYPES, { description: 'Type of test.' })

const Step = Type.Object({
  position: Type.Integer({ description: 'Position, from 1.' }),
  action: Type.String({ description: 'Action of the step.' }),
  expected: Type.String({ description: 'Expected result of the step.' }),
})

const fields = {
  id: Type.String({ description: 'Test case id, `<PREFIX>-<number>`.' }),
  title: Type.String({ description: 'Title.' }),
  folder_id: Nullable(Type.String({ description: 'Folder; null at the top level.' })),
  priority: Priority,
  type: TestCaseType,
  precondition: Type.String({ description: 'Conditions that must be met before the test.' }),
  steps: Type.Array(Step, { description: 'Steps in order.' }),
  expected_result: Type.String({ description: 'Expected result of the whole test case.' }),
}
const position = Type.String({
  description:
    'Place in the folder: a text that sorts the test cases of a folder when compared by bytes, then by number. It changes when the test case is moved.',
})
const version = Type.Integer({
  description:
    'Number of changes of the fields, from 1. Send it as `If-Match: "7"` with an update, so that it fails if the test case has changed meanwhile. A new position within the folder does not count.',
})
const detailOnlyFields = {
  tags: Type.Array(Type.String(), { description: 'Tags.' }),
  automation_key: Nullable(
    Type.String({
      description: 'Key that matches automated tests to the test case if they have no test case id; null for none.',
    }),
  ),
  automation_keys: Type.Array(Type.String(), {
    description: 'All keys that match automated tests to the test case; `automation_key` is the first.',
  }),
  created_by: Nullable(Type.String({ description: 'User id of the author; null if unknown.' })),
  position,
  version,
}
const times = {
  created_at: Timestamp('When the test case was created.'),
  updated_at: Timestamp('When the test case last changed.'),
}

export const listedTestCaseExample = {
  id: 'WEB-12',
  title: 'A customer pays by card',
  folder_id: null,
  priority: 'high',
  type: 'functional',
  precondition: 'A filled basket',
  steps: [{ position: 1, action: 'Pay by card', expected: 'The order is confirmed' }],
  expected_result: 'The order is paid',
  created_at: '2026-11-21T09:30:00.000Z',
  updated_at: '2026-11-21T09:30:00.000Z',
}
export const testCaseExample = {
  ...listedTestCaseExample,
  tags: ['payment'],
  automation_key: 'checkout.pays by card',
  automation_keys: ['checkout.pays by card'],
  created_by: '019aa5b0-11aa-7b7b-8c8c-9d9d0e0e1f1f',
  position: 'b12',
  version: 7,
}

export const TestCaseListItem = Type.Object({ ...fields, ...times })
export type TestCaseListItem = Static<typeof TestCaseListItem>

/** A list item; with `fields=all`, it has the fields of {@link TestCase}. */
export const ListedTestCase = Type.Object({
  ...fields,
  tags: Type.Optional(detailOnlyFields.tags),
  automation_key: Type.Optional(detailOnlyFields.automation_key),
  automation_keys: Type.Optional(detailOnlyFields.automation_keys),
  created_by: Type.Optional(detailOnlyFields.created_by),
  position: Type.Optional(position),
  version: Type.Optional(version),
  ...times,
})

export const TestCase = Type.Object({ ...fields, ...detailOnlyFields, ...times })
export type TestCase = Static<typeof TestCase>

const NewStep = Type.Object({
  action: LongText('Action of the step.'),
  expected: Type.Optional(LongText('Expected result of the step.')),
})

/** The maximum number of tags of a test case. */
export const MAX_TAGS = 50

export const Tags = (description: string) =>
  Type.Array(Type.String({ format: 'text', 'x-trim': true, minLength: 1, maxLength: 64 }), {
    maxItems: MAX_TAGS,
    description,
  })

const AutomationKey = (description: string) =>
  Type.String({
    format: 'text',
    'x-trim': true,
    minLength: 1,
    maxLength: MAX_AUTOMATION_KEY_LENGTH,
    description,
  })

/** The fields of a test case that a request may leave out. */
export const optionalTestCaseInput = {
  folder_id: Type.Optional(Nullable(Id('Folder; null for the top level.'))),
  priority: Type.Optional(OneOf(PRIORITIES, { description: 'Priority.' })),
  type: Type.Optional(OneOf(TEST_CASE_TYPES, { description: 'Type of test.' })),
  precondition: Type.Optional(LongText('Conditions that must be met before the test.')),
  steps: Type.Optional(Type.Array(NewStep, { maxItems: 500, description: 'Steps in order.' })),
  expected_result: Type.Optional(LongText('Expected result of the whole test case.')),
  tags: Type.Optional(Tags('Tags.')),
  automation_key: Type.Optional(
    Nullable(
      AutomationKey(
        'Key that matches automated tests to the test case if they have no test case id; up to 2,000 characters. It must be unique in the project, where white space and the separators `. > › » : / \\` are all the same. It becomes the first of the automation keys; null removes all of them.',
      ),
    ),
  ),
  automation_keys: Type.Optional(
    Type.Array(AutomationKey('Automation key.'), {
      maxItems: MAX_AUTOMATION_KEYS,
      description: 'All automation keys, up to 20; in place of `automation_key`.',
    }),
  ),
}

export const CreateTestCaseBody = Type.Object(
  { title: Name('Title.'), ...optionalTestCaseInput },
  {
    examples: [
      {
        title: 'A customer pays by card',
        priority: 'high',
        steps: [{ action: 'Pay by card', expected: 'The order is confirmed' }],
      },
    ],
  },
)
export type CreateTestCaseBody = Static<typeof CreateTestCaseBody>

/** A test case of a bulk request, which often comes from a file. */
export const BulkTestCase = Type.Object({
  title: CleanedName('Title. Control characters and invisible characters are removed.'),
  ...optionalTestCaseInput,
})

export const UpdateTestCaseBody = Type.Object(
  { title: Type.Optional(Name('Title.')), ...optionalTestCaseInput },
  { examples: [{ title: 'A customer pays by card or voucher' }] },
)
export type UpdateTestCaseBody = Static<typeof UpdateTestCaseBody>

/** The response of an update: id, title, priority, updated_at and version, and the other fields that were in the request. */
export const UpdatedTestCase = Type.Object({
  id: fields.id,
  title: fields.title,
  priority: fields.priority,
  updated_at: times.updated_at,
  version,
  folder_id: Type.Optional(fields.folder_id),
  type: Type.Optional(fields.type),
  precondition: Type.Optional(fields.precondition),
  steps: Type.Optional(fields.steps),
  expected_result: Type.Optional(fields.expected_result),
  tags: Type.Optional(detailOnlyFields.tags),
  automation_key: Type.Optional(detailOnlyFields.automation_key),
  automation_keys: Type.Optional(detailOnlyFields.automation_keys),
})
export type UpdatedTestCase = Static<typeof UpdatedTestCase>

/** The problem of a change that was made to an older version: the test case as it is now, and who changed it last. */
export const ChangedTestCaseProblem = ExtendedProblem({
  current: TestCase,
  changed_by: Nullable(
    Type.Object(
      { id: Type.String({ description: 'User id.' }), name: Type.String({ description: 'Display name.' }) },
      { description: 'Who changed the test case last; null if unknown.' },
    ),
  ),
})
export type ChangedTestCaseProblem = Static<typeof ChangedTestCaseProblem>
